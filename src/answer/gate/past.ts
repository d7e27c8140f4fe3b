// Owns decisions as single records: their keys, the filters of their list, and their form.
import type { Transaction } from '../../db/index.js';
import { requireId, requireKnown, requireWhole, unknownName } from '../../kernel/index.js';
import type { DecidedRow, GateAnswer, GateDecision } from './decision.js';
import { gateErrors } from './errors.js';
import { readFilterNames } from './gate.sql.js';
import { type Action, type FullQuestion, type GateClaim, MOST_QUESTIONS, type Stage } from './question.js';

/** A decision: the check that made it, and its place in it, from 1 on. */
export interface DecisionKey {
  readonly check: bigint;
  readonly item: number;
}

export interface SingleDecision extends GateDecision, DecisionKey {
  readonly at: string;
  readonly watchedAt: string | null;
  readonly login: string;
  /** Null if the login belongs to no registered person. */
  readonly person: string | null;
  /** Whom the caller said it asks for: a claim that nothing checked. */
  readonly claimedBy: GateClaim | null;
}

export interface DecisionFilter {
  readonly answer?: GateAnswer;
  readonly stage?: Stage;
  readonly action?: Action;
  readonly collection?: string;
  readonly code?: string;
  /** The key by which a group was asked for. */
  readonly group?: string;
  /** Only decisions of one check. */
  readonly check?: bigint;
  /** True: only those that a break-glass pass turned into an allow; false: only the others. */
  readonly passed?: boolean;
}

export interface RecordedRow extends DecidedRow {
  readonly check_id: bigint;
  readonly item_no: number;
  readonly decided_at: string;
  readonly watched_at: string | null;
  readonly login: string;
  readonly person_ref: string | null;
  readonly stage: string;
  readonly action: string;
  readonly collection_name: string | null;
  readonly entity_code: string | null;
  readonly requested_group: string | null;
  readonly claimed_type: string | null;
  readonly claimed_id: string | null;
}

export const questionOf = (row: RecordedRow): FullQuestion =>
  ({
    ...(row.requested_group === null
      ? { collection: row.collection_name ?? '', code: row.entity_code ?? '' }
      : { group: row.requested_group }),
    stage: row.stage,
    action: row.action,
  }) as FullQuestion;

export const singleDecision = (row: RecordedRow, decision: GateDecision): SingleDecision => ({
  check: row.check_id,
  item: row.item_no,
  at: row.decided_at,
  watchedAt: row.watched_at,
  login: row.login,
  person: row.person_ref,
  claimedBy:
    row.claimed_type === null || row.claimed_id === null
      ? null
      : { type: row.claimed_type, id: row.claimed_id },
  ...decision,
});

/**
 * Fails if a filter that no decision agrees with names what is not there. A code that is no object stays an
 * answer: the gate may have been asked about it.
 */
export async function requireFilterNames(tx: Transaction, filter: DecisionFilter): Promise<void> {
  const { collection, group, check } = filter;
  const found = await tx.one(readFilterNames, { group: group ?? null, checkId: check ?? null });
  if (collection !== undefined) requireKnown(collection, { what: 'collection', known: found.collections });
  if (!found.group_known) throw unknownName(group ?? '', { what: 'group', known: [] });
  if (!found.check_known) throw gateErrors.gate_decision_unknown(`the gate has made no check \`${check}\``);
}

/** The parameters of the list. */
export function filterValues(filter: DecisionFilter & { readonly after?: DecisionKey }) {
  const { after, check } = filter;
  return {
    answer: filter.answer ?? null,
    stage: filter.stage ?? null,
    action: filter.action ?? null,
    collection: filter.collection ?? null,
    code: filter.code ?? null,
    group: filter.group ?? null,
    passed: filter.passed ?? null,
    checkId: check === undefined ? null : requireId('check', check),
    beforeCheck: after === undefined ? null : requireId('after', after.check),
    beforeItem: after === undefined ? null : requireWhole('after', after.item, 1, MOST_QUESTIONS),
  };
}
