// Owns the public operations on the gate: check, look up past checks, and prune old ones. INVARIANT: a check
// never throws for an undecidable question and always answers by its deadline; no answer, no record or any
// error is a block.

import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import {
  defineStage,
  requireId,
  requireLimit,
  requireTime,
  requireWhole,
  type StageContract,
} from '../../kernel/index.js';
import { answersTo, claimArrays, parallelArrays } from './arrays.js';
import {
  type DecidedRow,
  decisionOf,
  type GateAsOf,
  type GateCheck,
  type GateDecision,
  hypothetical,
  summarize,
  undecided,
} from './decision.js';
import { gateErrors } from './errors.js';
import { readBodies } from './fix.js';
import { askGate, askGateAsOf, listChecks, listDecisions, readDecisions } from './gate.sql.js';
import {
  type DecisionFilter,
  type DecisionKey,
  filterValues,
  questionOf,
  type RecordedRow,
  requireFilterNames,
  type SingleDecision,
  singleDecision,
} from './past.js';
import { pruneChecks } from './prune.js';
import { completeQuestions, type FullQuestion, type GateQuestion, MOST_QUESTIONS } from './question.js';
import { wordReasons } from './reason.js';

/** The default deadline of a check. */
export const DEADLINE_MS = 10_000;
/**
 * The default deadline of a check that first waits for the intake: a worker's wide rounds are up to 30 s
 * apart.
 */
export const FRESH_DEADLINE_MS = 60_000;
const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

export interface GateOptions {
  /** The check answers by this deadline, whatever the state of the database. */
  readonly deadlineMs?: number;
  /**
   * First waits until everything that the host has committed by now is taken in and evaluated; does that
   * itself where no worker does. Needs a deadline of some seconds.
   */
  readonly fresh?: boolean;
}

/** A check whose answers are recorded. */
export interface RecordedCheck extends GateCheck {
  readonly id: bigint;
  readonly at: string;
}

export interface PastDecision extends GateDecision {
  readonly item: number;
}
export interface PastCheck {
  readonly id: bigint;
  readonly at: string;
  /** Null: nothing had ever watched the host. */
  readonly watchedAt: string | null;
  readonly login: string;
  /** Null if the login belongs to no registered person. */
  readonly person: string | null;
  readonly decisions: readonly PastDecision[];
  readonly next: string | null;
}
export interface CheckLine {
  readonly id: bigint;
  readonly at: string;
  readonly login: string;
  readonly person: string | null;
  readonly items: number;
  readonly allowed: number;
  readonly toRescan: number;
  readonly blocked: number;
  readonly wouldBlock: number;
  readonly breakGlass: number;
  readonly first: string | null;
}

/** Resolves like `work`, or rejects at the deadline; a later result of `work` is ignored. */
export async function withinDeadline<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(gateErrors.gate_timeout(`there was no answer within ${Math.round(ms)} ms`)),
      Math.max(ms, 0),
    );
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Builds the decisions with sentences and fixes; reads the bodies only if there are reasons. */
async function decisionsOf(
  tx: Transaction,
  questions: readonly FullQuestion[],
  rows: readonly DecidedRow[],
): Promise<readonly GateDecision[]> {
  const worded = rows.map((row, index) => wordReasons(questions[index] as FullQuestion, row.reasons));
  const all = worded.flat();
  const bodies = all.length === 0 ? undefined : await readBodies(tx, all);
  return rows.map((row, index) =>
    decisionOf(questions[index] as FullQuestion, row, worded[index] ?? [], bodies),
  );
}

/** Recorded rows as decisions, with the bodies that can act on them now. */
async function singleDecisions(
  tx: Transaction,
  rows: readonly RecordedRow[],
): Promise<readonly SingleDecision[]> {
  const decisions = await decisionsOf(tx, rows.map(questionOf), rows);
  return rows.map((row, index) => singleDecision(row, decisions[index] as GateDecision));
}

const GATE: StageContract = {
  name: 'gate',
  takes: 'questions: an object or a group, a stage and an action each',
  returns: 'allow, block or allow_and_rescan for each, with reasons, fixes and evidence',
  writes: 'governance_gate_answer; for allow_and_rescan, marks the rows that answered',
  promises: 'the database decides and records in one statement; what it cannot decide is a block',
};

/** Of a check of several objects: what holds for all of them. Null: one was never watched. */
function earliest(times: readonly (string | null)[]): string | null {
  const known = times.filter((time) => time !== null).sort();
  return known.length < times.length ? null : (known[0] ?? null);
}

/**
 * Asks gcos_gate_check() (schema/check.sql), which evaluates (schema/evaluate.sql) and records; then words
 * the answers.
 */
const decide = defineStage(
  GATE,
  async (tx: Transaction, questions: readonly FullQuestion[]): Promise<GateCheck> => {
    const rows = await tx.runPrepared(askGate, { ...parallelArrays(questions), ...claimArrays(questions) });
    const [first] = rows;
    const decisions = await decisionsOf(tx, questions, answersTo(questions, rows));
    const { check_id: id = null, decided_at: at = null } = first ?? {};
    return summarize({ id, at, watchedAt: earliest(rows.map((row) => row.watched_at)) }, decisions);
  },
  ({ answer, decisions }) => ({ answer, items: decisions.length }),
);

export class Gates {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #freshen: (signal: AbortSignal) => Promise<void>;

  /** @internal */
  constructor(db: Database, installation: Installation, freshen: (signal: AbortSignal) => Promise<void>) {
    this.#db = db;
    this.#installation = installation;
    this.#freshen = freshen;
  }

  /** Checks any number of objects and groups at once. Throws only for invalid questions. */
  async check(questions: readonly GateQuestion[], options: GateOptions = {}): Promise<GateCheck> {
    const whole = completeQuestions(questions);
    try {
      return await this.#decideInTime(whole, options);
    } catch (error) {
      return undecided(whole, error);
    }
  }

  /**
   * The same, for a caller that tells errors from blocks: throws where the check would be a block because it
   * could not be decided. INVARIANT: what it returns is recorded, and its record is committed.
   */
  async decide(questions: readonly GateQuestion[], options: GateOptions = {}): Promise<RecordedCheck> {
    const { id, at, ...rest } = await this.#decideInTime(completeQuestions(questions), options);
    if (id === null || at === null) throw gateErrors.gate_unrecorded('the check has no number');
    return { ...rest, id, at };
  }

  async #decideInTime(questions: readonly FullQuestion[], options: GateOptions): Promise<GateCheck> {
    const deadlineMs = options.deadlineMs ?? (options.fresh ? FRESH_DEADLINE_MS : DEADLINE_MS);
    const started = performance.now();
    const work = async () => {
      // A little later than the deadline, so that the answer names the deadline as its reason.
      if (options.fresh) await this.#freshen(AbortSignal.timeout(Math.ceil(Math.max(deadlineMs, 0)) + 100));
      return this.#decide(questions, deadlineMs - (performance.now() - started));
    };
    return withinDeadline(deadlineMs, work());
  }

  /**
   * What the gate would answer if verdicts, exceptions and passes had to be valid at `at`, by what is stored
   * now. It is no decision: nothing is recorded.
   */
  async asOf(questions: readonly GateQuestion[], time: string): Promise<GateAsOf> {
    const whole = completeQuestions(questions);
    const at = requireTime('at', time);
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const rows = await tx.run(askGateAsOf, { ...parallelArrays(whole), at });
      const decisions = await decisionsOf(tx, whole, answersTo(whole, rows));
      return hypothetical({ asOf: rows[0]?.as_of ?? at, watchedAt: rows[0]?.watched_at ?? null }, decisions);
    });
  }

  async #decide(questions: readonly FullQuestion[], deadlineMs: number): Promise<GateCheck> {
    await this.#installation.requireInstalled();
    // The server cancels the statement, too: the caller no longer waits for it.
    const statementTimeoutMs = Math.max(Math.ceil(deadlineMs), 1);
    const work = { isolation: 'read committed', statementTimeoutMs, retries: 2 } as const;
    return this.#db.transaction(work, (tx) => decide(tx, questions));
  }

  /** A past check, with the bodies that can act on it now. */
  async why(
    id: bigint,
    options: { readonly limit?: number; readonly after?: number } = {},
  ): Promise<PastCheck> {
    const limit = requireLimit(options.limit ?? 50);
    const after = requireWhole('after', options.after ?? 0, 0, MOST_QUESTIONS);
    requireId('check', id);
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const rows = await tx.run(readDecisions, { checkId: id, after, limit: BigInt(limit) + 1n });
      const [first] = rows;
      if (first === undefined)
        throw gateErrors.gate_decision_unknown(`the gate has made no decision \`${id}\``);
      const shown = rows.slice(0, limit);
      const questions = shown.map(questionOf);
      const decisions = await decisionsOf(tx, questions, shown);
      return {
        id: first.check_id,
        at: first.decided_at,
        watchedAt: first.watched_at,
        login: first.login,
        person: first.person_ref,
        decisions: decisions.map((each, index) => ({ item: shown[index]?.item_no ?? 0, ...each })),
        next: rows.length > limit ? String(shown.at(-1)?.item_no ?? 0) : null,
      };
    });
  }

  /** The latest checks, in descending order. */
  async list(
    options: { readonly limit?: number; readonly after?: bigint } = {},
  ): Promise<{ readonly checks: readonly CheckLine[]; readonly next: string | null }> {
    const limit = requireLimit(options.limit ?? 50);
    const after = options.after === undefined ? null : requireId('after', options.after);
    await this.#installation.requireInstalled();
    const rows = await this.#db.transaction(READ_ONLY, (tx) =>
      tx.run(listChecks, { before: after, limit: BigInt(limit) + 1n }),
    );
    const checks = rows.slice(0, limit).map((row) => ({
      id: row.check_id,
      at: row.decided_at,
      login: row.login,
      person: row.person_ref,
      items: Number(row.items),
      allowed: Number(row.allowed),
      toRescan: Number(row.to_rescan),
      blocked: Number(row.blocked),
      wouldBlock: Number(row.would_block),
      breakGlass: Number(row.passed),
      first: row.first_subject,
    }));
    return { checks, next: rows.length > limit ? String(checks.at(-1)?.id ?? '') : null };
  }

  /** The latest decisions, in descending order: one for each subject of a check. */
  async decisions(
    filter: DecisionFilter & { readonly limit?: number; readonly after?: DecisionKey } = {},
  ): Promise<{ readonly decisions: readonly SingleDecision[]; readonly next: DecisionKey | null }> {
    const limit = requireLimit(filter.limit ?? 50);
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const rows = await tx.run(listDecisions, { ...filterValues(filter), limit: BigInt(limit) + 1n });
      if (rows.length === 0) await requireFilterNames(tx, filter);
      const decisions = await singleDecisions(tx, rows.slice(0, limit));
      const last = decisions.at(-1);
      const next = rows.length > limit && last !== undefined ? { check: last.check, item: last.item } : null;
      return { decisions, next };
    });
  }

  /** One decision. */
  async decision({ check, item }: DecisionKey): Promise<SingleDecision> {
    requireId('check', check);
    requireWhole('item', item, 1, MOST_QUESTIONS);
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const rows = await tx.run(readDecisions, { checkId: check, after: item - 1, limit: 1n });
      const [found] = await singleDecisions(
        tx,
        rows.filter((row) => row.item_no === item),
      );
      if (found === undefined)
        throw gateErrors.gate_decision_unknown(`the gate has made no decision \`${check}.${item}\``);
      return found;
    });
  }

  /**
   * Deletes the decisions made before `before`, which must be older than the minimum age of the setting
   * `prune.minimum_age`; requires the privileges of the pruner role. What was deleted is recorded.
   */
  async prune(options: { readonly before: string; readonly dryRun?: boolean }): Promise<{
    readonly before: string;
    readonly at: string;
    readonly decisions: bigint;
    readonly checks: bigint;
  }> {
    const before = requireTime('before', options.before);
    await this.#installation.requireInstalled();
    const work = async (tx: Transaction) => ({
      before,
      at: await readServerTime(tx),
      ...(await pruneChecks(tx, before)),
    });
    const how = { isolation: 'read committed' } as const;
    return options.dryRun ? this.#db.rehearse(how, work) : this.#db.transaction(how, work);
  }
}
