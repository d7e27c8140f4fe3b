-- name: readWatchedRow
-- Watched as of; whether that is after :since; and whether it is longer ago than the active ruleset tolerates
-- at high risk. Null: never watched.
-- nullable: watched_at, :since
select w.watched_at, coalesce(w.watched_at > :since::timestamptz, false) as fresh,
  gcos_gate_unwatched(true, w.watched_at, coalesce(r.max_unwatched, '{}'), gcos_now()) as unwatched,
  coalesce(extract(epoch from gcos_now() - w.watched_at), 0)::float8 as seconds
from (select gcos_watched_at() as watched_at) as w
left join gcos_gate_rules() r on true
