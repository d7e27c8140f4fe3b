-- name: askGate
-- Runs the gate: :collections to :actions are parallel arrays with one element per question; an object has a
-- collection and a code, a group has a key. One row per answer, with the numbers of its questions.
-- nullable: watched_at, pass_code, reasons, valid_until, :claimed_types, :claimed_ids
select c.check_id, c.item_nos, c.decided_at, c.watched_at, c.answer, c.mode, c.high_risk, c.pass_code, c.scopes, c.snapshot_refs,
  c.ruleset_versions, c.scan_times, c.reasons, c.valid_until
from gcos_gate_check(
  :collections::text[], :codes::text[], :groups::text[], :stages::text[], :actions::text[], :claimed_types::text[], :claimed_ids::text[]) c

-- name: askGateAsOf
-- What the gate would answer as of :at; records nothing. The columns have the names of an answer's, for the
-- wording.
-- nullable: watched_at, pass_code, reasons, valid_until
select array[c.item_no::int4] as item_nos, c.as_of, c.watched_at, c.would_be as answer, c.mode, c.high_risk, c.would_use_pass as pass_code, c.scopes,
  c.snapshot_refs, c.ruleset_versions, c.scan_times, c.would_have_reasons as reasons, null::timestamptz as valid_until
from gcos_gate_as_of(:collections::text[], :codes::text[], :groups::text[], :stages::text[], :actions::text[], :at::timestamptz) c
order by c.item_no

-- name: readDecisions
-- The decisions of one check in item order, after item :after, at most :limit.
-- nullable: watched_at, person_ref, collection_name, entity_code, requested_group, inventory_key, pass_code, reasons, claimed_type, claimed_id, valid_until
select d.check_id, d.item_no, d.decided_at, d.watched_at, d.answer, d.mode, d.high_risk, d.stage, d.action, d.login, d.person_ref,
  d.collection_name, d.entity_code, d.requested_group, d.inventory_key, d.pass_code, d.scopes, d.snapshot_refs, d.ruleset_versions,
  d.scan_times, d.reasons, d.claimed_type, d.claimed_id, d.valid_until
from governance_gate_decision d
where d.check_id = :check_id::bigint and d.item_no > :after::integer
order by d.item_no
limit :limit::bigint

-- name: listDecisions
-- The latest decisions in descending order, after decision :before_item of check :before_check if given, at
-- most :limit, that agree with each given filter.
-- nullable: watched_at, person_ref, collection_name, entity_code, requested_group, inventory_key, pass_code, reasons, claimed_type, claimed_id, valid_until, :answer, :stage, :action, :collection, :code, :group, :passed, :check_id, :before_check, :before_item
select d.check_id, d.item_no, d.decided_at, d.watched_at, d.answer, d.mode, d.high_risk, d.stage, d.action, d.login, d.person_ref,
  d.collection_name, d.entity_code, d.requested_group, d.inventory_key, d.pass_code, d.scopes, d.snapshot_refs, d.ruleset_versions,
  d.scan_times, d.reasons, d.claimed_type, d.claimed_id, d.valid_until
from governance_gate_decision d
where (:before_check::bigint is null or d.check_id <= :before_check::bigint and (d.check_id, d.item_no) < (:before_check::bigint, :before_item::integer))
  and (:check_id::bigint is null or d.check_id = :check_id::bigint)
  and (:answer::text is null or d.answer = :answer::text)
  and (:stage::text is null or d.stage = :stage::text)
  and (:action::text is null or d.action = :action::text)
  and (:collection::text is null or d.collection_name = :collection::text)
  and (:code::text is null or d.entity_code = :code::text)
  and (:group::text is null or d.requested_group = :group::text)
  and (:passed::boolean is null or (d.pass_code is not null) = :passed::boolean)
order by d.check_id desc, d.item_no desc
limit :limit::bigint

-- name: readFilterNames
-- What a filter of decisions may name: the collections, and whether there is the group and the check.
-- nullable: :group, :check_id
select array(select distinct i.source_registry from governance_inventory i) as collections,
  :group::text is null or exists (select from governance_inventory i where i.inventory_key = :group)
    or exists (select from governance_group g where g.group_key = :group)
    or exists (select from governance_candidate_state c where c.group_key = :group) as group_known,
  :check_id::bigint is null or exists (select from governance_gate_answer d where d.check_id = :check_id) as check_known

-- name: listChecks
-- The latest checks in descending order, before check :before if given, at most :limit, with the counts of
-- each.
-- nullable: person_ref, first_subject, :before
select d.check_id, min(d.decided_at) as decided_at, min(d.login) as login, min(d.person_ref) as person_ref, count(*) as items,
  count(*) filter (where d.answer = 'allow') as allowed, count(*) filter (where d.answer = 'allow_and_rescan') as to_rescan,
  count(*) filter (where d.answer = 'block' and d.mode = 'enforce') as blocked,
  count(*) filter (where d.answer = 'block' and d.mode = 'observe') as would_block,
  count(*) filter (where d.pass_code is not null) as passed,
  min(coalesce(d.collection_name || ' / ' || d.entity_code, d.requested_group)) as first_subject
from governance_gate_decision d
where d.check_id in (
  select n.check_id from governance_gate_answer n
  where n.first_item = 1 and (:before::bigint is null or n.check_id < :before::bigint)
  order by n.check_id desc
  limit :limit::bigint)
group by d.check_id
order by d.check_id desc

-- name: pruneDecisions
-- Deletes the decisions made before :before; returns their number.
select p.decisions, p.checks from gcos_prune_gate(:before::timestamptz) as p

-- name: readObserving
-- The stages of the active ruleset that only observe, and the number of blocks each has not enforced since
-- its activation.
select s.stage, coalesce(sum(cardinality(d.item_nos)), 0)::bigint as would_have_blocked
from governance_ruleset r
cross join lateral gcos_gate_rules_of(r.ruleset_version) k
cross join unnest(array['design', 'impl', 'route', 'prod']) with ordinality as s(stage, no)
left join governance_gate_answer d
  on d.stage = s.stage and d.mode = 'observe' and d.answer = 'block' and d.decided_at >= r.activated_at
where r.family = 'governance' and r.status = 'active' and k.modes ->> s.stage = 'observe'
group by s.stage, s.no
order by s.no

-- name: previewAnswers
-- The answers the gate would give for units with the properties :items to :profiles (item, verdict, reason of
-- invalidity, coverage required, coverage scanned, outcome, exception lapsed, owner, profile), whether their
-- lifecycle has ended (:ended) and risk :risks, at stage :stage for action :action. One row per item.
select u.item, gcos_gate_answer(bool_or(gcos_gate_high_risk(u.risk, :action::text)), sum(cardinality(k.codes))) as answer,
  bool_or(gcos_gate_high_risk(u.risk, :action::text)) as high_risk,
  array(select distinct c from unnest(string_to_array(string_agg(nullif(array_to_string(k.codes, ' '), ''), ' '), ' ')) as c order by c) as codes
from unnest(:items::text[], :verdicts::text[], :invalid::text[], :required::boolean[], :scanned::boolean[], :outcomes::text[], :lapsed::boolean[], :owners::text[], :profiles::text[], :ended::boolean[], :risks::text[])
  as u(item, verdict, invalid, required, scanned, outcome, lapsed, owner, profile, ended, risk)
cross join lateral (
  select gcos_gate_codes(:stage::text, u.verdict, u.invalid, null, u.required, u.scanned, u.outcome, u.lapsed, u.owner, u.profile,
    u.ended, u.risk, :action::text) as codes
) as k
group by u.item
order by u.item collate "C"
