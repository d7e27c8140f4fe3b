// The three modes of a scan. Most assertions are about work that a scan does not do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import { readActive } from '../../src/rule/ruleset/index.js';
import { watchCandidates } from '../../src/work/scan/index.js';
import { resetClock, setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

let estate: Estate;
const host = (text: string) => asHost(estate.url, text);
const scan = (mode: 'event' | 'incremental' | 'full') => estate.gcos.scans.run({ mode });

/** The row versions of all tables that a scan can write besides its run. */
async function versions(): Promise<unknown> {
  const tables = [
    'governance_candidate_state',
    'governance_candidate_object',
    'governance_verdict_history',
    'governance_group',
    'governance_inventory',
    'governance_finding_key',
    'system_issues',
    'registry_changelog',
  ];
  const parts = tables.map(
    (table) =>
      `select '${table}' as t, count(*)::int as n, md5(coalesce(string_agg(x.ctid::text || x.xmin::text, '|' order by x.ctid), '')) as v from ${table} x`,
  );
  return host(`${parts.join(' union all ')} order by t`);
}

/** Marks the groups of a collection, as the intake does. */
const mark = (collection: string, reason: string, ago = '1 hour') =>
  host(
    `update governance_candidate_state c set dirty = true, dirty_reason = '${reason}', dirtied_at = now() - interval '${ago}'
     from governance_inventory i where i.inventory_key = c.inventory_key and i.source_registry = '${collection}' and c.row_state = 'active'
     returning c.row_id`,
  );
const dirty = async () =>
  Number((await host(`select count(*)::int as n from governance_candidate_state where dirty`))[0]?.['n']);

beforeEach(async () => {
  estate = await createEstate('scanned');
});
afterEach(() => estate.close());

describe('a full scan', () => {
  it('evaluates everything, closes the ledger, and leaves no relevant unit unevaluated', async () => {
    await estate.close();
    estate = await createEstate('backfilled');
    const before = await estate.gcos.ledgers.show();
    expect(before.scopes.some((each) => each.unverifiedBy['not_evaluated'] !== undefined)).toBe(true);
    const report = await scan('full');
    expect(report).toMatchObject({
      mode: 'full',
      proof: { closed: true, omitted: 0n, duplicated: 0n },
      ledger: { closes: true },
    });
    expect(report.lookedAt).toBeGreaterThan(100);
    expect(report.findings.raised).toBeGreaterThan(20);
    for (const scope of report.ledger?.scopes ?? []) {
      expect(scope.closes).toBe(true);
      expect(scope.unverifiedBy['not_evaluated'] ?? 0).toBe(0);
    }
    expect(report.ledger?.scopes.some((each) => each.covered > 0 && each.orphans > 0)).toBe(true);
    // No read-only login is configured, so no detector can pass.
    expect(report.detectors).toMatchObject({ passed: 0, violated: 0 });
    expect(report.detectors?.notEvaluated).toBeGreaterThan(100);
  });

  it('changes nothing when it runs again, and raises no finding a second time', async () => {
    expect(await scan('full')).toMatchObject({
      changed: 0,
      findings: { raised: 0, reopened: 0, resolved: 0 },
      ledger: { closes: true },
    });
  });
});

/** The number of open findings of a type. */
const open = async (type: string) =>
  (await host(`select entity_code from system_issues where issue_type = '${type}' and status = 'open'`))
    .length;

describe('findings and signals about scans', () => {
  it('candidate_unknown is open until coverage is evaluated, candidate_stale and candidate_scan_lag while groups wait', async () => {
    expect(await open('candidate_unknown')).toBe(0);
    await host(`update governance_candidate_state c set stale_after = now() - interval '1 day', dirty = true, dirty_reason = 'handoff:policy_changed', dirtied_at = now() - interval '1 day',
      coverage_outcome = 'not_evaluated'
      from governance_inventory i where i.inventory_key = c.inventory_key and i.source_registry = 'orders' and c.row_state = 'active' and c.coverage_required`);
    const watch = () =>
      estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => {
        const at = await readServerTime(tx);
        const version = (await readActive(tx))?.version ?? null;
        return watchCandidates(tx, {
          runId: 'watch',
          at,
          ruleset: version,
          activeRuleset: version,
        });
      });
    const types = (await watch()).raised.map((each) => each.type);
    expect(new Set(types)).toEqual(new Set(['candidate_stale', 'candidate_unknown', 'candidate_scan_lag']));
    expect(await watch()).toMatchObject({ raised: [], repeated: types.length });
    await scan('incremental');
    expect((await watch()).resolved).toHaveLength(types.length);
    expect([
      await open('candidate_unknown'),
      await open('candidate_stale'),
      await open('candidate_scan_lag'),
    ]).toEqual([0, 0, 0]);
  });

  it('a run writes a signal at its end; of those that change nothing, one in an hour does', async () => {
    const held = async () =>
      Number(
        (
          await host(
            `select count(*)::int as n from event_pending where event_type_hint = 'candidate.scan_completed'`,
          )
        )[0]?.['n'],
      );
    const before = await held();
    await setClock(estate.url, { at: '2026-06-02 10:00:00+00' });
    await scan('event');
    expect(await held()).toBe(before + 1);
    await setClock(estate.url, { at: '2026-06-02 10:59:00+00' });
    await scan('event');
    expect(await held()).toBe(before + 1);
    await setClock(estate.url, { at: '2026-06-02 11:00:00+00' });
    await scan('event');
    expect(await held()).toBe(before + 2);
    await resetClock(estate.url);
    await host(
      `update governance_candidate_state set candidate_verdict = 'unknown', dirty = true, dirty_reason = 'ruleset_bump', input_hash = '',
         dirtied_at = now() - interval '1 hour'
       where row_id = (select min(row_id) from governance_candidate_state where candidate_verdict = 'relevant' and row_state = 'active')`,
    );
    const changing = async () => (await scan('event')).changed;
    expect(await changing()).toBeGreaterThan(0);
    expect(await held()).toBe(before + 3);
  });
});

describe('when no group waits', () => {
  it.each(['event', 'incremental'] as const)(
    'an %s scan selects no group and writes only its run',
    async (mode) => {
      const before = await versions();
      expect(await scan(mode)).toMatchObject({
        lookedAt: 0,
        cutOff: 0,
        evaluated: 0,
        changed: 0,
        widened: null,
      });
      expect(await versions()).toEqual(before);
      expect((await estate.gcos.scans.status()).runs[0]).toMatchObject({ mode, status: 'completed' });
    },
  );
});

describe('seed 34 §5: event-driven, incremental and full', () => {
  it('an event scan evaluates the marked groups, and no others', async () => {
    const marked = await mark('orders', 'handoff:authority_changed');
    const before = await host(
      `select md5(string_agg(c.row_id::text || c.xmin::text, '|' order by c.row_id)) as v from governance_candidate_state c where not c.dirty`,
    );
    const report = await scan('event');
    expect(report).toMatchObject({ lookedAt: marked.length, evaluated: marked.length, cutOff: 0 });
    expect(await dirty()).toBe(0);
    const ids = marked.map((row) => row['row_id']).join(', ');
    expect(
      await host(
        `select md5(string_agg(c.row_id::text || c.xmin::text, '|' order by c.row_id)) as v from governance_candidate_state c where c.row_id not in (${ids})`,
      ),
    ).toEqual(before);
  });

  it('an event scan skips a mark that is younger than its window; an incremental scan does not', async () => {
    await host(
      `update governance_setting set setting_value = setting_value || '{"debounce_ms": 600000}' where setting_key = 'scan.pace'`,
    );
    const marked = await mark('orders', 'handoff:authority_changed', '1 second');
    expect(await scan('event')).toMatchObject({ lookedAt: 0 });
    expect(await dirty()).toBe(marked.length);
    expect(await scan('incremental')).toMatchObject({ lookedAt: marked.length });
    expect(await dirty()).toBe(0);
  });

  it('an incremental scan selects expired verdicts; an event scan does not', async () => {
    const { length } = await host(
      `update governance_candidate_state c set stale_after = now() - interval '1 minute'
       from governance_inventory i where i.inventory_key = c.inventory_key and i.source_registry = 'orders' and c.row_state = 'active' returning 1`,
    );
    expect(await scan('event')).toMatchObject({ lookedAt: 0 });
    expect(await scan('incremental')).toMatchObject({ lookedAt: length, changed: 0 });
    expect((await estate.gcos.scans.status()).groups).toBe(0n);
  });
});

describe('early cut-off', () => {
  it('verdicts with equal inputs are renewed and not evaluated', async () => {
    const marked = await mark('orders', 'handoff:source_changed');
    expect(await scan('incremental')).toMatchObject({
      lookedAt: marked.length,
      cutOff: marked.length,
      evaluated: 0,
      changed: 0,
      findings: { raised: 0, resolved: 0, reopened: 0 },
    });
    expect(await dirty()).toBe(0);
  });

  it('1,000 edits that change no governance input cause 0 evaluations', async () => {
    await estate.gcos.intakes.once();
    await scan('incremental');
    await host(
      `update birth_registry set canonical_address = 'x' where id in (select id from birth_registry where collection_name = 'orders' and entity_code not like 'ORD-9%' order by id limit 1000)`,
    );
    await estate.gcos.intakes.once();
    const report = await scan('incremental');
    expect(report).toMatchObject({ evaluated: 0, changed: 0 });
    expect(await dirty()).toBe(0);
  });
});

describe('a new birth', () => {
  it('reaches its group through intake and scan: a new tool gets a verdict and a coverage outcome', async () => {
    await host(
      `insert into dot_tools (dot_code, name, tier) values ('DOT-SCAN', 'scanned', 'A');
       insert into birth_registry (entity_code, collection_name, species_code, status, governance_role, dot_origin)
       select 'DOT-SCAN', b.collection_name, b.species_code, b.status, b.governance_role, b.dot_origin
       from birth_registry b where b.collection_name = 'dot_tools' and b.entity_code = 'DOT-117' limit 1`,
    );
    await estate.gcos.intakes.once();
    const report = await scan('incremental');
    expect(report.evaluated).toBeGreaterThan(0);
    const rows = await host(
      `select scope, candidate_verdict, coverage_outcome from governance_candidate_object where collection_name = 'dot_tools' and entity_code = 'DOT-SCAN' and row_state = 'active' order by scope`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(
      rows.filter(
        (row) => row['candidate_verdict'] === 'relevant' && row['coverage_outcome'] === 'not_evaluated',
      ),
    ).toEqual([]);
    expect(await dirty()).toBe(0);
  });
});

describe('canaries', () => {
  it('a scan that misses a canary fails and renews nothing', async () => {
    const marked = await mark('orders', 'handoff:authority_changed');
    await host(`insert into queue_heartbeat (executor_name, executor_kind, last_tick_at, last_tick_status, ticks_total)
      values ('gcos:canary/nothing', 'test', now(), 'ok', 1)`);
    const before = await versions();
    await expect(scan('incremental')).rejects.toMatchObject({ code: 'scan_canary_missed' });
    expect(await versions()).toEqual(before);
    expect(await dirty()).toBe(marked.length);
    expect((await estate.gcos.scans.status()).runs[0]).toMatchObject({ status: 'failed' });
    await expect(scan('full')).rejects.toMatchObject({ code: 'scan_canary_missed' });
    await host(`delete from queue_heartbeat where executor_name = 'gcos:canary/nothing'`);
    expect(await scan('incremental')).toMatchObject({ lookedAt: marked.length });
  });
});

describe('more than one scanner', () => {
  it('the second is refused as busy if the first is still running, and no group stays dirty', async () => {
    await mark('orders', 'handoff:authority_changed');
    const outcomes = await Promise.allSettled([scan('incremental'), scan('incremental')]);
    const busy = outcomes.filter((each) => each.status === 'rejected');
    for (const each of busy) expect(each.reason).toMatchObject({ code: 'scan_busy' });
    expect(busy.length).toBeLessThan(2);
    expect(await dirty()).toBe(0);
  });
});

describe('many groups at once', () => {
  it('are evaluated in one pass, as the report states', async () => {
    await host(
      `update governance_candidate_state set dirty = true, dirty_reason = 'handoff:authority_changed', dirtied_at = now() - interval '2 minutes' where row_state = 'active'`,
    );
    const report = await scan('incremental');
    expect(report.widened).toMatch(/^\d+ of \d+ inventory groups wait: evaluated in one pass$/);
    expect(report).toMatchObject({ changed: 0, findings: { raised: 0, resolved: 0 } });
    expect(await dirty()).toBe(0);
  });

  it('are evaluated in several transactions if they have more units than one may evaluate', async () => {
    await host(
      `update governance_setting set setting_value = setting_value || '{"units_at_once": 200}' where setting_key = 'scan.pace';
       update governance_candidate_state set dirty = true, dirty_reason = 'handoff:authority_changed', dirtied_at = now() - interval '2 minutes' where row_state = 'active'`,
    );
    const report = await scan('incremental');
    expect(report).toMatchObject({ widened: null, changed: 0, failed: 0 });
    expect(await dirty()).toBe(0);
    const transactions = await host(
      `select sum(i.units)::int as units, count(*)::int as groups
       from (select distinct c.xmin::text as xid, c.inventory_key from governance_candidate_state c where c.last_run_id = '${report.runId}') t
       join (select inventory_key, case when inherits then 1 else coalesce(grain_count, member_count, 1000) end as units from governance_inventory) i
         using (inventory_key)
       group by t.xid`,
    );
    expect(transactions.length).toBeGreaterThan(2);
    for (const { units, groups } of transactions)
      if (Number(groups) > 1) expect(Number(units)).toBeLessThanOrEqual(200);
  });

  it('wait out of the groups that can wait, which are more than those with births', async () => {
    // The signal types that GCOS registered: members without a birth, in a group without births.
    const [empty] = await host(
      `select count(*)::int as n from governance_inventory i where i.member_count = 0
         and exists (select from governance_candidate_state c where c.inventory_key = i.inventory_key and c.row_state = 'active')`,
    );
    expect(empty?.['n']).toBeGreaterThan(0);
    await host(
      `update governance_candidate_state set dirty = true, dirty_reason = 'handoff:authority_changed', dirtied_at = now() - interval '2 minutes' where row_state = 'active'`,
    );
    const [all] = await host(
      `select count(distinct inventory_key)::int as n from governance_candidate_state where row_state = 'active'`,
    );
    const report = await scan('incremental');
    expect(report.widened).toBe(
      `${all?.['n']} of ${all?.['n']} inventory groups wait: evaluated in one pass`,
    );
  });
});
