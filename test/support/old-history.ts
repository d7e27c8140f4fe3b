// Writes the history that a worker leaves in months, and sets how long GCOS keeps it.
import { asHost } from './database.js';
import { setBirthsAside } from './retry-rows.js';

/** A policy that prunes nothing. */
export const FOR_EVER = {
  runs_days: null,
  retries_days: null,
  held_days: null,
  deliveries_days: null,
  sign_ins_days: null,
  decisions_days: null,
  feed_days: null,
};

/** SQL that sets how many days of each kind GCOS keeps. */
export const keepHistory = (value: object | null): string =>
  `update governance_setting set setting_value = '${JSON.stringify(value)}' where setting_key = 'history.keep'`;

/** Every minute of `days` days: a scan of the backlog, and its signals; and 5,000 births that were retried. */
export async function writeHistory(url: string, days: number): Promise<void> {
  const host = (text: string) => asHost(url, text);
  const minutes = `(select now() - n * interval '1 minute' as at, n from generate_series(1, ${days * 1_440}) n) m`;
  await host(`
    insert into candidate_scan_run (run_id, kind, mode, status, started_at, finished_at, source_snapshot_ref, ruleset_version, counts)
    select 'old-' || m.n, 'scan', 'incremental', 'completed', m.at, m.at, r.source_snapshot_ref, r.ruleset_version, '{}'
    from ${minutes}, (select source_snapshot_ref, ruleset_version from candidate_scan_run where mode = 'full' limit 1) r`);
  await host(`
    with held as (
      insert into event_pending (event_domain, event_type_hint, entity_table, entity_ref, canonical_address, actor_ref, capture_payload, error_count)
      select 'governance', t.type, 'governance_candidate_state', null, 'candidate_scan_run:old-' || m.n, 'gcos',
        jsonb_build_object('source', 'gcos', 'order', t.no - m.n * 10, 'occurred_at', m.at, 'payload', '{}'::jsonb), 0
      from ${minutes}, (values (1, 'candidate.scan_completed'), (2, 'coverage.orphan')) as t(no, type)
      where t.no = 1 or m.n % 1440 = 0
      returning id, event_type_hint, capture_payload
    )
    insert into governance_hold (order_no, event_type, subject_table, subject_ref, pending_id, held_at)
    select (h.capture_payload ->> 'order')::bigint, h.event_type_hint, 'governance_candidate_state', '', h.id, (h.capture_payload ->> 'occurred_at')::timestamptz
    from held h`);
  await host(`
    insert into governance_delivery (kind, recipient_ref, event_id, event_type, canonical_address, severity, signals, window_start, delivered_at, read_at, read_by)
    select 'signal', 'GOV-COUNCIL', gen_random_uuid(), 'coverage.orphan', 'a', 'low', 1, date_trunc('hour', m.at), m.at,
      case when m.n % 100 > 0 then m.at end, case when m.n % 100 > 0 then 'x' end
    from ${minutes} where m.n % 10 = 0`);
  await host(
    `insert into governance_signal_key (signal_id, seen_at) select gen_random_uuid(), m.at from ${minutes}`,
  );
  await host(setBirthsAside('intake', 'id in (select id from birth_registry order by id limit 5000)'));
  await host(
    `update gov_worker_retry set completed_at = now() - interval '40 days' where mod(failed_ref::bigint, 2) = 0`,
  );
  await host(
    `update gov_worker_retry set completed_at = now() - interval '1 day' where completed_at is null`,
  );
  await host(
    'analyze candidate_scan_run; analyze event_pending; analyze governance_hold; analyze governance_delivery; analyze gov_worker_retry',
  );
}
