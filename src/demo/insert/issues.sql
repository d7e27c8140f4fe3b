-- Issues :first to :last, in the form in which the host's own checks raise issues about births.
insert into system_issues (
  id, code, title, issue_type, issue_class, sub_class, severity, entity_type, entity_code, source, source_system,
  coalesce_key, occurrence_count, reopen_count, business_logic_hash, violation_hash, run_id, parent_issue_id,
  evidence_snapshot, status, first_seen_at, last_seen_at)
select
  id, 'ISS-' || lpad(id::text, greatest(6, length(id::text)), '0'), issue_type || ' in ' || collection_name,
  issue_type,
  case issue_type
    when 'collection_onboarding_gap' then 'thiếu_quan_hệ'
    when 'heartbeat_missed' then 'silent_fail'
    else 'sai_lệch_dữ_liệu'
  end,
  case when hash % 3 = 0 then 'automatic' end,
  (array['info', 'info', 'info', 'warning', 'warning', 'critical'])[1 + hash / 16 % 6],
  object_class, entity_code, 'birth_check', 'platform',
  'birth:' || issue_type || ':' || collection_name || ':' || entity_code,
  (1 + hash / 64 % 9)::integer, (case when hash % 29 = 0 then 1 else 0 end),
  md5(issue_type || collection_name), md5(collection_name || '/' || entity_code),
  'run-' || lpad((1 + id * 120 / :issues)::text, 3, '0'),
  case when id % 40 = 0 then id - 1 end,
  jsonb_build_object('collection', collection_name, 'births', hash / 128 % 1000)::json,
  case when hash % 10 < 8 then 'resolved' when hash % 10 = 8 then 'open' else 'ignored' end,
  first_seen_at, first_seen_at + interval '1 minute' * (hash / 256 % 10000)
from (
  select entry.id, entry.hash, c.object_class, b.collection_name, b.entity_code,
    -- 345 onboarding gaps at full size, as on the reference host.
    case
      when entry.id % 551 = 0 then 'collection_onboarding_gap'
      else (array['count_drift', 'species_unusual', 'relation_missing', 'heartbeat_missed'])[1 + entry.hash % 4]
    end as issue_type,
    timestamptz '2026-02-17 07:00:00+00'
      + interval '1 microsecond' * (entry.id * :step + entry.hash % :step) as first_seen_at
  from (
    select id, hashint8extended(id, :seed + 2) & 9223372036854775807 as hash
    from generate_series(:first::bigint, :last::bigint) as id
  ) as entry
  join birth_registry b on b.id = 1 + entry.hash % :sound_births
  left join pg_temp.estate_collection c using (collection_name)
) as issue;
