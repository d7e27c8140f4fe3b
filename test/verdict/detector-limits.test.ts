// What a query of a detector may use and return: little memory, a limited amount of temporary files, and one
// count or key.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Prober } from '../../src/db/index.js';
import { runDetectors, syncDetectorFindings } from '../../src/verdict/detector/index.js';
import { asHost, urlAs, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';

const role = `limited_${process.pid}`;
const LIMITS = { statementMs: 60_000, rows: 1 };
let estate: Estate;
const host = (sql: string) => asHost(estate.url, sql);
const proberAs = (url: string) => new Prober({ url, schema: 'public', connectTimeoutMs: 5_000 });

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
  it('are bounded for the role that GCOS creates', async () => {
    const settings = [
      'work_mem',
      'hash_mem_multiplier',
      'max_parallel_workers_per_gather',
      'temp_file_limit',
    ];
    const answers = await proberAs(urlAs(estate.url, 'reader')).run(
      settings.map((name) => `select current_setting('${name}')`),
      LIMITS,
    );
    expect(answers.map((each) => ('rows' in each ? each.rows[0]?.[0] : each))).toEqual([
      '16MB',
      '1',
      '0',
      '1GB',
    ]);
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

  it('are a note of the doctor where no superuser has limited them', async () => {
    const note = async () =>
      (await estate.gcos.doctor()).lines.filter((line) => /temporary files of detectors/.test(line.detail));
    expect(await note()).toEqual([]);
    // Another prefix: the roles of this server belong to all tests.
    const other = await openAt(estate.url, { GCOS_ROLE_PREFIX: `${role}_` });
    try {
      expect((await other.doctor()).lines).toContainEqual(
        expect.objectContaining({
          state: 'note',
          subject: `role ${role}_reader`,
          detail: expect.stringContaining(`alter role "${role}_reader" set temp_file_limit = '1GB'`),
        }),
      );
    } finally {
      await other.close();
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
    const mapping = await estate.gcos.installation.hostVocabulary();
    await estate.db.transaction({ isolation: 'read committed' }, (tx) =>
      syncDetectorFindings(tx, detection, {
        mapping,
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
