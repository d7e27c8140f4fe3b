-- name: readPage
-- Links, newest first; a null filter matches all.
-- nullable: :kind, :after
select l.position, l.kind, l.recorded_at, l.login, l.subject, l.payload, l.payload_hash, l.previous_hash, l.row_hash
from gcos_log l
where (:kind::text is null or l.kind = :kind::text) and (:after::bigint is null or l.position < :after::bigint)
order by l.position desc
limit :limit::bigint

-- name: readHead
-- The newest link.
select l.position, l.kind, l.subject, l.recorded_at, l.row_hash
from gcos_log l
order by l.position desc
limit 1

-- name: sealNext
-- Seals the next range of gate answers; no row if none can be sealed yet. A full range may have a successor.
select s.from_check, s.to_check, s.answers, s.is_full from gcos_seal_gate() s

-- name: readSealLag
-- Seconds since the oldest answer of the gate that is not sealed; null if all are.
-- nullable: seconds
select extract(epoch from gcos_now() - (
  select a.decided_at
  from governance_gate_answer a
  where a.check_id > coalesce((select max(s.to_check) from gcos_gate_seal s), 0)
  order by a.check_id
  limit 1))::float8 as seconds
