// Owns the findings about exceptions: those without approval, those that have expired, and those whose
// subject has changed since they were granted. The host's own exception list is only checked for errors; it
// suppresses no finding.
import { fillParts, quoteIdentifier, type Transaction } from '../../../db/index.js';
import type { Observation } from '../../../record/finding/index.js';
import { type Exception, readExceptions } from '../../../rule/exception/index.js';
import type { Rules } from '../../candidate/index.js';
import type { FindingPage } from '../gap.js';
import { readListed } from './checks.sql.js';
import { type CheckContext, riskOf } from './context.js';

const UNRATIFIED = 'unratified_exception';
const EXPIRED = 'exception_expired';
const TYPES = [UNRATIFIED, EXPIRED];

const subjectOf = (code: string): string => `governance_exception/${code}`;

function ownerOf({ subject }: Exception): Pick<Observation, 'owner'> {
  if (subject.kind === 'collection')
    return {
      owner: { objectType: 'collection', objectRef: subject.collection, collection: subject.collection },
    };
  if (subject.kind === 'class')
    return {
      owner: { objectType: 'class', objectRef: subject.objectClass, objectClass: subject.objectClass },
    };
  return {};
}

const sameTerms = (left: Exception, right: Exception): boolean =>
  JSON.stringify([left.subject, left.scope, left.link]) ===
  JSON.stringify([right.subject, right.scope, right.link]);

function risk(rules: Rules, { subject }: Exception): Pick<Observation, 'riskClass'> {
  if (subject.kind === 'class') return riskOf(rules, 'class', subject.objectClass);
  return 'collection' in subject ? riskOf(rules, 'collection', subject.collection) : {};
}

function observe(exception: Exception, rules: Rules): Observation {
  return {
    type: exception.status === 'unratified' ? UNRATIFIED : EXPIRED,
    subject: subjectOf(exception.code),
    scope: exception.scope,
    ...(exception.status === 'changed' ? { rootCause: 'changed' } : {}),
    entityType: 'governance_exception',
    entityCode: exception.code,
    ...ownerOf(exception),
    ...risk(rules, exception),
    evidence: {
      subject: exception.subject,
      link: exception.link,
      expires_at: exception.expiresAt,
      approval_ref: exception.approvalRef,
      status: exception.status,
    },
  };
}

/** Checks GCOS's own exceptions; a full evaluation also checks the host's list. */
export async function checkExceptions(tx: Transaction, context: CheckContext): Promise<FindingPage> {
  const exceptions = await readExceptions(tx, context.at);
  const wrong = exceptions.filter(
    (each) =>
      each.status === 'unratified' ||
      // An exception that another one in force replaces is not reported.
      ((each.status === 'expired' || each.status === 'changed') &&
        !exceptions.some((other) => other.status === 'in_force' && sameTerms(each, other))),
  );
  const everything = context.sources === null;
  return {
    observations: [
      ...wrong.map((each) => observe(each, context.rules)),
      ...(everything ? await checkListed(tx, context) : []),
    ],
    evaluated: {
      types: TYPES,
      subjects: everything ? 'all' : exceptions.map((each) => subjectOf(each.code)),
    },
  };
}

/** The errors in the host's own list. */
async function checkListed(
  tx: Transaction,
  { at, rules, coverage }: CheckContext,
): Promise<readonly Observation[]> {
  const { exceptions } = coverage;
  if (
    exceptions === null ||
    !coverage.has(exceptions.table, exceptions.code, exceptions.approval, exceptions.expires)
  )
    return [];
  const statement = fillParts(readListed, {
    table: quoteIdentifier(exceptions.table),
    code: quoteIdentifier(exceptions.code),
    approval: quoteIdentifier(exceptions.approval),
    expires: quoteIdentifier(exceptions.expires),
    status: coverage.has(exceptions.table, 'status') ? 't.status::text' : 'null::text',
  });
  const rows = await tx.run(statement, { at });
  return rows.flatMap((row): Observation[] => {
    const inUse = row.status === null || !rules.terminal.has(row.status);
    const over = row.is_over === true;
    if (row.code === null || !inUse || (!over && row.approval_ref !== null)) return [];
    return [
      {
        type: over ? EXPIRED : UNRATIFIED,
        subject: `${exceptions.table}/${row.code}`,
        entityType: exceptions.table,
        entityCode: row.code,
        evidence: { listed_in: exceptions.table, approval_ref: row.approval_ref },
      },
    ];
  });
}
