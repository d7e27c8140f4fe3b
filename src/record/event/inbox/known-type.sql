select exists (
  select from event_type_registry r where r.event_domain = 'governance' and r.event_type = $1::text) as known
