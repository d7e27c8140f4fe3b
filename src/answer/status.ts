// Owns the status screen: the answers to the three main questions. An unknown answer is reported as unknown.
import {
  type Database,
  type Migration,
  readSchemaState,
  readServerTime,
  type Transaction,
} from '../db/index.js';
import { type PauseState, readPause } from '../record/cursor/index.js';
import { readExceptions } from '../rule/exception/index.js';
import { checkDrift, readActive } from '../rule/ruleset/index.js';
import {
  type ClosedLedger,
  readChanges,
  readClosed,
  type ScopeChanges,
  type ScopeLedger,
} from '../verdict/ledger/index.js';
import { readWatched, type Watched } from '../work/watched.js';
import { type ObservedStage, readObservedStages } from './gate/index.js';
import { readScale, readSnapshot } from './status.sql.js';

export interface Answer {
  readonly question: string;
  readonly answer: 'yes' | 'no' | 'unknown';
  readonly why: string;
}

export interface Status {
  readonly schema: 'absent' | 'older' | 'current' | 'newer' | 'altered';
  readonly migration: number | null;
  /** Estimated from the server's statistics; null if there is no inventory or it has never been analysed. */
  readonly births: bigint | null;
  readonly inventory: 'present' | 'absent';
  /** Whether all workers are paused, by which user and why; null if GCOS is not installed. */
  readonly workers: PauseState | null;
  /** The latest snapshot of the inventory; null if there is none. */
  readonly snapshot: { readonly id: bigint; readonly at: string } | null;
  /**
   * The active ruleset, and whether the rules in the tables still match it; null if GCOS is not installed.
   */
  readonly ruleset: {
    readonly active: string | null;
    /** True: the approval of its proposer was counted; null: no ruleset is active. */
    readonly selfApproved: boolean | null;
    readonly current: string;
    readonly drifted: boolean;
    readonly changes: number;
  } | null;
  /**
   * Exceptions in force, those of them that no unit needs any more, and those waiting for approval; null if
   * GCOS is not installed.
   */
  readonly exceptions: {
    readonly inForce: number;
    readonly notNeeded: readonly string[];
    readonly waiting: number;
  } | null;
  /** Stages at which the gate of the active ruleset reports blocks without enforcing them. */
  readonly observing: readonly ObservedStage[];
  /** Everything that the host committed before this time is taken in; null: nothing was ever watched. */
  readonly watchedAt: string | null;
  readonly accounted: Answer;
  readonly current: Answer;
  readonly production: Answer;
}

const ACCOUNTED = 'Is every object accounted for?';
const CURRENT = 'Is that answer still true?';
const PRODUCTION = 'May this go to production?';

const count = (n: number): string => n.toLocaleString('en-US');
const counted = (n: number, what: string): string => `${count(n)} ${what}${n === 1 ? '' : 's'}`;
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
const percent = (share: number): string =>
  share === 1 ? '100 %' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;

/** The lowest share of all scopes, and the highest. */
function shareText({ document }: ClosedLedger): string {
  const shares = document.scopes.flatMap((each) => (each.verifiedShare === null ? [] : [each.verifiedShare]));
  if (shares.length === 0) return 'nothing was relevant in any scope';
  const [worst, best] = [Math.min(...shares), Math.max(...shares)];
  return worst === best
    ? `verified: ${percent(worst)}`
    : `verified: ${percent(worst)} to ${percent(best)}, by scope`;
}

/** Whether the scope counts anything but members that a registry lists and that were never born. */
const hasBirths = ({ inventory, tombstones, deferredBy }: ScopeLedger): boolean =>
  inventory > tombstones + (deferredBy['unborn'] ?? 0);

function accountedBy(ledger: ClosedLedger): Pick<Answer, 'answer' | 'why'> {
  const { at, closes, scopes } = ledger.document;
  if (scopes.length === 0)
    return { answer: 'no', why: 'no responsibility scope is active, so there is nothing to add up' };
  if (!closes) {
    const open = scopes.filter((each) => !each.closes);
    return {
      answer: 'no',
      why: `the ledger of ${at} does not close in ${open.map((each) => each.scope).join(', ')}: \`gcos ledger verify\` names the groups`,
    };
  }
  if (!scopes.some(hasBirths))
    return { answer: 'unknown', why: `the ledger of ${at} closes, but it contains no birth` };
  const shares = scopes.flatMap((each) => each.verifiedShare ?? []);
  if (shares.length > 0 && Math.max(...shares) === 0)
    return {
      answer: 'no',
      why: `the ledger of ${at} closes, but nothing is verified: run \`gcos scan run --mode full\``,
    };
  return {
    answer: 'yes',
    why: `the ledger of ${at} closes in ${counted(scopes.length, 'scope')}; ${shareText(ledger)}`,
  };
}

/** Why the host counts as unwatched, so that the gate blocks high risk; undefined: it is watched. */
function notWatched({ watchedAt, unwatched }: Watched, { paused, pause }: PauseState): string | undefined {
  // As at the gate: a pause is unwatched from its first moment on.
  if (paused) {
    const who = pause === null ? '' : ` by ${pause.by} since ${pause.at} (${pause.reason})`;
    return `all workers are paused${who}`;
  }
  if (watchedAt === null) return 'no worker has ever watched the host';
  return unwatched ? `no worker has watched the host since ${watchedAt}` : undefined;
}

function currentBy(
  changes: readonly ScopeChanges[],
  blind: string | undefined,
  { watchedAt }: Watched,
  { paused }: PauseState,
): Pick<Answer, 'answer' | 'why'> {
  const reasons = new Map<string, number>();
  for (const each of changes)
    for (const [reason, rows] of Object.entries(each.noLongerValid))
      reasons.set(reason, (reasons.get(reason) ?? 0) + rows);
  const unjudged = sum(changes.map((each) => each.groupsWithoutRow));
  const then = paused ? 'changes are missed until `gcos resume`' : 'start `gcos worker run`';
  if (reasons.size === 0 && unjudged === 0)
    return blind === undefined
      ? { answer: 'yes', why: `every verdict is valid, as of ${watchedAt}` }
      : { answer: 'unknown', why: `${blind}: ${then}` };
  return {
    answer: 'no',
    why:
      [
        ...[...reasons].map(([reason, rows]) => `${counted(rows, 'verdict')} ${reason.replaceAll('_', ' ')}`),
        ...(unjudged === 0 ? [] : [`${counted(unjudged, 'group')} not evaluated yet`]),
      ].join(', ') + (paused ? `; ${blind}: ${then}` : ''),
  };
}

function productionBy({ document }: ClosedLedger): Pick<Answer, 'answer' | 'why'> {
  const unverified = sum(document.scopes.map((each) => each.unverified));
  const orphans = sum(document.scopes.map((each) => each.orphans));
  if (!document.closes) return { answer: 'no', why: 'not everything is accounted for' };
  if (unverified > 0)
    return {
      answer: 'no',
      why: `unverified units, summed over the scopes: ${count(unverified)}; unknown is not safe`,
    };
  if (orphans > 0) return { answer: 'no', why: `orphans, summed over the scopes: ${count(orphans)}` };
  return {
    answer: 'unknown',
    why: 'no reason against it is known, but no gate check was made for a release',
  };
}

/** Adds that the gate blocks high risk while nothing watches the host, whatever the ledger says. */
function blockedBy(
  blind: string | undefined,
  { answer, why }: Pick<Answer, 'answer' | 'why'>,
): Pick<Answer, 'answer' | 'why'> {
  if (blind === undefined) return { answer, why };
  return {
    answer: 'no',
    why: [`the gate blocks high risk, because ${blind}`, ...(answer === 'no' ? [why] : [])].join('; '),
  };
}

const NO_LEDGER = {
  accounted: { answer: 'unknown', why: 'no backfill has run: there is no ledger' },
  current: { answer: 'unknown', why: 'there is no verdict yet that could have expired' },
  production: { answer: 'no', why: 'nothing is known about any object, and unknown is not safe' },
} as const;

type Answers = Readonly<Record<'accounted' | 'current' | 'production', Pick<Answer, 'answer' | 'why'>>>;

async function answer(tx: Transaction, watch: Watched, workers: PauseState): Promise<Answers> {
  // The last ledger that was counted, closed or not: an older closed one would hide what is known.
  const ledger = await readClosed(tx, { any: true });
  const blind = notWatched(watch, workers);
  if (ledger === undefined)
    return { ...NO_LEDGER, production: blockedBy(workers.paused ? blind : undefined, NO_LEDGER.production) };
  const accounted = accountedBy(ledger);
  const current = currentBy(await readChanges(tx, await readServerTime(tx)), blind, watch, workers);
  return {
    accounted,
    // An answer that is not known to be complete cannot be known to be still true.
    current:
      current.answer === 'yes' && accounted.answer !== 'yes' ? { ...accounted, answer: 'unknown' } : current,
    production: blockedBy(blind, productionBy(ledger)),
  };
}

async function countExceptions(tx: Transaction): Promise<Status['exceptions']> {
  const at = await readServerTime(tx);
  const inForce = await readExceptions(tx, at, { status: 'in_force', withUnits: true });
  return {
    inForce: inForce.length,
    notNeeded: inForce.filter((each) => each.needed === false).map((each) => each.code),
    waiting: (await readExceptions(tx, at, { status: 'waiting' })).length,
  };
}

/** Answers the three questions from the current state of the database. Read-only. */
export async function readStatus(db: Database, migrations: readonly Migration[]): Promise<Status> {
  return db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
    const state = await readSchemaState(tx, db.schema, migrations);
    const [scale] = await tx.run(readScale, { schema: db.schema });
    const installed = state.status === 'current' && scale !== undefined;
    const why =
      scale === undefined
        ? 'there is no birth_registry here: no inventory to account for'
        : state.status === 'absent'
          ? 'GCOS is not installed here: run `gcos init`'
          : `the schema of GCOS is ${state.status} and does not match this program: \`gcos doctor\` shows what to do`;
    const workers = state.status === 'current' ? await readPause(tx) : null;
    const watch = installed ? await readWatched(tx) : undefined;
    const answers: Answers =
      watch !== undefined && workers !== null
        ? await answer(tx, watch, workers)
        : {
            ...NO_LEDGER,
            accounted: { answer: 'unknown', why },
            // A schema of another version may hold verdicts that this program cannot read.
            ...(state.status === 'absent' ? {} : { current: { answer: 'unknown', why } }),
          };
    const [snapshot] = installed ? await tx.run(readSnapshot, {}) : [];
    const drift = installed ? await checkDrift(tx) : undefined;
    return {
      schema: state.status,
      migration: state.core.at(-1)?.id ?? null,
      births: scale === undefined || scale.never_analyzed ? null : scale.estimated_births,
      inventory: scale === undefined ? 'absent' : 'present',
      workers,
      snapshot: snapshot === undefined ? null : { id: snapshot.id, at: snapshot.snapshot_at },
      ruleset:
        drift === undefined
          ? null
          : {
              active: drift.active,
              selfApproved: (await readActive(tx))?.selfApproved ?? null,
              current: drift.current,
              drifted: drift.drifted,
              changes: drift.changes.length,
            },
      exceptions: installed ? await countExceptions(tx) : null,
      observing: installed ? await readObservedStages(tx) : [],
      watchedAt: watch?.watchedAt ?? null,
      accounted: { question: ACCOUNTED, ...answers.accounted },
      current: { question: CURRENT, ...answers.current },
      production: { question: PRODUCTION, ...answers.production },
    };
  });
}
