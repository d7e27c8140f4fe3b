// Probes run the queries of rules, which are untrusted: they can only read, within a time limit, and leave
// nothing behind.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Prober } from '../../src/db/index.js';
import { asHost, urlFor } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { until } from '../support/wait.js';

const LIMITS = { statementMs: 2_000, rows: 3 };
const role = `probe_${process.pid}`;
let estate: Estate;
let readerUrl: string;
let prober: Prober;

const open = (url: string) => new Prober({ url, schema: 'public', connectTimeoutMs: 5_000 });
const failed = (why: string) => expect.objectContaining({ outcome: 'failed', why });

beforeAll(async () => {
  estate = await createEstate('installed');
  await asHost(
    estate.url,
    `create role ${role} login password 'p' noinherit; grant usage on schema public to ${role};
     grant select on all tables in schema public to ${role}`,
  );
  readerUrl = urlFor(estate.url, { user: role, password: 'p' });
  prober = open(readerUrl);
});
afterAll(async () => {
  await asHost(estate.url, `drop owned by ${role}; drop role ${role}`);
  await estate.close();
});

describe('a probe', () => {
  it('returns the rows in the text format of the server, and reports whether there are more', async () => {
    expect(await prober.run(['select 1::numeric(5,2), null'], LIMITS)).toEqual([
      { outcome: 'rows', rows: [['1.00', null]], more: false },
    ]);
    expect(await prober.run(['select g from generate_series(1, 9) as g'], LIMITS)).toEqual([
      { outcome: 'rows', rows: [['1'], ['2'], ['3']], more: true },
    ]);
  });

  it('reads both statements in one snapshot', async () => {
    const [left, right] = await prober.run(
      ['select pg_current_snapshot()::text', 'select pg_current_snapshot()::text'],
      LIMITS,
    );
    expect(left).toEqual(right);
  });

  it.each([
    ['two statements', 'select 1; select 2'],
    ['a statement behind a comment', 'select 1 /* */ ; commit'],
    ['a change', 'delete from law_catalog'],
    ['a change inside a query', 'with d as (delete from law_catalog returning 1) select count(*) from d'],
    ['invalid SQL', 'not sql'],
    ['an unknown table', 'select count(*) from no_such_table'],
    ['an error at run time', 'select 1 / 0'],
    ['a sequence', "select nextval('governance_candidate_row_seq')"],
    ['a change of role', 'select set_config($$role$$, $$postgres$$, false)'],
  ])('refuses %s', async (_, text) => {
    const before = await asHost(estate.url, 'select count(*)::int as n from law_catalog');
    expect((await prober.run([text, 'select 1'], LIMITS)).at(-1)).toEqual(failed('refused'));
    expect(await asHost(estate.url, 'select count(*)::int as n from law_catalog')).toEqual(before);
  });

  /** Waits until no session of a prober matches the condition. */
  const untilNone = (condition: string) =>
    until('no such session', async () => {
      const rows = await asHost(
        estate.url,
        `select 1 from pg_stat_activity where application_name = 'gcos rule' and datname = current_database() and ${condition}`,
      );
      return rows.length === 0;
    });

  it('cancels a statement that takes too long, even if it disables its own timeout', async () => {
    const limits = { statementMs: 200, rows: 1 };
    expect(await prober.run(['select pg_sleep(30)'], limits)).toEqual([failed('timeout')]);
    const withoutTimeout = `select pg_sleep(3600) from (select set_config('statement_timeout', '0', true),
      set_config('transaction_timeout', '0', true) offset 0) as s`;
    const [answer] = await prober.run([withoutTimeout], limits);
    expect(answer).toMatchObject({ outcome: 'failed' });
    await untilNone("state = 'active'");
  });

  it('keeps no connection open', async () => {
    await prober.run(['select 1'], LIMITS);
    await untilNone('true');
  });

  it('refuses a login that may do more than read', async () => {
    expect(await open(estate.url).run(['select 1'], LIMITS)).toEqual([failed('login')]);
    await asHost(estate.url, `grant pg_read_all_data to ${role}`);
    expect(await prober.run(['select 1'], LIMITS)).toEqual([failed('login')]);
    await asHost(estate.url, `revoke pg_read_all_data from ${role}`);
    expect(await open(urlFor(readerUrl, { password: 'wrong' })).run(['select 1'], LIMITS)).toEqual([
      failed('login'),
    ]);
  });

  it('reports a server that does not answer', async () => {
    const copy = urlFor(readerUrl, {});
    const url = new URL(copy);
    url.port = '1';
    expect(await open(url.href).run(['select 1'], LIMITS)).toEqual([failed('lost')]);
    expect(pg.defaults.port).toBe(5432);
  });
});
