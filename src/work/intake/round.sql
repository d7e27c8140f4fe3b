-- name: readDrifted
-- Groups that differ between a snapshot taken since :after and the one before it, and the highest snapshot
-- id. Snapshots of closing runs are excluded: such a run has evaluated everything.
-- nullable: last_id, :after
select max(s.id)::bigint as last_id,
  coalesce(array_agg(distinct g.drift ->> 'inventory_key') filter (where g.drift is not null), '{}') as keys
from evolution_snapshots s
left join lateral jsonb_array_elements(case when jsonb_typeof(s.delta_previous -> 'groups') = 'array' then s.delta_previous -> 'groups' end)
  as g(drift) on s.scope = any (:scopes::text[]) and s.delta_previous ->> 'rebaseline' is null and s.delta_previous ->> 'previous' is not null
where :after::bigint is null or s.id > :after::bigint

-- name: noteWatched
-- Records that this round read everything; returns the time at which its transaction began.
select gcos_note_watched(:worker::text, :source::text, :fence::bigint) as watched_at
