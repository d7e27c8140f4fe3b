// The product's tail, and variants of it with one defect each. The variants are made from the product's own
// parts: where possible, a variant runs the real rounds and changes one thing.

import { setTimeout as timer } from 'node:timers/promises';
import { statement } from '../src/db/index.js';
import type { Transaction, TransactionOptions } from '../src/db/transaction.js';
import { readClassMap } from '../src/inventory/group/index.js';
import { readFacts } from '../src/inventory/tail/horizon.js';
import { readFactsRow } from '../src/inventory/tail/horizon.sql.js';
import { ROUND_TRANSACTION, type TailRound } from '../src/inventory/tail/index.js';
import { nearRows } from '../src/inventory/tail/near.sql.js';
import { nearRound, wideRound } from '../src/inventory/tail/round.js';
import { applySums, isMarked, recompute } from '../src/inventory/tail/running.js';
import { birthOf, placeRows, sumRows } from '../src/inventory/tail/source.js';
import { wideRows, wideRowsIn } from '../src/inventory/tail/source.sql.js';
import { advanceCursor } from '../src/record/cursor/cursor.sql.js';
import { advance, readCursor } from '../src/record/cursor/index.js';
import { fragment } from '../test/support/sql.js';
import { addedIds, type Tail } from '../test/support/tail.js';

const BIRTHS = 'inventory/tail/births.sql';

/**
 * Records the rows that a round saw, in the round's own transaction, so that report and effects always agree.
 */
const reportRows = statement<
  { readonly ids: readonly bigint[]; readonly changes: readonly string[]; readonly xids: readonly bigint[] },
  Record<never, never>
>({
  name: 'bench.report',
  sql: `insert into bench_report (id, xid, change)
    select s.id, coalesce(s.xid, b.xmin::text::bigint), s.change
    from unnest($1::bigint[], $2::text[], $3::bigint[]) as s(id, change, xid) left join birth_registry b on b.id = s.id`,
  params: ['ids', 'changes', 'xids'],
});

/** The row versions that the statements of a round returned, by row id, in the order of the statements. */
type Versions = Map<bigint, bigint[]>;

async function report(
  tx: Transaction,
  round: Pick<TailRound, 'rows' | 'runs'>,
  versions?: Versions,
): Promise<void> {
  const added = addedIds(round).map((id) => ({ id, change: 'added' }));
  const rows = [...added, ...round.rows.filter((row) => row.change === 'updated')];
  if (rows.length === 0) return;
  await tx.run(reportRows, {
    ids: rows.map((row) => row.id),
    changes: rows.map((row) => row.change),
    // A near round sums up births without their versions. This statement reads them in the same snapshot.
    xids: rows.map((row) => versions?.get(row.id)?.shift() ?? null) as bigint[],
  });
}

export interface Variant {
  readonly name: string;
  /** True for the product's tail, which must pass; false for a variant with a defect. */
  readonly sound: boolean;
  /** Runs one round and returns its kind. */
  step(tail: Tail, random: () => number): Promise<'near' | 'wide'>;
  /** Takes in everything that is left after the writers have stopped. */
  finish(tail: Tail): Promise<void>;
}

const LIMITS = { rebaseRows: 10_000_000, roundRows: 10_000 };
type Wrap = (tx: Transaction) => Transaction;
const unchanged: Wrap = (tx) => tx;

interface Changes {
  readonly transaction?: TransactionOptions;
  readonly near?: Wrap;
  readonly wide?: Wrap;
  readonly recompute?: 'now' | 'later';
  readonly limitMs?: number;
}

const near = (tail: Tail, changes: Changes) =>
  tail.lease.work(changes.transaction ?? ROUND_TRANSACTION, async (tx) => {
    const versions: Versions = new Map();
    const own = (changes.near ?? unchanged)(recording(tx, versions));
    await report(tx, await nearRound(own, tail.lease, { ...tail.options, limits: LIMITS }), versions);
  });

const wide = (tail: Tail, changes: Changes) =>
  tail.lease.work(changes.transaction ?? ROUND_TRANSACTION, async (tx) => {
    const versions: Versions = new Map();
    const own = (changes.wide ?? unchanged)(recording(tx, versions));
    const options = {
      ...tail.options,
      limits: LIMITS,
      ...(changes.recompute ? { recompute: changes.recompute } : {}),
    };
    const round = await wideRound(own, tail.lease, options);
    await report(tx, round, versions);
    return round.more;
  });

function rounds(name: string, changes: Changes, after?: (tail: Tail) => Promise<void>): Variant {
  return {
    name,
    sound: false,
    async step(tail, random) {
      if (random() < 0.5) {
        await near(tail, changes);
        return 'near';
      }
      await wide(tail, changes);
      await after?.(tail);
      return 'wide';
    },
    async finish(tail) {
      await near(tail, changes);
      while (await wide(tail, changes));
      await after?.(tail);
      await near(tail, changes);
    },
  };
}

/** The product's tail, repeatedly compared with the independent recount while the writers write. */
export const sound: Variant & { compared: number; differed: number } = {
  ...rounds('the tail', {}),
  sound: true,
  compared: 0,
  differed: 0,
  async step(tail, random) {
    if (random() < 0.9) return rounds('', {}).step(tail, random);
    const { groups } = await tail.compare({ limits: LIMITS, afterRound: (tx, round) => report(tx, round) });
    this.compared += 1;
    this.differed += groups.filter((group) => group.outcome === 'differs').length;
    return 'wide';
  },
};

/** The real transaction, but the parameters or rows of some statements pass through `change`. */
function tampered(
  tx: Transaction,
  change: {
    params?: (name: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>;
    rows?: (name: string, rows: Record<string, unknown>[]) => Record<string, unknown>[];
  },
): Transaction {
  return new Proxy(tx, {
    get(target, property) {
      const value = Reflect.get(target, property, target) as unknown;
      if (property === 'run') {
        const run: Transaction['run'] = async (what, params) => {
          const given = await (change.params?.(what.name, params as Record<string, unknown>) ?? params);
          const rows = await target.run(what, given as typeof params);
          return (change.rows?.(what.name, rows as Record<string, unknown>[]) ?? rows) as typeof rows;
        };
        return run;
      }
      if (property === 'one') {
        const one: Transaction['one'] = async (what, params) => {
          const given = await (change.params?.(what.name, params as Record<string, unknown>) ?? params);
          const row = await target.one(what, given as typeof params);
          return (change.rows?.(what.name, [row as Record<string, unknown>])[0] ?? row) as typeof row;
        };
        return one;
      }
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const READING: readonly string[] = [nearRows.name, wideRows.name, wideRowsIn.name];

/** Records which row versions the statements of the round return. */
function recording(tx: Transaction, versions: Versions): Transaction {
  return tampered(tx, {
    rows: (name, rows) => {
      if (READING.includes(name))
        for (const row of rows as { id: bigint; xid: bigint }[])
          versions.set(row.id, [...(versions.get(row.id) ?? []), row.xid]);
      return rows;
    },
  });
}

const ROUND_TRIP_MS = 5;

/**
 * Defect: every statement has its own snapshot. The check that refuses this gets a false isolation level. The
 * server is some milliseconds away, so that transactions commit between the statements.
 */
const readCommitted = rounds('rounds in read committed', {
  transaction: { ...ROUND_TRANSACTION, isolation: 'read committed' },
  ...Object.fromEntries(
    ['near', 'wide'].map((which) => [
      which,
      (tx: Transaction) =>
        tampered(tx, {
          params: async (_name, params) => {
            await timer(ROUND_TRIP_MS);
            return params;
          },
          rows: (name, rows) =>
            name === readFactsRow.name ? rows.map((row) => ({ ...row, isolation: 'repeatable read' })) : rows,
        }),
    ]),
  ),
});

const horizonNow = statement<Record<never, never>, { readonly horizon: string }>({
  name: 'bench.horizon',
  sql: 'select pg_snapshot_xmin(pg_current_snapshot()) as horizon',
});

/** Defect: the horizon that the cursor stores is read after the rows. */
function horizonAfter(): Variant {
  const variant = (tail: Tail) =>
    rounds('the horizon read after the data', {
      wide: (tx) =>
        tampered(tx, {
          params: async (name, params) => {
            if (name !== advanceCursor.name || params['round'] !== 'wide') return params;
            const { horizon } = await tail.db.transaction(
              { isolation: 'read committed', readOnly: true },
              (other) => other.one(horizonNow, {}),
            );
            return { ...params, horizon };
          },
        }),
    });
  return {
    name: 'the horizon read after the data',
    sound: false,
    step: (tail, random) => variant(tail).step(tail, random),
    finish: (tail) => variant(tail).finish(tail),
  };
}

/** Defect: marked groups are recomputed in a separate transaction instead of in a wide round. */
const recomputeOutside = rounds('recomputation outside a wide round', { recompute: 'later' }, (tail) =>
  tail.lease.work(ROUND_TRANSACTION, async (tx) => {
    if (!(await isMarked(tx))) return;
    const facts = await readFacts(tx);
    await recompute(tx, await readClassMap(tx, tail.options.schema), { limitMs: 5_000, at: facts.at });
  }),
);

const keysetRows = statement<
  { readonly at: string; readonly id: bigint; readonly overlap: number; readonly nextXid: bigint },
  {
    readonly id: bigint;
    readonly collection_name: string;
    readonly code: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly born_at: string;
    readonly xid: bigint;
    readonly h1: string;
    readonly h2: string;
    readonly gap_first: bigint | null;
    readonly gap_last: bigint | null;
  }
>({
  name: 'bench.keyset',
  sql: `with n as (
      select ${fragment(BIRTHS, 'row')}
      from birth_registry b
      ${fragment(BIRTHS, 'row_hash')}
      where (b.born_at, b.id) > ($1::timestamptz - make_interval(secs => $3::float8), case when $3::float8 > 0 then -1 else $2::bigint end)
        and not exists (select from bench_report s where s.id = b.id)
    )
    select n.id, n.collection_name, n.code, n.species_code, n.status, n.born_at, $4::bigint - n.row_age as xid, n.h1 * f.h1 as h1,
      n.h2 * f.h2 as h2, null::bigint as gap_first, null::bigint as gap_last
    from n
    ${fragment(BIRTHS, 'name_factor')}
    order by n.born_at, n.id
    limit 10000`,
  params: ['at', 'id', 'overlap', 'nextXid'],
  nullable: ['species_code', 'status', 'gap_first', 'gap_last'],
});

/**
 * Defect: reads rows newer than the last one, by time and id. With an overlap in seconds, it reads further
 * back and skips rows that it has already reported.
 */
function keyset(name: string, overlap: number): Variant {
  const round = (tail: Tail) =>
    tail.lease.work(ROUND_TRANSACTION, async (tx) => {
      const facts = await readFacts(tx);
      const { watermark, metadata } = await readCursor(tx, tail.lease, 'near');
      // The first round only stores its starting point.
      if (metadata['at'] === undefined)
        return advance(tx, tail.lease, 'near', { metadata: { at: facts.at, id: watermark ?? '0' } });
      const from = { at: String(metadata['at']), id: BigInt(String(metadata['id'])) };
      const rows = (await tx.run(keysetRows, { ...from, overlap, nextXid: facts.nextXid })).map(birthOf);
      const map = await readClassMap(tx, tail.options.schema);
      const groups = await placeRows(tx, map, rows);
      await applySums(tx, await sumRows(tx, map, rows, groups), facts.at);
      await tx.run(reportRows, {
        ids: rows.map((row) => row.id),
        changes: rows.map(() => 'added'),
        xids: rows.map((row) => row.xid),
      });
      // Births dated in the future do not move the watermark beyond the present; even a naive tail does this.
      const last = rows.filter((row) => row.bornAt > from.at && row.bornAt <= facts.at).at(-1);
      await advance(
        tx,
        tail.lease,
        'near',
        last === undefined ? {} : { metadata: { at: last.bornAt, id: String(last.id) } },
      );
    });
  return {
    name,
    sound: false,
    async step(tail) {
      await round(tail);
      return 'wide';
    },
    async finish(tail) {
      await round(tail);
      await round(tail);
    },
  };
}

export const variants: readonly (() => Variant)[] = [
  () => sound,
  () => keyset('keyset on (born_at, id)', 0),
  () => keyset('keyset with an overlap of 2 s', 2),
  horizonAfter,
  () => readCommitted,
  () => recomputeOutside,
];
