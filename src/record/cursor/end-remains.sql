-- Ends the transactions that former holders of a lease still have open: their tags begin with $1 and end with a fence
-- lower than ours. They can commit nothing, but a frozen one holds table locks, and the idle time-out does not reach
-- a backend that is stuck sending its result.
select a.pid, pg_terminate_backend(a.pid) as ended
from pg_stat_activity a
where a.datname = current_database()
  and a.usename = current_user
  and a.pid <> pg_backend_pid()
  and a.xact_start is not null
  and starts_with(a.application_name, $1::text)
  and case when substr(a.application_name, length($1::text) + 1) ~ '^[0-9]{1,18}$'
    then substr(a.application_name, length($1::text) + 1)::int8 < $2::int8 end
