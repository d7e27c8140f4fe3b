// Findings at scale and under concurrency: one row with the exact count for any number of writers and writes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statement } from '../../src/db/index.js';
import { type FindingContext, type Observation, writeFindings } from '../../src/record/finding/index.js';
import { checkout } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const PROCESSES = 20;
const TIMES = 15;
const RC = { isolation: 'read committed' } as const;

const scans = statement<
  Record<never, never>,
  { readonly relation: string; readonly sequential: bigint; readonly by_index: bigint }
>({
  name: 'test.scans',
  sql: `select relname::text as relation, seq_scan as sequential, idx_scan as by_index from pg_stat_xact_user_tables
    where relname in ('system_issues', 'governance_finding_key') order by relname`,
});

/** A process that prints one line when it is connected and one when it has finished. */
class Writer {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  constructor(url: string) {
    const script = join(checkout, 'test/support/finding-writer.mjs');
    this.#child = spawn(process.execPath, [script, url, String(TIMES)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('the writer has no output');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }
  async line(): Promise<string> {
    return (await this.#lines.next()).value ?? 'the writer ended';
  }
  start(): void {
    this.#child.stdin?.write('go\n');
  }
  async ended(): Promise<unknown> {
    return this.#child.exitCode ?? (await once(this.#child, 'exit'))[0];
  }
}

describe('findings at scale', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('installed');
  });
  afterAll(() => estate.close());

  const context = (): FindingContext => ({
    runId: 'run-1',
    at: '2026-06-01 12:00:00+00',
    ruleset: null,
    activeRuleset: null,
  });
  const lag = (subject: string): Observation => ({
    type: 'cursor_lag',
    subject,
    entityType: 'worker',
    entityCode: subject,
  });
  const write = (observations: readonly Observation[]) =>
    estate.db.transaction(RC, (tx) => writeFindings(tx, observations, context()));
  const rowsOf = (code: string) =>
    asHost(
      estate.url,
      `select occurrence_count as n, status, reopen_count as reopens from system_issues where source = 'gcos' and entity_code = '${code}'`,
    );

  it('make one open row with the count when raised 1,000 times', async () => {
    let raised = 0;
    for (let n = 0; n < 1_000; n += 1) raised += (await write([lag('thousand')])).raised.length;
    expect(raised).toBe(1);
    expect(await rowsOf('thousand')).toEqual([{ n: 1_000, status: 'open', reopens: 0 }]);
  });

  it(`make one open row with the count when ${PROCESSES} processes raise them at once`, async () => {
    const writers = Array.from({ length: PROCESSES }, () => new Writer(estate.url));
    expect(await Promise.all(writers.map((writer) => writer.line()))).toEqual(Array(PROCESSES).fill('ready'));
    for (const writer of writers) writer.start();
    const totals = (await Promise.all(writers.map((writer) => writer.line()))).map(
      (line) => JSON.parse(line) as { raised: number; reopened: number; repeated: number },
    );
    expect(await Promise.all(writers.map((writer) => writer.ended()))).toEqual(Array(PROCESSES).fill(0));
    const sum = (name: 'raised' | 'reopened' | 'repeated') =>
      totals.reduce((all, each) => all + each[name], 0);
    // Two findings per call, in both orders: exactly one process raised each, all other calls repeated it.
    expect([sum('raised'), sum('reopened'), sum('repeated')]).toEqual([2, 0, 2 * PROCESSES * TIMES - 2]);
    const once = [{ n: PROCESSES * TIMES, status: 'open', reopens: 0 }];
    expect(await rowsOf('one')).toEqual(once);
    expect(await rowsOf('two')).toEqual(once);
  });

  it('do not deadlock when sessions raise and resolve them crosswise', async () => {
    const types = ['cursor_lag'];
    const cross = async (raise: string, clean: string, isolation: 'read committed' | 'repeatable read') => {
      for (let n = 0; n < 25; n += 1)
        await estate.db.transaction({ isolation, retries: isolation === 'repeatable read' ? 200 : 0 }, (tx) =>
          writeFindings(tx, [lag(raise)], { ...context(), evaluated: { types, subjects: [clean] } }),
        );
    };
    // Read committed must not fail. Repeatable read may need retries, which lose no occurrence.
    for (const isolation of ['read committed', 'repeatable read'] as const) {
      const names = [`left-${isolation}`, `right-${isolation}`] as const;
      const [left, right] = names;
      await Promise.all([
        cross(left, right, isolation),
        cross(right, left, isolation),
        cross(left, right, isolation),
      ]);
      expect(await rowsOf(left)).toMatchObject([{ n: 50 }]);
      expect(await rowsOf(right)).toMatchObject([{ n: 25 }]);
    }
  });

  it('make one row with the exact count when observed 200,000 times in one write', async () => {
    const one = lag('flood');
    const done = await write(Array.from({ length: 200_000 }, () => one));
    expect(done.raised).toMatchObject([{ subject: 'flood', count: 200_000 }]);
    await write(Array.from({ length: 200_000 }, () => one));
    expect(await rowsOf('flood')).toEqual([{ n: 400_000, status: 'open', reopens: 0 }]);
  });

  it('stop counting at the maximum of the host column, without an error', async () => {
    await write([{ ...lag('limit'), count: 2_147_483_000 }]);
    await write([{ ...lag('limit'), count: 200_000 }]);
    expect(await rowsOf('limit')).toMatchObject([{ n: 2_147_483_647 }]);
  });

  it('are found by index: a small write scans neither the host table nor the key table', async () => {
    await asHost(estate.url, 'analyze system_issues');
    const many = Array.from({ length: 150 }, (_, n) => lag(`many-${n}`));
    for (const type of [
      'cursor_dlq',
      'cursor_silent_gap',
      'cursor_lease_conflict',
      'handoff_lag',
      'handoff_dlq',
      'input_stale',
    ])
      await write(many.map((each) => ({ ...each, type })));
    await asHost(estate.url, 'analyze governance_finding_key');
    const used = async (observations: readonly Observation[], evaluated: FindingContext['evaluated']) =>
      estate.db.transaction(RC, async (tx) => {
        const before = await tx.run(scans, {});
        const done = await writeFindings(tx, observations, {
          ...context(),
          at: '2026-06-09 12:00:00+00',
          ...(evaluated === undefined ? {} : { evaluated }),
        });
        // The counters of a backend outlive its transactions, so the test takes the difference.
        const seen = (await tx.run(scans, {})).map((row, index) => ({
          relation: row.relation,
          sequential: row.sequential - (before[index]?.sequential ?? 0n),
          byIndex: row.by_index - (before[index]?.by_index ?? 0n),
        }));
        return { done, seen };
      });
    const dlq = { types: ['cursor_dlq'], subjects: ['many-1', 'many-2', 'many-3'] };
    // Raising two, counting one again, resolving two; then reopening one.
    const first = await used([lag('new-1'), lag('new-2'), { ...lag('many-3'), type: 'cursor_dlq' }], dlq);
    const second = await used([{ ...lag('many-1'), type: 'cursor_dlq' }], dlq);
    expect([first.done.raised.length, first.done.repeated, first.done.resolved.length]).toEqual([2, 1, 2]);
    expect([second.done.reopened.length, second.done.resolved.length]).toEqual([1, 1]);
    for (const { seen } of [first, second])
      expect(seen).toMatchObject([
        { relation: 'governance_finding_key', sequential: 0n },
        { relation: 'system_issues', sequential: 0n },
      ]);
    expect(first.seen[1]?.byIndex).toBeGreaterThan(0n);
  });

  it('are raised and resolved in bulk: 5,000 in one write', async () => {
    await asHost(
      estate.url,
      "update governance_setting set setting_value = '100000' where setting_key = 'finding.ceiling'",
    );
    const observations = Array.from({ length: 5_000 }, (_, n) => ({
      ...lag(`bulk-${n}`),
      type: 'input_conflict',
    }));
    expect((await write(observations)).raised).toHaveLength(5_000);
    const clean = { evaluated: { types: ['input_conflict'], subjects: 'all' as const } };
    const done = await estate.db.transaction(RC, (tx) =>
      writeFindings(tx, observations.slice(0, 10), { ...context(), ...clean }),
    );
    expect([done.resolved.length, done.repeated]).toEqual([4_990, 10]);
  });
});
