-- What was decided in one check, item by item, after item $2, at most $3.
select d.check_id, d.item_no, d.decided_at, d.as_of, d.answer, d.mode, d.high_risk, d.stage, d.action, d.login, d.person_ref,
  d.collection_name, d.entity_code, d.group_asked, d.inventory_key, d.pass_code, d.scopes, d.snapshot_refs, d.ruleset_versions,
  d.scan_times, d.reasons
from governance_gate_decision d
where d.check_id = $1::bigint and d.item_no > $2::integer
order by d.item_no
limit $3::bigint
