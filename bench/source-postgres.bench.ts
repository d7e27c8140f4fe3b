// A catalog of 5,000 tables, 50,000 columns and 2,000 functions: reading it, in memory that does not grow
// with the estate; and `gcos govern` on it from nothing, again with nothing changed, and after one comment.
// Prints the phases of each run, its peak memory, and the statements of the home that took more than a
// second.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MeasuredRun, runMeasured } from '../chaos/dump.js';
import { openPostgresSource } from '../src/source/postgres/index.js';
import { asHost, createDatabase, type TestDatabase } from '../test/support/database.js';
import { evidence } from '../test/support/evidence.js';
import { startServer, type TestServer } from '../test/support/server.js';

const TABLES = 5_000;
const FUNCTIONS = 2_000;
const GOAL_MB = 100;

let server: TestServer;
let small: TestDatabase;
let large: TestDatabase;

async function catalog(database: TestDatabase, share: number): Promise<void> {
  await asHost(
    database.url,
    `do $do$ begin
      for i in 1..${TABLES * share} loop
        execute format('create table t%1$s (id bigint primary key, parent bigint%2$s, email text, a text, b text, c integer, d numeric,
          e timestamptz, f jsonb, g boolean)', i, case when i > 1 then format(' references t%s', i - 1) else '' end);
        execute format('comment on table t%s is %L', i, '@owner team-' || i % 20 || e'\\nText');
        if i % 100 = 0 then commit; end if;
      end loop;
      for i in 1..${FUNCTIONS * share} loop
        execute format('create function f%s(integer, text) returns integer language sql as %L', i, 'select ' || i);
      end loop;
    end $do$`,
  );
}

beforeAll(async () => {
  server = await startServer();
  small = await createDatabase({ serverUrl: server.url });
  large = await createDatabase({ serverUrl: server.url });
  await catalog(small, 0.1);
  await catalog(large, 1);
});
afterAll(async () => {
  await small?.close();
  await large?.close();
  await server?.stop();
});

async function read(
  url: string,
): Promise<{ ms: number; megabytes: number; objects: number; columns: number }> {
  const source = openPostgresSource({
    target: { kind: 'url', url },
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 60_000,
  });
  const began = performance.now();
  const before = process.memoryUsage().rss;
  let [objects, columns, highest] = [0, 0, before];
  for await (const each of source.read()) {
    objects += 1;
    if (each.class.endsWith('column')) columns += 1;
    if (objects % 500 === 0) highest = Math.max(highest, process.memoryUsage().rss);
  }
  await source.close?.();
  return { ms: performance.now() - began, megabytes: (highest - before) / 1e6, objects, columns };
}

it('reads a large catalog in seconds, and in bounded memory', async () => {
  await read(small.url);
  const tenth = await read(small.url);
  const whole = await read(large.url);
  for (const [name, each] of Object.entries({ 'a tenth': tenth, 'the whole': whole }))
    console.log(
      `  ${name}: ${each.objects.toLocaleString('en-US')} objects, ${Math.round(each.ms)} ms, +${Math.round(each.megabytes)} MB`,
    );
  expect(whole.columns).toBe(TABLES * 10);
  expect(whole.megabytes).toBeLessThan(GOAL_MB);
  evidence(
    `${whole.objects.toLocaleString('en-US')} objects in ${Math.round(whole.ms)} ms, +${Math.round(whole.megabytes)} MB`,
  );
});

const GOVERN_S = 30;
const AGAIN_S = 5;

/** The rows of verdicts, members, births and audits that transactions from `id` on have written. */
async function writtenSince(url: string, id: number): Promise<number> {
  const tables = [
    'governance_candidate_state',
    'governance_candidate_object',
    'birth_registry',
    'gcos_source_object',
  ];
  const counts = [...tables, 'registry_changelog', 'governance_object_ownership'].map(
    (table) => `select count(*) as n from ${table} where xmin::text::bigint >= ${id}`,
  );
  const [row] = await asHost(url, `select sum(n)::int as n from (${counts.join(' union all ')}) as each`);
  return Number(row?.['n']);
}

function show(what: string, { seconds, peakMb, stderr }: MeasuredRun, inside: number): void {
  console.log(
    `  ${what}: ${seconds.toFixed(1)} s (${inside.toFixed(1)} s of it after the start), peak ${peakMb} MB`,
  );
  for (const line of stderr.split('\n').filter((each) => / s\)$/.test(each))) console.log(`    ${line}`);
}

it('governs a large catalog from nothing, and again with nothing changed', async () => {
  const home = await startServer({
    // As the embedded server of a user is.
    settings: {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      log_min_duration_statement: '1000',
    },
  });
  const slow = new Set<string>();
  const govern = async (what: string) => {
    const run = await runMeasured(['govern', 'env:ESTATE_URL', '--name', 'estate', '--json'], {
      GCOS_HOME: home.home,
      ESTATE_URL: large.url,
    });
    expect(run.exit, run.stdout.slice(0, 1_000) + run.stderr).toBe(0);
    const report = JSON.parse(run.stdout);
    show(what, run, report.seconds);
    for (const [, ms, text] of readFileSync(join(home.folder, 'server.log'), 'utf8').matchAll(
      /duration: ([\d.]+) ms\s+\S+ [^:]*: (.*)/g,
    ))
      if (!slow.has(`${ms} ${text}`)) {
        slow.add(`${ms} ${text}`);
        console.log(`    statement: ${Math.round(Number(ms))} ms: ${text?.slice(0, 90)}`);
      }
    return { seconds: run.seconds, report };
  };
  try {
    const first = await govern('first run');
    const [before] = await asHost(home.url, 'select pg_snapshot_xmax(pg_current_snapshot())::text as id');
    const second = await govern('second run');
    expect(second.report).toMatchObject({ sync: { changed: false }, scan: { changed: 0, evaluated: 0 } });
    const written = await writtenSince(home.url, Number(before?.['id']));
    expect(written).toBe(0);
    await asHost(large.url, `comment on table t7 is '@owner team-of-its-own'`);
    const third = await govern('after one comment');
    console.log(`    ${third.report.scan.evaluated} groups evaluated`);
    expect(third.report.scan.evaluated).toBeLessThan(10);
    evidence(
      `govern ${first.seconds.toFixed(1)} s, again ${second.seconds.toFixed(1)} s with ${written} rows written`,
    );
    expect.soft(first.seconds, 'seconds of the first run').toBeLessThan(GOVERN_S);
    expect.soft(second.seconds, 'seconds of the second run').toBeLessThan(AGAIN_S);
  } finally {
    await home.stop();
  }
});
