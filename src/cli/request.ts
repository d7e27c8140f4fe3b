// `gcos request`: approval requests for the actions of GCOS, and the decisions on them.
import { Command } from 'commander';
import type { ApprovalRequest, Decision, ProposedActivation, RequestDetail } from '../index.js';
import { showPerson } from '../record/approval/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, tableLines } from './output.js';
import { DEFAULT_LIMIT, parseLimit } from './page.js';
import { words } from './parse.js';
import { proposedLines } from './request-effect.js';

interface ListFlags extends CommonFlags {
  readonly hostStatus?: string;
  readonly limit: number;
  readonly after?: string;
}

interface ActFlags extends CommonFlags {
  readonly as?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

type Verb = 'approve' | 'reject' | 'withdraw';

/** The status, and the status in the host if it differs. */
function statusText(request: ApprovalRequest): string {
  return request.status === request.hostStatus
    ? request.status
    : `${request.status} (status in the host: ${request.hostStatus})`;
}

function nextStep(request: ApprovalRequest): string {
  if (request.missing.length > 0) return `still missing: ${request.missing.join(' and ')}`;
  if (request.status === 'altered') return "the host's row was altered after the request was opened";
  if (request.status === 'foreign') return 'not opened through GCOS: it does not count';
  return '';
}

function decisionCells(decision: Decision): string[] {
  const identity =
    decision.verified === null
      ? 'not made through GCOS'
      : decision.level === 'token'
        ? `by token ${decision.login?.replace('token:', '')}`
        : decision.verified
          ? `verified, login ${decision.login}`
          : `unverified identity, login ${decision.login}`;
  return [
    `  ${decision.person}`,
    decision.approverType,
    decision.decision,
    identity,
    decision.counts
      ? decision.byProposer && decision.decision === 'approve'
        ? 'counts: self-approved'
        : 'counts'
      : `does not count: ${decision.remark}`,
    decision.decidedAt ?? '',
    decision.reason === null ? '' : `"${decision.reason}"`,
  ];
}

export function requestLines(request: RequestDetail, activation?: ProposedActivation): string[] {
  const next = nextStep(request);
  const proposed =
    activation === undefined
      ? JSON.stringify(request.proposedAction)
      : `${activation.to} in place of ${activation.from ?? 'no ruleset'}`;
  return [
    ...alignColumns([
      ['request', `${request.code}, ${statusText(request)}`],
      ['action', `${request.action}, ${request.risk} risk`],
      ['proposer', `${showPerson(request.proposer, request.proposerLevel)}, ${request.createdAt}`],
      ['proposed', proposed],
    ]),
    ...(activation === undefined ? [] : proposedLines(activation)),
    request.decisions.length === 0 ? 'no decisions yet' : 'decisions',
    ...alignColumns(request.decisions.map(decisionCells)),
    ...(next === '' ? [] : [next]),
  ];
}

function list(): Command {
  return makeCommand('list', 'list the requests for actions of GCOS, newest first')
    .option('--host-status <status>', 'only those with this status in the host, for example pending')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <code>', 'continue after this request')
    .action((flags: ListFlags) =>
      runCommand(flags, async (context) => {
        const { hostStatus, limit, after } = flags;
        const page = {
          limit,
          ...(hostStatus === undefined ? {} : { hostStatus }),
          ...(after === undefined ? {} : { after }),
        };
        const requests = await withGcos(context, (gcos) => gcos.requests.list(page));
        context.out.result({ requests }, () =>
          requests.length === 0
            ? ['no requests']
            : tableLines(
                ['code', 'action', 'risk', 'status', 'proposer', ''],
                requests.map((each) => [
                  each.code,
                  each.action,
                  each.risk,
                  statusText(each),
                  showPerson(each.proposer, each.proposerLevel),
                  nextStep(each),
                ]),
              ),
        );
        return undefined;
      }),
    );
}

function show(): Command {
  return makeCommand(
    'show',
    'show one request: what it would change, all decisions with their approvers, and what is still missing',
  )
    .argument('<code>', 'for example APR-0061')
    .action((code: string, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const { request, activation } = await withGcos(context, async (gcos) => ({
          request: await gcos.requests.show(code),
          activation: await gcos.plans.proposed(code),
        }));
        context.out.result({ ...request, activation: activation ?? null }, () =>
          requestLines(request, activation),
        );
        return undefined;
      }),
    );
}

function act(verb: Verb, summary: string): Command {
  return makeCommand(verb, summary)
    .argument('<code>', 'for example APR-0061')
    .option('--as <name>', 'act for this person; requires a login with that right, recorded as unverified')
    .option('--reason <text>', verb === 'reject' ? 'why; required for a rejection' : 'why', words('--reason'))
    .option('--dry-run', 'show the resulting request without changing it')
    .action((code: string, flags: ActFlags) =>
      runCommand(flags, async (context) => {
        const { as, reason, dryRun } = flags;
        const options = {
          dryRun: dryRun === true,
          ...(as === undefined ? {} : { as }),
          ...(reason === undefined ? {} : { reason }),
        };
        const request = await withGcos(context, (gcos) => gcos.requests[verb](code, options));
        if (dryRun) context.out.note('dry run: nothing was changed');
        context.out.result(dryRun ? { dryRun, ...request } : request, () => requestLines(request));
        return undefined;
      }),
    );
}

export function requestCommand(): Command {
  const group = new Command('request').description('requests for actions of GCOS, and decisions on them');
  const commands = [
    list(),
    show(),
    act('approve', 'approve a pending request as the person of your database login'),
    act('reject', 'reject a pending request; one rejection is enough'),
    act('withdraw', 'withdraw a pending request that you proposed'),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
