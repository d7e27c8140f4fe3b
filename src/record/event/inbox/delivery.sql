-- name: listDeliveries
-- nullable: event_id, event_type, canonical_address, read_at, escalated_at, escalated_from
select d.id, d.kind, d.event_id, d.event_type, d.canonical_address, d.severity, d.signals, d.window_start, d.delivered_at, d.read_at,
  d.escalated_at, d.escalated_from
from governance_delivery d
where d.recipient_ref = :recipient::text and d.id > :after::int8
  and (:all::bool or (d.read_at is null and not exists (
    select from event_read r where r.event_id = d.event_id and r.actor_ref = d.recipient_ref)))
order by d.id
limit :limit::int4

-- name: listRecipients
-- The persons, and the recipients that have a subscription or a notification.
select r.recipient collate "C" as recipient
from (
  select a.person_ref as recipient from governance_actor a
  union
  select b.recipient_ref::text from governance_subscription g join event_subscription b on b.id = g.subscription_id
  union
  select d.recipient_ref from governance_delivery d
) as r
order by 1

-- name: listTables
-- The tables and views of a schema.
select c.relname::text collate "C" as relation
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = :schema::text and c.relkind in ('r', 'p', 'v', 'm', 'f')
order by 1

-- name: listTypeNames
select r.event_type::text as event_type from event_type_registry r where r.event_domain = 'governance' order by r.event_type::text collate "C"

-- name: markRead
-- nullable: :ids
select gcos_read(:recipient::text, :ids::int8[]) as marked

-- name: unknownDeliveries
select w.id
from unnest(:ids::int8[]) as w(id)
where not exists (select from governance_delivery d where d.id = w.id and d.recipient_ref = :recipient::text)
order by w.id

-- name: addSubscription
-- nullable: :type, :stream, :subject_table
select s.subscription, s.created from gcos_subscribe(:recipient::text, :type::text, :stream::text, :subject_table::text, :filter::text) as s

-- name: muteSubscriptions
-- nullable: :subscription, :type, :stream
select gcos_mute(:recipient::text, :subscription::text, :type::text, :stream::text, :mute::bool, :end::bool) as changed

-- name: escalateRows
select gcos_escalate() as escalated

-- name: listSubscriptions
-- nullable: event_type, event_stream, subject_table, :recipient, :after
select b.id::text as id, b.recipient_ref::text as recipient_ref, b.event_type::text as event_type, b.event_stream::text as event_stream,
  b.scope_subject_table::text as subject_table, b.scope_filter::jsonb as filter, b.mute
from governance_subscription g
join event_subscription b on b.id = g.subscription_id
where g.ended_at is null and (:recipient::text is null or b.recipient_ref = :recipient::text) and (:after::text is null or b.id::text > :after::text)
order by b.id::text
limit :limit::int4
