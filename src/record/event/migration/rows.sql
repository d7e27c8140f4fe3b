-- name: readOwn
-- Which of these tables exist; none before the first installation.
select to_regclass(format('%I.governance_setting', :trust_schema::text)) is not null as settings, to_regclass('governance_signal_type') is not null as types

-- name: readMarks
select array(select t.event_type from governance_signal_type t order by t.event_type) as types,
  array(select s.subscription_id::text from governance_subscription s order by s.subscription_id::text) as subscriptions
