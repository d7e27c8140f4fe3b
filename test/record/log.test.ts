// The tamper-evident log: every act leaves a link in its own transaction, SQL alone computes the hashes
// again, and no role can change a link.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvidenceLog } from '../../src/index.js';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { type Acts, act, kindsOf, sealAll } from '../support/log.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

let estate: Estate;
let acts: Acts;
let log: EvidenceLog;
/** The kinds of the links after these acts; tests add others. */
let kinds: string[];
const host = (text: string) => asHost(estate.url, text);

describe('the log', () => {
  beforeAll(async () => {
    estate = await createEstate('scanned');
    log = estate.gcos.log;
    acts = await act(estate);
    await estate.gcos.workers.pause('maintenance');
    await estate.gcos.workers.resume();
    await sealAll(estate.url);
    kinds = await kindsOf(estate.url);
  });
  afterAll(async () => {
    await acts.people.close();
    await estate.close();
  });

  it('has a link for every act, in the order of the commits, and verifies', async () => {
    expect(kinds[0]).toBe('log.opened');
    // The backfill and the full scan of the template.
    expect(kinds.filter((each) => each.startsWith('ledger.'))).toEqual(['ledger.closed', 'ledger.closed']);
    expect(kinds.indexOf('ruleset.activated')).toBeGreaterThan(kinds.indexOf('request.approved'));
    expect(kinds.slice(kinds.lastIndexOf('actor.changed') - 1)).toEqual([
      ...['actor.changed', 'actor.changed'],
      ...['request.opened', 'request.rejected', 'request.opened', 'request.withdrawn'],
      ...[
        'request.opened',
        'exception.requested',
        'request.approved',
        'exception.granted',
        'exception.revoked',
      ],
      ...[
        'request.opened',
        'break_glass.requested',
        'request.approved',
        'break_glass.used',
        'break_glass.began',
        'break_glass.closed',
      ],
      ...['setting.changed', 'setting.changed', 'gate.sealed'],
    ]);
    const found = await log.verify();
    expect(found).toMatchObject({
      intact: true,
      differing: 0,
      differences: [],
      unsealed: 0n,
      seals: 1n,
      answers: 3n,
    });
    expect(found.links).toBeGreaterThanOrEqual(BigInt(kinds.length));
    expect(found.head).toEqual(await log.head());
  });

  it('records who acted and everything that matters of the row', async () => {
    const { links } = await log.show({ kind: 'request.rejected' });
    expect(links).toMatchObject([
      {
        login: acts.president.login,
        subject: acts.rejected,
        payload: { person_ref: 'chief', decision: 'reject', reason: 'not this one', verified: true },
      },
    ]);
    const [ledger] = (await log.show({ kind: 'ledger.closed', limit: 1 })).links;
    const [run] = await host(
      'select run_id, closing_snapshot_ref::text as snapshot from candidate_scan_run where ledger is not null order by started_at desc limit 1',
    );
    expect(ledger).toMatchObject({
      subject: run?.['run_id'],
      payload: { closing_snapshot_ref: Number(run?.['snapshot']), scopes: { execution: { closes: true } } },
    });
  });

  it('is read page by page, newest first, and refuses an unknown kind', async () => {
    const first = await log.show({ limit: 3 });
    const second = await log.show({ limit: 3, after: BigInt(first.next ?? '') });
    const positions = [...first.links, ...second.links].map((each) => each.position);
    const newest = (await log.head())?.position ?? 0n;
    expect(positions).toEqual(Array.from({ length: 6 }, (_, index) => newest - BigInt(index)));
    await expect(log.show({ kind: 'request.forgotten' })).rejects.toMatchObject({ code: 'log_kind_unknown' });
  });

  it('can be computed again with SQL alone, as docs/log.md says', async () => {
    const rows = await host(`select l.position::int as position,
        l.payload_hash = encode(sha256('gcos-log-payload'::bytea || '\\x00'::bytea || convert_to(l.payload::text, 'UTF8')), 'hex')
        and l.row_hash = encode(sha256('gcos-log'::bytea || '\\x00'::bytea || convert_to(jsonb_build_array(l.position, l.kind,
          to_char(l.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), l.login, l.subject, l.previous_hash, l.payload_hash)::text,
          'UTF8')), 'hex')
        and l.previous_hash = coalesce(lag(l.row_hash) over (order by l.position), repeat('0', 64)) as holds
      from gcos_log l order by l.position`);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.every((row) => row['holds'] === true)).toBe(true);
    expect(rows.map((row) => row['position'])).toEqual(rows.map((_, index) => index + 1));
  });

  it('hashes names with any character as PostgreSQL prints them', async () => {
    const name = 'weird "name" \\ with\ttab, \u0001 control, é, \u2028 and 𝄞';
    await host(
      `insert into governance_actor (person_ref, login, approver_type) values (e'${name.replaceAll('\\', '\\\\').replaceAll('\t', '\\t')}', null, 'member')`,
    );
    expect((await log.show({ limit: 1 })).links[0]).toMatchObject({ kind: 'actor.changed', subject: name });
    expect(await log.verify()).toMatchObject({ intact: true });
  });

  it.each(['reader', 'worker', 'api', 'server', 'pruner'])(
    '%s: reads the log and cannot write it',
    async (role) => {
      const as = (text: string) => asHost(urlAs(estate.url, role), text);
      expect(await as('select count(*)::int > 0 as there from gcos_log')).toEqual([{ there: true }]);
      expect(await as('select count(*)::int as n from gcos_log_head')).toEqual([{ n: 1 }]);
      for (const text of [
        'insert into gcos_log select * from gcos_log limit 1',
        "update gcos_log set login = 'x'",
        'delete from gcos_log',
        'truncate gcos_log',
        'update gcos_log_head set position = 1',
        'delete from gcos_gate_seal',
        'update gcos_gate_seal_mark set up_to = 1000000',
        "select gcos_log_append('request.approved', 'x', '{}')",
        'select gcos_log_row()',
        ...(role === 'worker' ? [] : ['select gcos_seal_gate()']),
      ])
        await expect(as(text), text).rejects.toMatchObject({
          code: expect.stringMatching(/^(42501|25006)$/),
        });
    },
  );

  it('is append-only also for its owner and for a superuser', async () => {
    for (const role of ['gcos_trust_owner', 'postgres'])
      for (const text of [
        "update gcos_log set login = 'x'",
        'delete from gcos_log',
        'truncate gcos_log',
        'update gcos_log_head set position = position + 2',
        'update gcos_log_head set position = position - 1',
        'delete from gcos_log_head',
        'delete from gcos_gate_seal',
      ])
        await expect(host(`set role ${role}; ${text}`), text).rejects.toMatchObject({ code: '23001' });
  });

  it('cannot be used by the other owner for a table of its own', async () => {
    await expect(
      host(`grant create on schema public to gcos_owner; set role gcos_owner; create table forged (like candidate_scan_run);
        create trigger t after insert on forged for each row execute function gcos_log_ledger()`),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('records the activation with the hash of its content', async () => {
    await host(
      `update governance_setting set setting_value = '{"longest_days": 90}' where setting_key = 'exception.limits'`,
    );
    await putRulesIntoForce(estate.gcos);
    const [activated] = (await log.show({ kind: 'ruleset.activated', limit: 1 })).links;
    const [row] = await host(`select content_hash from governance_ruleset where status = 'active'`);
    expect(activated?.payload).toMatchObject({ content_hash: row?.['content_hash'] });
    expect(await log.verify()).toMatchObject({ intact: true });
  });
});
