// The intake takes in a backlog in rounds that only count the births. A birth that needs its own row gets
// one, and no birth is lost when a round fails or is killed.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLease, holderName, type Lease } from '../../src/record/cursor/index.js';
import { INTAKE_LEASE, type IntakeRound, intakeRound } from '../../src/work/intake/index.js';
import { RoundSize } from '../../src/work/intake/round-size.js';
import { createIntake, type IntakeEstate } from '../support/intake.js';
import { wrongGroupsOf } from '../support/tail.js';
import { until } from '../support/wait.js';

let h: IntakeEstate;
let lease: Lease;
let turn = 0;
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

const round = async (kind: IntakeRound['kind'], limitMs?: number): Promise<IntakeRound> => {
  const context = { db: h.worker.db, lease, runId: 'backlog' };
  return intakeRound(limitMs === undefined ? context : { ...context, limitMs }, kind);
};
const insertBirths = async (
  rows: number,
  role = 'p.governance_role',
  collection = 'orders',
): Promise<string> => {
  turn += 1;
  await h.host(`insert into birth_registry (entity_code, collection_name, species_code, dot_origin, governance_role, status)
    select 'B${turn}-' || n, p.collection_name, p.species_code, p.dot_origin, ${role}, 'born' from generate_series(1, ${rows}) as n,
      (select collection_name, species_code, dot_origin, governance_role from birth_registry where collection_name = '${collection}' and status = 'born' order by id limit 1) as p`);
  return `B${turn}-`;
};
const rowsOf = async (prefix: string) =>
  (
    await h.host(
      `select distinct entity_code as code from governance_candidate_object where entity_code like '${prefix}%' order by 1`,
    )
  ).map((row) => row['code']);

it('takes in thousands of births in one round; only a malformed birth and one of a class that does not inherit get a row', async () => {
  const many = await insertBirths(3_000, `case when n = 777 then '' else p.governance_role end`);
  const single = await insertBirths(1, 'p.governance_role', 'dot_tools');
  await h.host(
    `insert into birth_registry (entity_code, collection_name, status) values ('GCOS-BACKLOG', 'system_issues', 'born')`,
  );
  const taken = await round('near');
  expect(taken).toMatchObject({ births: 3_002, own: 1, more: false, setAside: 0 });
  expect(taken.applied.byKind).toEqual({ object_born: 2 });
  expect(await rowsOf(many)).toEqual([`${many}777`]);
  expect(await rowsOf(single)).toEqual([`${single}1`]);
  expect(new Set((await h.marks()).map((mark) => mark.registry))).toEqual(new Set(['dot_tools', 'orders']));
  expect(await round('wide')).toMatchObject({ births: 0 });
  expect(await wrongGroupsOf(h.worker.db)).toEqual([]);
});

it('flags the whole collection when an untrusted source brings more births than may have rows of their own', async () => {
  turn += 1;
  const feed = `B${turn}-`;
  await h.host(`insert into birth_registry (entity_code, collection_name, species_code, dot_origin, governance_role, status)
    select '${feed}' || n, 'articles', 'SP-ARTICLE', 'FEED-BULK', 'governed', 'born' from generate_series(1, 10001) as n`);
  const taken = await round('near');
  expect(taken).toMatchObject({ births: 10_001, setAside: 0 });
  expect(await rowsOf(feed)).toEqual([]);
  const openStates = `select collection_name, entity_code, input_state, cause from governance_input_state where cause = 'FEED-BULK' and cured_at is null`;
  const whole = { collection_name: 'articles', entity_code: null };
  expect(await h.host(openStates)).toEqual([
    { ...whole, input_state: 'untrusted_source', cause: 'FEED-BULK' },
  ]);
  expect(
    await h.host(
      `select status, entity_code from system_issues where issue_type = 'input_untrusted_source' and entity_code = 'articles'`,
    ),
  ).toEqual([{ status: 'open', entity_code: 'articles' }]);
  expect(new Set((await h.marks()).map((mark) => mark.registry))).toEqual(new Set(['articles']));
});

it('rolls back a round that is killed; the next round takes in everything', async () => {
  await insertBirths(2_000);
  const before = await wrongGroupsOf(h.worker.db);
  expect(before).toHaveLength(1);
  // A trigger blocks the round where it records the rows it has read.
  await h.host(`create function test_hold() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(641); return null; end $$;
    create trigger test_hold after insert on gov_intake_seen execute function test_hold()`);
  const pg = await import('pg');
  const holder = new pg.default.Client({ connectionString: h.estate.url });
  await holder.connect();
  try {
    await holder.query('select pg_advisory_lock(641)');
    const failing = round('near').catch((error: unknown) => error);
    await until('the round waits for the lock', async () => {
      const [killed] = await h.host(
        `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
      );
      return Number(killed?.['n']) > 0;
    });
    expect(await failing).toBeInstanceOf(Error);
  } finally {
    await holder.end();
    await h.host('drop trigger test_hold on gov_intake_seen; drop function test_hold()');
  }
  expect(await wrongGroupsOf(h.worker.db)).toEqual(before);
  expect(await h.marks()).toEqual([]);
  expect(await round('near')).toMatchObject({ births: 2_000, more: false });
  expect(await round('wide')).toMatchObject({ births: 0 });
  expect(await wrongGroupsOf(h.worker.db)).toEqual([]);
});

it('halves a round until its statements stay within the time limit', async () => {
  await insertBirths(2_000);
  await h.host(`create function test_slow() returns trigger language plpgsql as $$ begin
      if (select count(*) from n) > 1000 then perform pg_sleep(60); end if; return null; end $$;
    create trigger test_slow after insert on gov_intake_seen referencing new table as n for each statement execute function test_slow()`);
  const sizes: number[] = [];
  try {
    for (let more = true; more; ) {
      const one = await round('near', 2_000);
      sizes.push(one.births);
      more = one.more;
    }
  } finally {
    await h.host('drop trigger test_slow on gov_intake_seen; drop function test_slow()');
  }
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
  expect(await round('wide')).toMatchObject({ births: 0 });
  expect(await wrongGroupsOf(h.worker.db)).toEqual([]);
});

it('grows rounds while they are full and fast, and shrinks them when they are slow', () => {
  const size = new RoundSize();
  const first = size.rows;
  size.after({ births: first - 1, elapsedMs: 10 });
  expect(size.rows).toBe(first);
  size.after({ births: first, elapsedMs: 10 });
  expect(size.rows).toBe(first * 2);
  size.after({ births: 1, elapsedMs: 4_000 });
  expect(size.rows).toBe(first);
  expect(size.canHalve(new Error('something else'))).toBe(false);
});

it('detects a registry whose values changed without a new version of any row', async () => {
  expect(await round('wide')).toMatchObject({ registryRows: 0 });
  await h.host(`alter table collection_registry rename column coverage_scope_status to kept;
    alter table collection_registry add column coverage_scope_status text default 'OTHER'`);
  const [all] = await h.host('select count(*)::int as n from collection_registry');
  expect(await round('wide')).toMatchObject({ registryRows: all?.['n'] });
  await h.host(`alter table collection_registry drop column coverage_scope_status;
    alter table collection_registry rename column kept to coverage_scope_status`);
  expect(await round('wide')).toMatchObject({ registryRows: all?.['n'] });
  expect(await round('wide')).toMatchObject({ registryRows: 0 });
});
