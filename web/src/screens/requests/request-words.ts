// The actions of requests in words, and why a vote of the person who is signed in would not count.
import type { components } from '../../api/schema.js';
import { fieldsOf, subjectOf } from '../../composables/subject.js';
import type { Session } from '../../composables/use-session.js';

type Request = components['schemas']['Request'];

export const ACTIONS: Readonly<Record<string, string>> = {
  'gcos.ruleset.activate': 'put other rules in force',
  'gcos.exception.grant': 'accept a gap for a time',
  'gcos.gate.break_glass': 'let one thing pass the gate for minutes',
  'gcos.remediation.propose': 'carry out a remedy',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What exactly is proposed, in one line; empty if the console does not know the form of the action. */
export function detailOf(proposed: unknown): string {
  const given = fieldsOf(proposed);
  const exception = fieldsOf(given['exception']);
  if (text(exception['scope']) !== '') {
    const { kind, name } = subjectOf(exception);
    const link = text(exception['link']);
    return `${link === '' ? 'any gap' : `no ${link}`} of ${kind} \`${name}\` in scope ${text(exception['scope'])}`;
  }
  const pass = fieldsOf(given['break_glass']);
  if (text(pass['stage']) !== '')
    return `${text(pass['action'])} \`${subjectOf(pass).name}\` at ${text(pass['stage'])}, for ${pass['minutes']} min`;
  if (text(given['ruleset_version']) !== '') return `version \`${text(given['ruleset_version'])}\``;
  return text(given['what']);
}

/** How it is known who acted. */
export const LEVELS: Readonly<Record<string, string>> = {
  login: 'by a login of their own',
  token: 'by a token',
  unverified: 'not verified: recorded for another person',
};

export interface ApprovalPolicy {
  readonly self_approval?: boolean;
  readonly quorum?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly levels?: Readonly<Record<string, readonly string[]>>;
}

/** By default only logins decide what is of high risk. */
const DEFAULT_LEVELS: Readonly<Record<string, readonly string[]>> = {
  low: ['login', 'token'],
  medium: ['login', 'token'],
  high: ['login'],
};

/** Who must approve, in words. */
export function quorumOf(risk: string, policy: ApprovalPolicy & { readonly approvals?: number }): string {
  const needed = policy.quorum?.[risk];
  if (needed === undefined)
    return policy.approvals === undefined ? 'not known' : `${policy.approvals} of any kind of approver`;
  return Object.entries(needed)
    .map(([kind, count]) => `${count} ${kind === 'any' ? 'of any kind of approver' : kind}`)
    .join(' and ');
}

/** Which identities count for a risk. */
const levelsOf = (risk: string, policy: ApprovalPolicy): readonly string[] =>
  policy.levels?.[risk] ?? DEFAULT_LEVELS[risk] ?? ['login'];

/**
 * Why an approval of this person is refused or would not count, as far as the page can tell before it is tried.
 * The database decides.
 */
export function objectionsOf(
  request: Request,
  session: Session,
  policy: ApprovalPolicy | undefined,
): string[] {
  const found: string[] = [];
  if (!session.permissions.includes('decide'))
    found.push('Your token has no permission to decide. Sign in with one that has `decide`.');
  if (session.person === null) found.push('You are signed in for a pipeline. Only a person decides.');
  if (request.proposer === session.person && policy?.self_approval !== true)
    found.push('You opened this request. Another person must approve it.');
  if (request.decisions.some(({ person, decision }) => person === session.person && decision !== 'withdraw'))
    found.push('You have decided on this request already.');
  if (policy === undefined)
    found.push('The rules of approval could not be read, so it is not known whether your vote would count.');
  else {
    const counted = levelsOf(request.risk, policy);
    if (!counted.includes(session.level))
      found.push(
        `You are known ${LEVELS[session.level] ?? session.level}. For ${request.risk} risk only an identity ${counted
          .map((level) => LEVELS[level] ?? level)
          .join(' or ')} counts. Approve with \`gcos request approve ${request.code}\`.`,
      );
    const kinds = Object.keys(policy.quorum?.[request.risk] ?? { any: 1 });
    if (!kinds.includes('any') && session.approver_type !== null && !kinds.includes(session.approver_type))
      found.push(
        `You are a ${session.approver_type}; the quorum for ${request.risk} risk asks for ${kinds.join(' and ')}.`,
      );
  }
  return found;
}
