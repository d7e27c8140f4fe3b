// Reading a catalog of 5,000 tables, 50,000 columns and 2,000 functions: time, and memory that does not grow
// with the estate.
import { afterAll, beforeAll, expect, it } from 'vitest';
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
