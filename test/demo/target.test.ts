// The target of a demo estate: a build is atomic, and never overwrites foreign tables.
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  buildEstate,
  demoErrors,
  ESTATE_SEED,
  findEstateMarker,
  hashEstate,
  isEstate,
} from '../../src/demo/index.js';
import { asHost, createDatabase, openDatabase, type TestDatabase } from '../support/database.js';

const SMALLEST = 2_000;

/** Creates an empty database for the running test. */
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  onTestFinished(() => database.close());
  return database;
}

/** The names of all relations in the schema. */
async function relationsIn(url: string): Promise<string[]> {
  const rows = await asHost(
    url,
    "select relname::text as name from pg_class where relnamespace = 'public'::regnamespace order by 1",
  );
  return rows.map((row) => String(row['name']));
}

describe('the build of a demo estate', () => {
  test('leaves nothing behind when it fails near its end', async () => {
    const { db, url } = await emptyDatabase();
    // The server refuses one of the last statements of the build.
    await asHost(
      url,
      `create function refuse() returns event_trigger language plpgsql as $$ begin
         if exists (select from pg_event_trigger_ddl_commands() where object_identity like '%event_outbox_created_idx')
         then raise exception 'refused'; end if; end $$;
       create event trigger refuse on ddl_command_end when tag in ('CREATE INDEX') execute function refuse()`,
    );
    const failure = expect.objectContaining({ code: 'database_error' });
    await expect(buildEstate(db, { rows: SMALLEST })).rejects.toEqual(failure);
    expect(await relationsIn(url)).toEqual([]);
  });

  test('leaves nothing behind when it is killed', async () => {
    const { db, url } = await emptyDatabase();
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'gcos'`;
    let killed: Promise<unknown> | undefined;
    const onProgress = ({ step }: { step: string }) => {
      if (step === 'births 1/1') killed = asHost(url, kill);
    };
    const build = buildEstate(db, { rows: 100_000, onProgress });
    await expect(build).rejects.toEqual(expect.objectContaining({ code: 'database_restarting' }));
    await killed;
    expect(await relationsIn(url)).toEqual([]);
  });

  test('is refused while another build runs', async () => {
    const { db } = await emptyDatabase();
    const builds = [buildEstate(db, { rows: SMALLEST }), buildEstate(db, { rows: SMALLEST })];
    const outcomes = (await Promise.allSettled(builds)).map(({ status }) => status).sort();
    expect(outcomes).toEqual(['fulfilled', 'rejected']);
    expect(await findEstateMarker(db)).toEqual({ rows: SMALLEST, seed: ESTATE_SEED });
  });

  test('reports progress that never decreases, and its end', async () => {
    const { db } = await emptyDatabase();
    const reported: { done: number; total: number }[] = [];
    await buildEstate(db, { rows: SMALLEST, onProgress: (progress) => reported.push(progress) });
    expect(reported.map(({ done }) => done)).toEqual(reported.map(({ done }) => done).sort((a, b) => a - b));
    expect(reported.at(-1)).toMatchObject({ step: 'done', done: reported[0]?.total });
  });
});

describe('the target of a demo estate', () => {
  const notEmpty = expect.objectContaining({ code: 'demo_target_not_empty', exit: 3 });
  const inUse = expect.objectContaining({ code: 'demo_estate_in_use', exit: 3 });

  test('keeps a foreign table with the name of an estate table', async () => {
    const { db, url } = await emptyDatabase();
    await asHost(url, 'create table birth_registry (id int); insert into birth_registry values (7)');
    await expect(buildEstate(db, { rows: SMALLEST })).rejects.toEqual(notEmpty);
    await expect(buildEstate(db, { rows: SMALLEST, replace: true })).rejects.toEqual(notEmpty);
    expect(await isEstate(db)).toBe(false);
    expect(await asHost(url, 'select id from birth_registry')).toEqual([{ id: 7 }]);
    expect(demoErrors.kinds.demo_target_not_empty.exit).toBe(3);
  });

  test('is replaced on request if it is an estate, unless something depends on it', async () => {
    const { db, url } = await emptyDatabase();
    await buildEstate(db, { rows: SMALLEST });
    const first = await hashEstate(db);
    await expect(buildEstate(db, { rows: SMALLEST })).rejects.toEqual(notEmpty);

    await asHost(url, 'delete from dot_tools; create view tool_count as select count(*) from dot_tools');
    await expect(buildEstate(db, { rows: SMALLEST, replace: true })).rejects.toEqual(inUse);
    await asHost(url, 'drop view tool_count; create table gcos_migration (id int)');
    await expect(buildEstate(db, { rows: SMALLEST, replace: true })).rejects.toEqual(inUse);
    await asHost(url, 'drop table gcos_migration');

    const summary = await buildEstate(db, { rows: SMALLEST, replace: true });
    expect(summary.replaced).toBe(true);
    expect(await hashEstate(db)).toEqual(first);
  });

  test('gets a schema if the schema is missing', async () => {
    const { url } = await emptyDatabase();
    const db = openDatabase(url, { schema: 'platform' });
    await buildEstate(db, { rows: SMALLEST });
    expect(await isEstate(db)).toBe(true);
    await db.close();
    expect(await relationsIn(url)).toEqual([]);
  });
});
