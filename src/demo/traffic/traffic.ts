// Owns the traffic on a demo estate: births, changes, moves, retirements, deletions, new owners and new rules
// at a chosen rate. It changes only an estate with its marker, and only births that the traffic itself
// inserted.
import { setTimeout as timer } from 'node:timers/promises';
import type { Database, Transaction } from '../../db/index.js';
import { demoErrors } from '../errors.js';
import { isEstate } from '../marker.js';
import { COLLECTIONS, codePrefix, KINDS, type TrafficAction, type TrafficKind, TrafficPlan } from './plan.js';
import {
  changeBirths,
  changeOwners,
  changeRules,
  deleteBirths,
  insertBirths,
  moveBirths,
  noteChanges,
  readPrototypes,
  retireBirths,
} from './traffic.sql.js';

type TrafficCounts = Readonly<Record<TrafficKind, number>>;

export interface TrafficOptions {
  /** Actions per second. */
  readonly rate: number;
  readonly seed: number;
  /** The duration or the number of actions; without either, traffic runs until `signal` is aborted. */
  readonly forMs?: number;
  readonly count?: number;
  /** Aborting it ends the traffic after the current batch. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (counts: TrafficCounts) => void;
}

export interface TrafficReport {
  readonly seed: number;
  /** The number of rows written, by kind of action. */
  readonly counts: TrafficCounts;
  readonly actions: number;
  readonly elapsed_ms: number;
}

const TICK_MS = 100;
const BATCH = 1_000;
type Prototype = {
  species_code: string | null;
  composition_level: string | null;
  dot_origin: string | null;
  governance_role: string | null;
};

/** The subject of an action: an object, an owner or a rule. */
function subjectOf(action: TrafficAction): string {
  if (action.kind === 'owner') return `owner ${action.collection} ${action.scope}`;
  return action.kind === 'rule' ? `rule ${action.pattern}` : action.code;
}

/** Keeps the order of actions on one subject: a second action on a subject starts a new batch. */
function batchesOf(actions: readonly TrafficAction[]): TrafficAction[][] {
  const batches: TrafficAction[][] = [];
  let touched = new Set<string>();
  for (const action of actions) {
    const subject = subjectOf(action);
    if (batches.length === 0 || touched.has(subject)) {
      batches.push([]);
      touched = new Set();
    }
    touched.add(subject);
    batches.at(-1)?.push(action);
  }
  return batches;
}

/** Runs one batch in the caller's transaction; returns the number of rows written, by kind. */
async function act(
  tx: Transaction,
  batch: readonly TrafficAction[],
  prototypes: ReadonlyMap<string, Prototype>,
): Promise<TrafficCounts> {
  const of = <K extends TrafficKind>(kind: K) =>
    batch.filter((each): each is Extract<TrafficAction, { kind: K }> => each.kind === kind);
  const keys = (rows: readonly { collection: string; code: string }[]) => ({
    collections: rows.map((row) => row.collection),
    codes: rows.map((row) => row.code),
  });
  const run = async (rows: readonly unknown[], work: () => Promise<{ rows: bigint }>) =>
    rows.length === 0 ? 0 : Number((await work()).rows);
  const [born, changed, moved, retired, deleted] = [
    of('born'),
    of('changed'),
    of('moved'),
    of('retired'),
    of('deleted'),
  ];
  const [owner, rule] = [of('owner'), of('rule')];
  const like = born.map((each) => prototypes.get(each.collection));
  const noted = [...changed, ...moved, ...retired, ...deleted];
  const counts = {
    born: await run(born, () =>
      tx.one(insertBirths, {
        ...keys(born),
        species: like.map((each) => each?.species_code ?? ''),
        levels: like.map((each) => each?.composition_level ?? ''),
        origins: like.map((each) => each?.dot_origin ?? ''),
        seconds: born.map((each) => each.seconds),
        roles: like.map((each) => each?.governance_role ?? ''),
      }),
    ),
    changed: await run(changed, () => tx.one(changeBirths, keys(changed))),
    moved: await run(moved, () =>
      tx.one(moveBirths, { ...keys(moved), targets: moved.map((each) => each.target) }),
    ),
    retired: await run(retired, () => tx.one(retireBirths, keys(retired))),
    deleted: await run(deleted, () => tx.one(deleteBirths, keys(deleted))),
    owner: await run(owner, () =>
      tx.one(changeOwners, {
        collections: owner.map((each) => each.collection),
        scopes: owner.map((each) => each.scope),
        owners: owner.map((each) => each.owner),
      }),
    ),
    rule: await run(rule, () =>
      tx.one(changeRules, {
        patterns: rule.map((each) => each.pattern),
        hours: rule.map((each) => each.hours),
      }),
    ),
  };
  await run(noted, () => tx.one(noteChanges, { ...keys(noted), actions: noted.map((each) => each.kind) }));
  return counts;
}

/** Runs traffic until `signal` is aborted, or for the requested duration or number of actions. */
export async function runTraffic(db: Database, options: TrafficOptions): Promise<TrafficReport> {
  const { rate, seed, signal, forMs = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = options;
  if (!(await isEstate(db)))
    throw demoErrors.demo_estate_missing(
      `\`${db.schema}\` holds no demo estate, and traffic runs only on one`,
    );
  const found = await db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) =>
    tx.run(readPrototypes, { collections: COLLECTIONS, prefix: codePrefix(seed) }),
  );
  const prototypes = new Map(found.map((row) => [row.collection_name, row]));
  const plan = new TrafficPlan(seed, Number(found[0]?.earlier ?? 0n));
  const counts: Record<TrafficKind, number> = {
    born: 0,
    changed: 0,
    moved: 0,
    retired: 0,
    deleted: 0,
    owner: 0,
    rule: 0,
  };
  const started = performance.now();
  let actions = 0;
  while (!signal?.aborted && actions < count) {
    const elapsed = performance.now() - started;
    const due = Math.min(count, Math.ceil((Math.min(elapsed, forMs) / 1_000) * rate));
    const todo = Array.from({ length: Math.min(BATCH, due - actions) }, () => plan.next());
    for (const batch of batchesOf(todo)) {
      const done = await db.transaction({ isolation: 'read committed', retries: 5 }, (tx) =>
        act(tx, batch, prototypes),
      );
      for (const kind of KINDS) counts[kind] += done[kind];
    }
    actions += todo.length;
    if (todo.length > 0) options.onProgress?.({ ...counts });
    if (elapsed >= forMs && actions >= due) break;
    if (todo.length < BATCH)
      await timer(TICK_MS, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
        if (!signal?.aborted) throw error;
      });
  }
  return { seed, counts, actions, elapsed_ms: Math.round(performance.now() - started) };
}
