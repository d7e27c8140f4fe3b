select array(select t.event_type from governance_signal_type t order by t.event_type) as types,
  array(select s.subscription_id::text from governance_subscription s order by s.subscription_id::text) as subscriptions
