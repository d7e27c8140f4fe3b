// The logs of the host after large loads: they are read in ranges of pages, each under the statement limit,
// and a load of more lines than are worth processing begins the log again.
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { hasCode } from '../../src/kernel/index.js';
import { acquireLease, holderName, type Lease, readCursor } from '../../src/record/cursor/index.js';
import { INTAKE_LEASE, type IntakeRound, intakeRound } from '../../src/work/intake/index.js';
import { readLogs } from '../../src/work/intake/log.js';
import { createIntake, type IntakeEstate } from '../support/intake.js';
import { untilHorizonPasses } from '../support/tail.js';
import { until } from '../support/wait.js';

let h: IntakeEstate;
let lease: Lease;
beforeEach(async () => {
  h = await createIntake();
  const own = await acquireLease(h.worker.db, { ...INTAKE_LEASE, holder: holderName(), ttlMs: 300_000 });
  if (own === undefined) throw new Error('another worker holds the lease of the intake');
  lease = own;
});
afterEach(async () => {
  await lease?.release();
  await h?.close();
});

const round = (limit: { limitMs?: number } = {}): Promise<IntakeRound> =>
  intakeRound({ db: h.worker.db, lease, runId: 'logs', ...limit }, 'wide');
const logChanges = (lines: number) =>
  h.host(
    `insert into registry_changelog (entity_type, entity_code, action, changed_by)
     select 'nothing', 'N-' || n, 'update', 'loader' from generate_series(1, ${lines}) as n`,
  );
const logEvents = (lines: number) =>
  h.host(
    `insert into event_outbox (event_domain, event_type, event_stream, delivery_lane, event_subject_table, event_subject_ref, canonical_address, actor_ref, source_system)
     select 'iu', 'published', 'update', 'immediate', 'nothing', 'N-' || n, 'x', 'loader', 'platform' from generate_series(1, ${lines}) as n`,
  );
const remembered = async () =>
  (
    await h.host(`select count(*)::int as lines from gov_intake_log_seen where source = 'registry_changelog'`)
  )[0]?.['lines'];

it('reads the same lines in ranges of any size', async () => {
  await logChanges(3_000);
  await logEvents(2_000);
  const read = (firstPages: bigint) =>
    h.worker.db.rehearse({ isolation: 'repeatable read' }, async (tx: Transaction) => {
      const { horizon, metadata } = await readCursor(tx, lease, 'wide');
      const { system_identifier: systemIdentifier, timeline } = metadata as Record<string, string>;
      if (horizon === null || systemIdentifier === undefined || timeline === undefined)
        throw new Error('the tail has not been started');
      const beginning = { horizon, systemIdentifier, timeline };
      const readings = await readLogs(tx, lease, { beginning, limitMs: 30_000, firstPages });
      return readings.map(({ log, lines }) => ({
        source: log.source,
        refs: lines.map((line) => line.ref).sort(),
      }));
    });
  const whole = await read(1_000_000n);
  expect(whole.map(({ refs }) => refs.length)).toEqual([3_000, 2_000]);
  for (const pages of [1n, 7n]) expect(await read(pages)).toEqual(whole);
});

it('takes each of many lines in once, some in each round', async () => {
  await logChanges(25_000);
  const lines: number[] = [];
  for (let more = true; more; ) {
    const taken = await round();
    expect(taken.rebased).toEqual([]);
    lines.push(taken.lines);
    more = taken.more;
  }
  expect(lines).toEqual([10_000, 10_000, 5_000]);
  expect(await round()).toMatchObject({ lines: 0, more: false });
});

it('begins again after a load of 220,000 lines, and takes none of them in again, also beside an older transaction', async () => {
  const older = new pg.Client({ connectionString: h.estate.url });
  await older.connect();
  try {
    await older.query('begin; select pg_current_xact_id()');
    await logChanges(220_000);
    const begun = await until('a round is quicker than the limit', () =>
      round({ limitMs: 1_000 }).catch((error: unknown) => {
        if (hasCode(error, 'statement_timeout')) return undefined;
        throw error;
      }),
    );
    expect(begun).toMatchObject({ rebased: ['registry_changelog: too_many_rows'], lines: 0, more: false });
    expect(begun.applied.dirtied).toBeGreaterThan(0);
    expect(await remembered()).toBe(220_000);
    expect(await round()).toMatchObject({ rebased: [], lines: 0 });
    await older.query('commit');
    await untilHorizonPasses(h.estate.url);
    expect(await round()).toMatchObject({ rebased: [], lines: 0 });
    expect(await remembered()).toBe(0);
  } finally {
    await older.end();
  }
});
