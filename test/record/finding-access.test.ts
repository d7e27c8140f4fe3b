// Access to system_issues: a worker writes findings only through the function, under its own login; people
// cannot write findings.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFindings } from '../../src/record/finding/index.js';
import { asHost, openDatabase, urlAs, urlFor } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const AT = '2026-06-01 12:00:00+00';

describe('a worker login', () => {
  let estate: Estate;
  let worker: string;
  beforeEach(async () => {
    estate = await createEstate('installed');
    worker = urlAs(estate.url, 'worker');
  });
  afterEach(() => estate.close());

  const hostRows = async () =>
    (
      await asHost(
        estate.url,
        "select md5(string_agg(i::text, '|' order by id)) as rows from system_issues i where source_system is distinct from 'gcos'",
      )
    )[0]?.['rows'];

  /** Calls the function as a hostile worker could. */
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
        `select * from gcos_write_findings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
          'run', null, null, null, $13)`,
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
          fill('[]'),
          fill('{}'),
          one,
          clean,
        ],
      );
    } finally {
      await client.end();
    }
  }

  it('writes findings under its own name', async () => {
    const db = openDatabase(worker);
    const context = { runId: 'r', at: AT, ruleset: null, activeRuleset: null };
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

  it('cannot update a row it did not write, not even through the function', async () => {
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
    // A key that points to a row of the host would give access to it: the worker cannot write the table.
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
    // The function refuses foreign keys and keys of another type.
    for (const [key, type] of [
      [foreign?.['coalesce_key'], 'cursor_lag'],
      ['gov:cursor:cursor_dlq:s::', 'cursor_lag'],
      ['gov:cursor:cursor_lag', 'cursor_lag'],
      ['gov:none:none:s::', 'none'],
      [null, 'cursor_lag'],
      ['gov:cursor:cursor_lag:s::', null],
    ])
      await expect(call([key], [type as string])).rejects.toMatchObject({ code: '22023' });
    // The key or the code of a host row resolves nothing.
    const resolved = await call([], [], [foreign?.['coalesce_key'], foreign?.['code']]);
    expect(resolved.rows).toEqual([]);
    expect(await hostRows()).toBe(before);
  });

  it('cannot take over a host row that resembles a finding', async () => {
    const key = 'gov:cursor:cursor_lag:decoy::';
    await asHost(
      estate.url,
      `insert into system_issues (code, issue_type, source, source_system, coalesce_key, status)
       values ('GCOS-' || left(encode(sha256(convert_to('${key}', 'UTF8')), 'hex'), 20), 'x', 'birth_check', 'platform', '${key}', 'resolved')`,
    );
    const before = await hostRows();
    await expect(call([key], ['cursor_lag'])).rejects.toMatchObject({ code: '23505' });
    // A row that the host has reused for another issue no longer belongs to GCOS.
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

  it('gets an error when the host refuses a finding', async () => {
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

describe('an api login', () => {
  it('cannot write or resolve a finding, or write audit rows', async () => {
    const estate = await createEstate('installed');
    const name = `person_${process.pid}`;
    try {
      await asHost(estate.url, `create role ${name} login password 'x' in role gcos_api`);
      const url = urlFor(estate.url, { user: name, password: 'x' });
      await expect(
        asHost(
          url,
          `select * from gcos_write_findings('{}','{}','{}','{}','{}','{}','{}','{}','{}','{}','{}','{}','x',null,
           array(select finding_type from governance_finding_type),null,null)`,
        ),
      ).rejects.toMatchObject({ code: '42501' });
      await expect(
        asHost(
          url,
          "select gcos_audit(array['governance_ruleset'],array['x'],array['activate'],array['{}'],'president')",
        ),
      ).rejects.toMatchObject({ code: '42501' });
    } finally {
      await asHost(estate.url, `drop owned by ${name}; drop role ${name}`);
      await estate.close();
    }
  });
});
