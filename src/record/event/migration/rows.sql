-- name: readOwn
-- Whether GCOS's table exists: not before the first installation.
select to_regclass('governance_signal_type') is not null as types

-- name: readMarks
select array(select t.event_type from governance_signal_type t order by t.event_type) as types,
  array(select s.subscription_id::text from governance_subscription s order by s.subscription_id::text) as subscriptions
