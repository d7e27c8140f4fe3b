-- name: readLinks
-- The links after :after in order, with the texts that their hashes cover.
select l.position, l.kind, l.login, l.subject, l.payload::text as payload_text, l.payload_hash, l.previous_hash, l.row_hash,
  to_char(l.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_text
from gcos_log l
where l.position > :after::bigint
order by l.position
limit :limit::bigint

-- name: readStoredHead
select h.position, h.row_hash from gcos_log_head h

-- name: compareRows
-- Links after :after and up to :up_to whose recorded row is gone (columns is empty) or differs, with the
-- columns that differ. The totals of a ledger are covered by its hash; an activation also covers the bytes of
-- its ruleset.
with link as materialized (
  select l.position, l.kind, l.subject, l.payload
  from gcos_log l
  where l.position > :after::bigint and l.position <= :up_to::bigint
),
recorded as (
  select l.position, l.kind, l.subject, l.payload, to_jsonb(r) as live
  from link l
  left join governance_request r on r.request_code = l.subject
  where l.kind = 'request.opened'
  union all
  select l.position, l.kind, l.subject, l.payload, to_jsonb(d)
  from link l
  left join governance_decision d on d.request_code = l.subject and d.id::text = l.payload ->> 'id'
  where l.kind in ('request.approved', 'request.rejected', 'request.withdrawn')
  union all
  select l.position, l.kind, l.subject, l.payload,
    to_jsonb(a) || jsonb_build_object('content_hash', encode(sha256('\x67636f732d72756c6573657400'::bytea || s.canonical_bytes), 'hex'))
  from link l
  left join governance_ruleset_activation a on a.ruleset_version = l.subject and a.id::text = l.payload ->> 'id'
  left join governance_ruleset s on s.ruleset_version = a.ruleset_version
  where l.kind = 'ruleset.activated'
  union all
  select l.position, l.kind, l.subject, l.payload, to_jsonb(e)
  from link l
  left join governance_exception e on e.exception_code = l.subject
  where l.kind in ('exception.requested', 'exception.granted', 'exception.revoked')
  union all
  select l.position, l.kind, l.subject, l.payload, to_jsonb(p)
  from link l
  left join governance_break_glass p on p.pass_code = l.subject
  where l.kind in ('break_glass.requested', 'break_glass.began', 'break_glass.closed', 'break_glass.verified')
  union all
  select l.position, l.kind, l.subject, l.payload - array['scopes', 'closes'],
    to_jsonb(r) || jsonb_build_object('ledger_hash', encode(sha256(convert_to(r.ledger::text, 'UTF8')), 'hex'))
  from link l
  left join candidate_scan_run r on r.run_id = l.subject
  where l.kind in ('ledger.closed', 'ledger.failed')
  union all
  select l.position, l.kind, l.subject, l.payload, to_jsonb(s)
  from link l
  left join lateral (
    select g.to_check, g.from_check, g.answers, g.first_decided_at, g.last_decided_at, g.columns, g.digest, g.sealed_at
    from gcos_gate_seal g
    where g.to_check = case when l.subject ~ '^[0-9]{1,18}$' then l.subject::bigint end
  ) s on true
  where l.kind = 'gate.sealed'
  union all
  select l.position, l.kind, l.subject, l.payload, to_jsonb(p)
  from link l
  left join governance_pruned_range p on p.prune_id::text = l.subject
  where l.kind in ('gate.pruned', 'snapshot.pruned')
  union all
  select l.position, l.kind, l.subject, l.payload, to_jsonb(t)
  from link l
  left join governance_token t on t.token_id = l.subject
  where l.kind in ('token.created', 'token.revoked')
)
select r.position, r.kind, r.subject,
  array(select p.key from jsonb_each(r.payload) p where r.live -> p.key is distinct from p.value and r.live is not null order by 1) as columns
from recorded r
where r.live is null or exists (select from jsonb_each(r.payload) p where r.live -> p.key is distinct from p.value)
order by r.position

-- name: readUnlinked
-- Rows that the log should have recorded and has not.
select u.relation, u.row_key, u.subject
from (
  select 'governance_request' as relation, r.request_code as row_key, r.request_code as subject
  from governance_request r
  where not exists (select from gcos_log l where l.subject = r.request_code and l.kind = 'request.opened')
  union all
  select 'governance_decision', d.id::text, d.request_code
  from governance_decision d
  where not exists (
    select from gcos_log l
    where l.subject = d.request_code and l.kind in ('request.approved', 'request.rejected', 'request.withdrawn') and l.payload ->> 'id' = d.id::text)
  union all
  select 'governance_ruleset_activation', a.id::text, a.ruleset_version
  from governance_ruleset_activation a
  where not exists (
    select from gcos_log l where l.subject = a.ruleset_version and l.kind = 'ruleset.activated' and l.payload ->> 'id' = a.id::text)
  union all
  select 'governance_exception', e.exception_code, e.exception_code
  from governance_exception e
  where not exists (select from gcos_log l where l.subject = e.exception_code and l.kind = 'exception.requested')
    or (e.revoked_at is not null and not exists (
      select from gcos_log l where l.subject = e.exception_code and l.kind = 'exception.revoked'))
  union all
  select 'governance_break_glass', p.pass_code, p.pass_code
  from governance_break_glass p
  where not exists (select from gcos_log l where l.subject = p.pass_code and l.kind = 'break_glass.requested')
    or (p.began_at is not null and not exists (select from gcos_log l where l.subject = p.pass_code and l.kind = 'break_glass.began'))
    or (p.closed_at is not null and not exists (select from gcos_log l where l.subject = p.pass_code and l.kind = 'break_glass.closed'))
    or (p.verified_at is not null and not exists (select from gcos_log l where l.subject = p.pass_code and l.kind = 'break_glass.verified'))
  union all
  select 'candidate_scan_run', r.run_id, r.run_id
  from candidate_scan_run r
  where r.ledger is not null and r.status <> 'running' and not exists (
    select from gcos_log l where l.subject = r.run_id and l.kind in ('ledger.closed', 'ledger.failed'))
  union all
  select 'gcos_gate_seal', s.to_check::text, s.to_check::text
  from gcos_gate_seal s
  where not exists (select from gcos_log l where l.subject = s.to_check::text and l.kind = 'gate.sealed')
  union all
  select 'governance_pruned_range', p.prune_id::text, p.prune_id::text
  from governance_pruned_range p
  where not exists (select from gcos_log l where l.subject = p.prune_id::text and l.kind in ('gate.pruned', 'snapshot.pruned'))
  union all
  select 'gcos_token', t.token_id, t.token_id
  from governance_token t
  where not exists (select from gcos_log l where l.subject = t.token_id and l.kind = 'token.created')
    or (t.revoked_at is not null and not exists (select from gcos_log l where l.subject = t.token_id and l.kind = 'token.revoked'))
) u
order by u.relation, u.row_key
limit :limit::bigint

-- name: readStateDifferences
-- Settings and persons that differ from their latest link, with its position; null if there is none.
-- nullable: position
with setting as (
  select distinct on (v.name) v.position, v.name, v.content
  from (
    select l.position, s.key as name, s.value as content
    from gcos_log l
    cross join lateral jsonb_each(l.payload -> 'settings') s
    where l.kind = 'log.opened'
    union all
    select l.position, l.subject, case when l.kind = 'setting.changed' then l.payload -> 'setting_value' end
    from gcos_log l
    where l.kind in ('setting.changed', 'setting.removed')
  ) v
  order by v.name, v.position desc
),
actor as (
  select distinct on (l.subject) l.position, l.subject as name, case when l.kind = 'actor.changed' then l.payload end as content
  from gcos_log l
  where l.kind in ('actor.changed', 'actor.removed')
  order by l.subject, l.position desc
)
select s.position, 'governance_setting' as relation, coalesce(s.name, g.setting_key) as row_key
from setting s
full join governance_setting g on g.setting_key = s.name
where s.content is distinct from g.setting_value
union all
select a.position, 'governance_actor', coalesce(a.name, g.person_ref)
from actor a
full join governance_actor g on g.person_ref = a.name
where a.content is distinct from to_jsonb(g)
order by 1, 2, 3

-- name: countSealed
-- The seals and the answers that they cover, and the answers that wait for one.
select count(*) as seals, coalesce(sum(s.answers), 0)::bigint as answers,
  (select count(*) from governance_gate_answer a where a.check_id > coalesce((select max(g.to_check) from gcos_gate_seal g), 0)) as unsealed
from gcos_gate_seal s

-- fragment: row_hash
sha256('\x67636f732d676174652d616e7377657200'::bytea || convert_to((to_jsonb(a) - array(
  select c.attname::text from pg_attribute c
  where c.attrelid = 'governance_gate_answer'::regclass and c.attnum > 0 and not c.attisdropped and not c.attname::text = any (s.columns)
))::text, 'UTF8'))

-- name: compareSeals
-- The seals after :after, in order, about 50,000 answers at a time: what they cover, what is there now, and
-- whether a pruned range covers them.
-- nullable: position
select s.from_check, s.to_check, s.answers, s.digest, c.answers as answers_now, c.digest as digest_now,
  (select min(l.position) from gcos_log l where l.subject = s.to_check::text and l.kind = 'gate.sealed') as position,
  c.answers = 0 and exists (
    select from governance_pruned_range p where p.kind = 'gate' and p.first_id <= s.to_check and p.last_id >= s.from_check) as pruned
from (
  select n.from_check, n.to_check, n.answers, n.digest, n.columns
  from (
    select g.from_check, g.to_check, g.answers, g.digest, g.columns,
      sum(g.answers) over (order by g.to_check) - g.answers as answers_before
    from (
      select b.from_check, b.to_check, b.answers, b.digest, b.columns
      from gcos_gate_seal b where b.to_check > :after::bigint order by b.to_check limit 500
    ) g
  ) n
  where n.answers_before < 50000
) s
cross join lateral (
  select count(*) as answers, encode(sha256('\x67636f732d676174652d7365616c00'::bytea
    || coalesce(string_agg(h.digest, ''::bytea order by h.check_id, h.first_item), ''::bytea)), 'hex') as digest
  from (
    select a.check_id, a.first_item, {{row_hash}} as digest
    from governance_gate_answer a
    where a.check_id between s.from_check and s.to_check
    offset 0
  ) h
) c
order by s.to_check

-- name: comparePruned
-- Pruned ranges with another number of answers than the seals they removed: pruning removes whole ranges.
-- nullable: position
select (select min(l.position) from gcos_log l where l.subject = p.prune_id::text and l.kind = 'gate.pruned') as position,
  p.first_id, p.last_id, p.row_count, coalesce(sum(s.answers), 0)::bigint as sealed
from governance_pruned_range p
left join gcos_gate_seal s on s.from_check <= p.last_id and s.to_check >= p.first_id
where p.kind = 'gate'
group by p.prune_id, p.first_id, p.last_id, p.row_count
having p.row_count <> coalesce(sum(s.answers), 0)
order by p.prune_id

-- name: locateAnswer
-- The first answer of the range up to :to_check that is not as it was sealed: altered, added, or after one
-- that is gone. No row: only the end of the range is gone.
select h.check_id, h.first_item, h.place
from (
  select a.check_id, a.first_item, row_number() over (order by a.check_id, a.first_item) as place, {{row_hash}} as digest, s.answer_marks
  from gcos_gate_seal s
  join governance_gate_answer a on a.check_id between s.from_check and s.to_check
  where s.to_check = :to_check::bigint
) h
where substring(h.digest for 4) is distinct from substring(h.answer_marks from (4 * h.place - 3)::integer for 4)
order by h.place
limit 1
