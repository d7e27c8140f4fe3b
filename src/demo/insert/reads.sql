-- The read marks of events: the router has read all but the last few.
insert into event_read (event_id, actor_ref, read_at, read_status_source)
select
  md5('event ' || number)::uuid, 'router',
  timestamptz '2026-02-17 08:00:02+00' + interval '1 microsecond' * (number * :step + 500000), 'delivery'
from generate_series(:first::bigint, :last::bigint) as number;
