// Measures the backfill of the full estate against two lower bounds: a bare keyset walk that only computes
// the hashes of the same rows, and one full aggregate. Also measures its memory, its longest statement, a
// second run, and verify.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate, FULL_SIZE } from '../src/demo/index.js';
import { readClassMap } from '../src/inventory/group/index.js';
import { readInventory } from '../src/inventory/snapshot/index.js';
import { mainFile } from '../test/support/cli.js';
import { asHost, openDatabase } from '../test/support/database.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { fragment } from '../test/support/sql.js';
import { median, report, timed } from './measure.js';

const ROUNDS = 5;
const LIMIT_MS = 5_000;
const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
let server: TestServer;

beforeAll(async () => {
  server = await startServer({
    settings: {
      // Logs only slow statements: the benchmark needs the longest one, and logging all distorts the times.
      log_min_duration_statement: '50',
      max_connections: '50',
    },
  });
  const db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, {});
  await db.close();
  await asHost(server.url, 'vacuum analyze birth_registry');
});
afterAll(() => server?.stop());

interface Run {
  readonly exit: number;
  readonly ms: number;
  readonly peakMb: number;
  readonly report: Record<string, unknown>;
}

/** Runs the command as a user does; reads its peak memory from the kernel. */
async function gcos(...args: string[]): Promise<Run> {
  const child = spawn(
    process.execPath,
    [mainFile, ...args, '--json', '--quiet', '--database-url', server.url],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  let peakKb = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // The process has ended.
    }
  }, 20);
  const started = performance.now();
  const exit = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  clearInterval(watch);
  const ms = performance.now() - started;
  return { exit, ms, peakMb: peakKb / 1024, report: JSON.parse(text || '{}') as Record<string, unknown> };
}

const PAGE = `select b.id, r.h1, r.h2 from birth_registry b ${fragment('inventory/snapshot/fingerprint/row.sql', 'row_hash')} where b.id > $1 order by b.id limit $2`;

/** Walks all rows by primary key in batches that grow like those of the backfill; only computes hashes. */
async function bareWalk(): Promise<number> {
  return walk(async (client, last, size) => {
    const { rows } = await client.query<{ id: number; h1: string; h2: string }>(PAGE, [last, size]);
    return rows.at(-1)?.id ?? null;
  });
}

/** The same walk without transferring the hashes: the time of the server alone, without a goal. */
async function serverWalk(): Promise<number> {
  return walk(async (client, last, size) => {
    const sums = `select max(p.id) as last, sum(p.h1) as h1, sum(p.h2) as h2 from (${PAGE}) p`;
    const { rows } = await client.query<{ last: number | null }>(sums, [last, size]);
    return rows[0]?.last ?? null;
  });
}

const SIZES = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 200_000];

async function walk(
  page: (client: pg.Client, last: number, size: number) => Promise<number | null>,
): Promise<number> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return await timed(async () => {
      let last: number | null = -1;
      for (let batch = 0; last !== null; batch += 1)
        last = await page(client, last, SIZES[Math.min(batch, SIZES.length - 1)] ?? 200_000);
    });
  } finally {
    await client.end();
  }
}

async function aggregate(): Promise<number> {
  const db = openDatabase(server.url);
  try {
    return await db.transaction(READ_ONLY, async (tx) => {
      const map = await readClassMap(tx, db.schema);
      return timed(() => readInventory(tx, map, { limitMs: LIMIT_MS }));
    });
  } finally {
    await db.close();
  }
}

const count = async (table: string) =>
  Number((await asHost(server.url, `select count(*)::int as n from ${table}`))[0]?.['n']);

/** Reinstalls GCOS, so that the next backfill starts from the beginning. */
async function startAfresh(round: number): Promise<void> {
  if (round > 0) expect((await gcos('uninstall', '--purge', '--yes')).exit).toBe(0);
  expect((await gcos('up', '--demo', '--yes', '--no-backfill')).exit).toBe(0);
}

it('backfills the full estate within its limits of time and memory', async () => {
  const whole: number[] = [];
  const again: number[] = [];
  const verified: number[] = [];
  const walks: number[] = [];
  const sums: number[] = [];
  const aggregates: number[] = [];
  let first: Run | undefined;
  let peakMb = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await startAfresh(round);
    const run = await gcos('backfill', 'run');
    expect(run.exit).toBe(0);
    first ??= run;
    whole.push(Number(run.report['elapsed_ms']));
    peakMb = Math.max(peakMb, run.peakMb);
    const before = await asHost(
      server.url,
      'select md5(string_agg(x::text, $$|$$ order by row_id)) as rows from (select s::text as x, row_id from governance_candidate_state s union all select o::text, row_id from governance_candidate_object o) c',
    );
    const second = await gcos('backfill', 'run');
    expect(second.exit).toBe(0);
    again.push(Number(second.report['elapsed_ms']));
    expect(
      await asHost(
        server.url,
        'select md5(string_agg(x::text, $$|$$ order by row_id)) as rows from (select s::text as x, row_id from governance_candidate_state s union all select o::text, row_id from governance_candidate_object o) c',
      ),
    ).toEqual(before);
    const verify = await gcos('backfill', 'verify');
    expect(verify.exit).toBe(0);
    verified.push(Number(verify.report['elapsed_ms']));
    walks.push(await bareWalk());
    sums.push(await serverWalk());
    aggregates.push(await aggregate());
  }
  const title = `${FULL_SIZE.toLocaleString('en-US')} births, median of ${ROUNDS}`;
  const run = { what: 'gcos backfill run', ms: median(whole) };
  const full = { what: 'one full aggregate', ms: median(aggregates) };
  const ratios = {
    walk: report(title, run, { what: 'a bare keyset walk that only hashes', ms: median(walks) }, 2.5),
    aggregate: report(title, run, full, 15),
    again: report(title, { what: 'a second run', ms: median(again) }, run, 0.25),
    verify: report(title, { what: 'gcos backfill verify', ms: median(verified) }, full, 4),
  };
  console.log(`\nthe same walk, hashes summed on the server: ${median(sums).toFixed(1)} ms (no goal)`);
  const rows = (await count('governance_candidate_state')) + (await count('governance_candidate_object'));
  const longest = Math.max(
    ...[
      ...readFileSync(join(server.folder, 'server.log'), 'utf8').matchAll(
        /duration: ([\d.]+) ms[^\n]*gcos:(?!estate)/g,
      ),
    ].map((found) => Number(found[1])),
  );
  console.log(`\ncandidate rows: ${rows.toLocaleString('en-US')}, goal < 100,000`);
  console.log(`peak memory of the gcos process: ${peakMb.toFixed(0)} MB, goal < 300`);
  console.log(`longest statement: ${longest.toFixed(0)} ms, goal < 5,000`);
  console.log(`proof of the first run: ${JSON.stringify(first?.report['proof'])}`);
  expect(rows).toBeLessThan(100_000);
  expect(peakMb).toBeLessThan(300);
  expect(longest).toBeLessThan(LIMIT_MS);
  expect(ratios.walk).toBeLessThanOrEqual(2.5);
  expect(ratios.aggregate).toBeLessThanOrEqual(15);
  expect(ratios.again).toBeLessThanOrEqual(0.25);
  expect(ratios.verify).toBeLessThanOrEqual(4);
});
