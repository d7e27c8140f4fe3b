// Malicious detectors, run on a dedicated server during births: their functions are refused by name, and
// contained where the settings allow them. Afterwards the database is unchanged.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Prober } from '../../src/db/index.js';
import type { Gcos } from '../../src/index.js';
import { type Detected, runDetectors } from '../../src/verdict/detector/index.js';
import { asHost, createDatabase, type TestDatabase, urlFor } from '../support/database.js';
import { openAt, prepareInstalled } from '../support/estate.js';
import { startServer, type TestServer } from '../support/server.js';
import { until } from '../support/wait.js';

/** Enough for queries that end by themselves, even on a busy machine; the others never end. */
const STATEMENT_MS = 6_000;
/** Attacks by detector id. Each query returns one value, except where many rows are the attack. */
const ATTACKS: Readonly<Record<string, string>> = {
  'X-1 second statement': 'select 1; drop table law_catalog',
  'X-2 write': 'with gone as (delete from law_catalog returning 1) select count(*) from gone',
  'X-3 write in a function': 'select attack_write()',
  'X-4 sleep': 'select pg_sleep(60)::text',
  'X-5 advisory locks': 'select count(pg_advisory_lock(n)) from generate_series(1, 2000000) as n',
  'X-6 another role': `select set_config('role', 'none', false) || current_user || '/' || session_user`,
  'X-7 a more privileged role': `select set_config('role', 'gcos_owner', false)`,
  'X-8 read-write mode': `select set_config('transaction_read_only', 'off', false)`,
  'X-9 ignored cancellation': 'select attack_stubborn()',
  'XA many rows': 'select a from generate_series(1, 10000) as a, generate_series(1, 1000) as b',
  'XB one large value': `select repeat('x', 40000000)`,
  'XC syntax error': 'selec 1 form',
  'XD sequence': `select nextval('birth_registry_id_seq')`,
  'XE termination of other sessions':
    'select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid()',
};
const VOLATILE = [
  'attack_stubborn',
  'attack_write',
  'nextval',
  'pg_advisory_lock',
  'pg_sleep',
  'pg_terminate_backend',
  'set_config',
];

const role = 'attacked_reader';
let server: TestServer;
let database: TestDatabase;
let gcos: Gcos;
let prober: Prober | undefined;
const host = (sql: string) => asHost(database.url, sql);
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** State that an attack could change: rows, tables, privileges, roles, settings, advisory locks. */
const state = () =>
  host(`select (select md5(string_agg(m::text, '|' order by measurement_id)) from measurement_registry m) as detectors,
    (select md5(string_agg(l::text, '|' order by l::text)) from law_catalog l) as laws,
    (select md5(string_agg(relname || relkind::text || coalesce(relacl::text, ''), '|' order by oid)) from pg_class where relnamespace = 'public'::regnamespace) as tables,
    (select md5(string_agg(r::text, '|' order by rolname)) from pg_roles r) as roles,
    (select md5(string_agg(m::text, '|' order by roleid, member)) from pg_auth_members m) as members,
    (select md5(string_agg(s::text, '|' order by setdatabase, setrole)) from pg_db_role_setting s) as settings,
    (select count(*) from pg_locks where locktype = 'advisory') as locks`);
const backends = async () =>
  (await host(`select count(*)::int as n from pg_stat_activity where application_name = 'gcos rule'`))[0]?.[
    'n'
  ];

interface Births {
  readonly born: number;
  readonly failed: readonly string[];
}

/** Inserts births one after the other, each in its own transaction, while `work` runs. */
async function duringBirths<T>(
  work: () => Promise<T>,
): Promise<{ readonly births: Births; readonly value: T }> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  let isDone = false;
  const failed: string[] = [];
  let born = 0;
  // A birth that waits for a lock fails and is reported.
  await client.query("set lock_timeout = '1s'");
  const insertBirths = async () => {
    while (!isDone)
      await client
        .query(
          `insert into birth_registry (entity_code, collection_name, species_code, status, governance_role, dot_origin)
           select 'ATT-' || $1, collection_name, species_code, 'born', governance_role, dot_origin from birth_registry where collection_name = 'orders' limit 1`,
          [born],
        )
        .then(
          () => born++,
          (error: unknown) => failed.push(String(error)),
        );
  };
  const writing = insertBirths();
  try {
    const value = await work();
    isDone = true;
    await writing;
    return { value, births: { born, failed } };
  } finally {
    isDone = true;
    await writing;
    await client.end();
  }
}

const allow = (functions: readonly string[]) =>
  host(`insert into governance_setting (setting_key, setting_value, about)
    values ('detector.limits', '${JSON.stringify({ statement_ms: STATEMENT_MS, at_once: 4, allowed_functions: functions })}', 'limits')
    on conflict (setting_key) do update set setting_value = excluded.setting_value`);
const outcomesById = (results: readonly Detected[]) =>
  Object.fromEntries(results.map((each) => [each.detector.id, 'why' in each ? each.why : each.outcome]));
const run = async () => {
  const before = await state();
  const { births, value } = await duringBirths(() => runDetectors(gcos.db, prober));
  expect(births.failed).toEqual([]);
  expect(births.born).toBeGreaterThan(0);
  await until('the sessions of the detectors have ended', async () => (await backends()) === 0);
  expect(await state()).toEqual(before);
  return outcomesById(value.results);
};

beforeAll(async () => {
  server = await startServer();
  database = await createDatabase({ serverUrl: server.url });
  await prepareInstalled(database.url, { rows: 2_000 });
  await host(`create role ${role} login password 'p' noinherit; grant usage on schema public to ${role};
    grant select on all tables in schema public to ${role};
    create function attack_write() returns bigint language plpgsql volatile as 'begin delete from law_catalog; return 1; end';
    create function attack_stubborn() returns bigint language plpgsql volatile as
      'begin loop begin perform pg_sleep(60); exception when query_canceled then null; end; end loop; end';
    create function attack_locks(n bigint) returns bigint language plpgsql immutable as
      'begin perform pg_advisory_lock(g) from generate_series(1, n) as g; return n; exception when out_of_memory then perform pg_sleep(60); return n; end';
    update measurement_registry set enabled = false`);
  gcos = await openAt(database.url, {
    GCOS_READER_URL: urlFor(database.url, { user: role, password: 'p' }),
  });
  prober = await gcos.prober();
});
afterAll(async () => {
  await gcos?.close();
  await database?.close();
  await server?.stop();
});

/** Registers and enables every attack. */
beforeEach(async () => {
  const valuesOf = (id: string, text: string) =>
    `(${quoted(id)}, 'x', 'LAW-19', 1, ${quoted(text)}, 'select 1', 'strict_equals', 'critical', true)`;
  const all = [
    ...Object.entries(ATTACKS),
    ['OK-1', 'select 1'],
    ['OK-2', 'select count(*) / count(*) from birth_registry'],
  ];
  await host(`delete from measurement_registry where measurement_id ~ '^(X|OK-)';
    insert into measurement_registry (measurement_id, measurement_name, law_code, method, source_query, target_query, comparison, severity, enabled)
    values ${all.map(([id = '', text = '']) => valuesOf(id, text)).join(', ')}`);
});

describe('malicious detectors', () => {
  it('does not run detectors that call volatile functions, and runs the others', async () => {
    await allow([]);
    expect(await run()).toEqual({
      'OK-1': 'passed',
      'OK-2': 'passed',
      'X-1 second statement': 'refused',
      'X-2 write': 'refused',
      'X-3 write in a function': 'volatile:attack_write',
      'X-4 sleep': 'volatile:pg_sleep',
      'X-5 advisory locks': 'volatile:pg_advisory_lock',
      'X-6 another role': 'volatile:set_config',
      'X-7 a more privileged role': 'volatile:set_config',
      'X-8 read-write mode': 'volatile:set_config',
      'X-9 ignored cancellation': 'volatile:attack_stubborn',
      'XA many rows': 'not_one_value',
      'XB one large value': 'too_large',
      'XC syntax error': 'refused',
      'XD sequence': 'volatile:nextval',
      'XE termination of other sessions': 'volatile:pg_terminate_backend',
    });
  });

  it('contains and reports detectors whose functions are allowed; advisory locks cannot be allowed', async () => {
    await allow(VOLATILE);
    expect(await run()).toEqual({
      'OK-1': 'passed',
      'OK-2': 'passed',
      'X-1 second statement': 'refused',
      'X-2 write': 'refused',
      'X-3 write in a function': 'refused',
      'X-4 sleep': 'timeout',
      'X-5 advisory locks': 'volatile:pg_advisory_lock',
      'X-6 another role': 'violated',
      'X-7 a more privileged role': 'refused',
      'X-8 read-write mode': 'refused',
      'X-9 ignored cancellation': 'timeout',
      'XA many rows': 'not_one_value',
      'XB one large value': 'too_large',
      'XC syntax error': 'refused',
      'XD sequence': 'refused',
      'XE termination of other sessions': 'refused',
    });
  });

  it('remaining risk: a function falsely declared immutable fills the lock table until its statement times out', async () => {
    await allow([]);
    await host(`update measurement_registry set enabled = measurement_id = 'X-5 advisory locks', source_query = 'select attack_locks(2000000)'
      where enabled`);
    const before = await state();
    const { births, value } = await duringBirths(() => runDetectors(gcos.db, prober));
    expect(outcomesById(value.results)).toEqual({ 'X-5 advisory locks': 'timeout' });
    // Without the timeout the function would sleep for a minute.
    expect(value.elapsedMs).toBeLessThan(60_000);
    // Meanwhile births fail with an error; none waits.
    expect(new Set(births.failed)).toEqual(new Set(['error: out of shared memory']));
    await until('the sessions of the detector have ended', async () => (await backends()) === 0);
    expect(await state()).toEqual(before);
    expect((await duringBirths(() => state())).births.failed).toEqual([]);
  });
});
