-- name: readWatched
-- Watched as of, and whether that is after :since. Null: never watched.
-- nullable: watched_at, :since
select w.watched_at, coalesce(w.watched_at > :since::timestamptz, false) as fresh
from (select gcos_watched_at() as watched_at) as w
