// What a stolen login of a worker can and cannot do. It computes verdicts, so it can write them, and the next
// full scan says so. It alters no closed run, no history, no audit row, and gives no time.
import { describe, expect, it } from 'vitest';
import { asHost, urlAs } from '../../support/database.js';
import type { CreateEstate, Estate } from '../../support/estate.js';
import { until } from '../../support/wait.js';

export function workerAttacks(create: CreateEstate): void {
  const DENIED = { code: '42501' };

  async function inEstate(
    kind: 'reconciled' | 'scanned',
    attack: (estate: Estate, worker: string) => Promise<void>,
  ) {
    const estate = await create(kind);
    try {
      await attack(estate, urlAs(estate.url, 'worker'));
    } finally {
      await estate.close();
    }
  }

  describe('a stolen worker login', () => {
    it('alters no closed run: neither its ledger nor its times nor its status', () =>
      inEstate('scanned', async ({ url }, worker) => {
        const runs = () =>
          asHost(url, 'select to_jsonb(r)::text as row from candidate_scan_run r order by run_id');
        const before = await runs();
        const [closed] = await asHost(
          url,
          `select run_id from candidate_scan_run where mode = 'full' and status = 'completed'`,
        );
        const runId = String(closed?.['run_id']);
        for (const text of [
          `update candidate_scan_run set ledger = '{}' where run_id = '${runId}'`,
          'update candidate_scan_run set started_at = now()',
          'delete from candidate_scan_run',
          `insert into candidate_scan_run (run_id, kind, mode, status, started_at, ledger) values ('x', 'scan', 'full', 'completed', now(), '{}')`,
          'truncate candidate_scan_run',
        ])
          await expect(asHost(worker, text), text).rejects.toMatchObject(DENIED);
        expect(
          await asHost(
            worker,
            `select gcos_write_run('${runId}', 'completed', null, null, null, null, null, null, '{}', null) as written`,
          ),
        ).toEqual([{ written: false }]);
        expect(
          await asHost(
            worker,
            `select gcos_begin_run('${runId}', 'scan', 'full', null, null, null, '{}') as begun`,
          ),
        ).toEqual([{ begun: false }]);
        await asHost(worker, `select gcos_end_runs(true, null, null, null, 'by hand')`);
        expect(await runs()).toEqual(before);
      }));

    it('changes with no setting of its session what a function computes', () =>
      inEstate('scanned', async ({ gcos }, worker) => {
        await gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-117' }]);
        for (const setting of [
          'standard_conforming_strings=off',
          'timezone=Asia/Tokyo',
          'datestyle=SQL,DMY',
          'extra_float_digits=-15',
          'bytea_output=escape',
          'quote_all_identifiers=on',
        ]) {
          const own = `${worker}${worker.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c ${setting}`)}`;
          await gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-118' }]);
          await until('every answer is sealed', async () => {
            await asHost(own, 'select from gcos_seal_gate()');
            return (await gcos.log.verify()).unsealed === 0n;
          });
          expect(await gcos.log.verify(), setting).toMatchObject({ intact: true, differing: 0 });
          await expect(
            asHost(
              own,
              `select gcos_emit(array['input.stale'], array['t'], array[''], array['a'], array['high'], array['{"apiToken": 1}'], array[''], array[''], array[''])`,
            ),
            setting,
          ).rejects.toMatchObject({ code: '22023' });
        }
      }));

    it('begins a run only now: a run cannot claim that it watched at another time', () =>
      inEstate('scanned', async ({ url }, worker) => {
        const [moment] = await asHost(url, 'select now()::text as at');
        await asHost(worker, `select gcos_begin_run('mine', 'scan', 'full', null, null, null, '{}')`);
        const [run] = await asHost(
          url,
          `select status, started_at between '${moment?.['at']}' and clock_timestamp() as now from candidate_scan_run where run_id = 'mine'`,
        );
        expect(run).toEqual({ status: 'running', now: true });
        await expect(asHost(worker, `update gov_intake_watch set watched_at = now()`)).rejects.toMatchObject(
          DENIED,
        );
        // It has no fence of the intake.
        await expect(
          asHost(worker, `select gcos_note_watched('intake', 'birth_registry', -1)`),
        ).rejects.toMatchObject({ code: 'UG001' });
      }));

    it('changes and deletes no history, and gives a row neither a number nor a time', () =>
      inEstate('scanned', async ({ url }, worker) => {
        const columns = `row_id, group_key, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_after, verdict_line, cause, run_id`;
        const values = `1, 'g', 's', 'r', 1, now(), 'relevant', 8, 'c', 'forged'`;
        for (const text of [
          `update governance_verdict_history set verdict_after = 'relevant'`,
          'delete from governance_verdict_history',
          'truncate governance_verdict_history',
          `insert into governance_verdict_history (${columns}, recorded_at) values (${values}, '2020-01-01')`,
          `insert into governance_verdict_history (history_id, ${columns}) overriding system value values (1, ${values})`,
        ])
          await expect(asHost(worker, text), text).rejects.toMatchObject(DENIED);
        // It can append: the row shows when.
        await asHost(worker, `insert into governance_verdict_history (${columns}) values (${values})`);
        expect(
          await asHost(
            url,
            `select recorded_at > now() - interval '1 hour' as recent from governance_verdict_history where run_id = 'forged'`,
          ),
        ).toEqual([{ recent: true }]);
      }));

    it('writes no audit rows of what people do, and none in the name of a person', () =>
      inEstate('scanned', async ({ url }, worker) => {
        for (const [type, action] of [
          ['governance_ruleset', 'activate'],
          ['governance_exception', 'grant'],
          ['governance_gate', 'break_glass'],
          ['governance_worker', 'pause'],
          ['governance_finding', 'resolve'],
          ['governance_snapshot', 'prune'],
        ]) {
          await expect(
            asHost(worker, `select gcos_audit_work('{${type}}', '{x}', '{${action}}', '{"{}"}')`),
          ).rejects.toMatchObject({ code: '22023' });
          await expect(
            asHost(worker, `select gcos_audit('{${type}}', '{x}', '{${action}}', '{"{}"}', 'president')`),
          ).rejects.toMatchObject(DENIED);
        }
        for (const text of [
          `update registry_changelog set changed_by = 'x'`,
          'delete from registry_changelog',
          `insert into registry_changelog (entity_type, entity_code, action) values ('governance_ruleset', 'x', 'activate')`,
        ])
          await expect(asHost(worker, text), text).rejects.toMatchObject(DENIED);
        await asHost(
          worker,
          `select gcos_audit_work('{governance_snapshot}', '{forged}', '{capture}', '{"{}"}')`,
        );
        expect(
          await asHost(url, `select changed_by from registry_changelog where entity_code = 'forged'`),
        ).toEqual([{ changed_by: 'gcos:gcos_worker' }]);
      }));

    it('opens no request, decides none, retries no dead letter, prunes nothing, pauses nothing, changes no setting', () =>
      inEstate('scanned', async (_estate, worker) => {
        for (const text of [
          `select gcos_open_request('gcos.exception.grant', '{}', null)`,
          `select gcos_decide('APR-0001', 'approve', null, null)`,
          `select gcos_withdraw_request('APR-0001', null, null)`,
          `select gcos_retry_dead_letters(null, null)`,
          'select gcos_retry_signals(null)',
          'select gcos_set_paused(true, $$x$$)',
          'select gcos_set_paused(false, null)',
          `select gcos_prune_gate('2020-01-01')`,
          'select gcos_prune_snapshots(0)',
          `update governance_setting set setting_value = '{}' where setting_key = 'worker.paused'`,
          'delete from governance_gate_answer',
          'delete from evolution_snapshots',
          'update system_issues set status = $$resolved$$',
          'select gcos_seed_input()',
          'select gcos_seed_reach()',
        ])
          await expect(asHost(worker, text), text).rejects.toMatchObject(DENIED);
      }));

    it('can alter a verdict, and the next full scan says so with the gravest severity', () =>
      inEstate('reconciled', async ({ url, gcos }, worker) => {
        const altered = await asHost(
          worker,
          `update governance_candidate_state set coverage_outcome = 'covered'
           where row_id = (select min(row_id) from governance_candidate_state where coverage_outcome = 'orphan' and row_state = 'active' and not dirty)
           returning inventory_key`,
        );
        expect(altered).toHaveLength(1);
        const report = await gcos.scans.run({ mode: 'full' });
        expect(report.contradicted).toBeGreaterThan(0);
        expect(
          await asHost(
            url,
            `select k.subject, k.severity, i.status from governance_finding_key k join system_issues i on i.id = k.issue_id where k.finding_type = 'verdict_tampered'`,
          ),
        ).toEqual([{ subject: altered[0]?.['inventory_key'], severity: 'critical', status: 'open' }]);
      }));
  });
}
