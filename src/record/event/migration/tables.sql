-- GCOS's own tables about its signals, in addition to the host's event tables.

-- The order of held signals: event_pending has no column for it.
create sequence {{schema}}.governance_signal_seq as bigint;

create table {{schema}}.governance_signal_type (
  event_type text primary key,
  stream text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low')),
  heartbeat boolean not null,
  registered_at timestamptz not null default now(),
  registered_by text not null default session_user
);
comment on table {{schema}}.governance_signal_type is 'GCOS: the signal types that GCOS registered with the host, in GCOS''s vocabulary';

create table {{schema}}.governance_signal_key (
  signal_id uuid primary key,
  seen_at timestamptz not null
);
create index governance_signal_key_by_time on {{schema}}.governance_signal_key (seen_at);
comment on table {{schema}}.governance_signal_key is 'GCOS: the ids of signals with a dedupe key; each is emitted only once, even if its cause is replayed';
comment on column {{schema}}.governance_signal_key.signal_id is 'Derived from the type of the signal and its key';

-- References to the host's rows have the column type of the host.
do $gcos_function$
declare
  pending_type text;
  subscription_type text;
begin
  select format_type(atttypid, atttypmod) into pending_type from pg_attribute
  where attrelid = to_regclass('{{schema}}.event_pending') and attname = 'id' and not attisdropped;
  select format_type(atttypid, atttypmod) into subscription_type from pg_attribute
  where attrelid = to_regclass('{{schema}}.event_subscription') and attname = 'id' and not attisdropped;
  execute format('create table {{schema}}.governance_hold (
    order_no bigint primary key,
    event_type text not null,
    subject_table text not null,
    subject_ref text not null,
    pending_id %s not null,
    held_at timestamptz not null,
    dead_lettered_at timestamptz,
    parked boolean not null default false,
    refused_at timestamptz,
    subject_hash bigint not null generated always as (hashtextextended(subject_table || chr(10) || subject_ref, 0)) stored
  )', coalesce(pending_type, 'uuid'));
  execute format('create table {{schema}}.governance_subscription (
    subscription_id %s primary key,
    recipient_ref text not null,
    created_at timestamptz not null default now(),
    created_by text not null,
    muted_at timestamptz,
    muted_by text,
    ended_at timestamptz,
    ended_by text
  )', coalesce(subscription_type, 'uuid'));
  -- An earlier installation may have left held signals: keep them in their order.
  if (select count(*) from pg_attribute where attrelid = to_regclass('{{schema}}.event_pending') and not attisdropped and attname in (
    'id', 'event_domain', 'event_type_hint', 'entity_table', 'entity_ref', 'capture_payload', 'processed_at')) = 7
  then
    insert into {{schema}}.governance_hold (order_no, event_type, subject_table, subject_ref, pending_id, held_at)
    select (p.capture_payload ->> 'order')::bigint, p.event_type_hint, p.entity_table, coalesce(p.entity_ref, ''), p.id, now()
    from {{schema}}.event_pending p
    where p.event_domain = 'governance' and p.processed_at is null and p.event_type_hint not like 'gcos.%'
      and p.capture_payload ->> 'source' = 'gcos' and p.capture_payload ->> 'order' is not null;
    perform setval('{{schema}}.governance_signal_seq', (select coalesce(max(order_no), 0) + 1 from {{schema}}.governance_hold), false);
  end if;
end
$gcos_function$;
-- By hash, because object codes can exceed the maximum size of an index entry.
create index governance_hold_subject_idx on {{schema}}.governance_hold (event_type, subject_hash, order_no) where dead_lettered_at is null;
-- On an expression, so that the planner does not use this index to look a subject up.
create index governance_hold_order_idx on {{schema}}.governance_hold (md5(event_type), order_no) where dead_lettered_at is null and not parked;
create index governance_hold_parked_idx on {{schema}}.governance_hold (event_type, subject_hash, order_no) where dead_lettered_at is null and parked;
create index governance_hold_refused_idx on {{schema}}.governance_hold (md5(event_type), refused_at) where dead_lettered_at is null and parked and refused_at is not null;
create index governance_hold_dead_idx on {{schema}}.governance_hold (order_no) where dead_lettered_at is not null;
comment on table {{schema}}.governance_hold is 'GCOS: the rows of event_pending that wait for promotion, and their order; a row is deleted when its signal is emitted';
comment on column {{schema}}.governance_hold.dead_lettered_at is 'Set when the signal was dead-lettered; a later change of the setting event.promotion does not affect it';
comment on column {{schema}}.governance_hold.parked is 'True: the promoter skips the signal, because the host refused it (at refused_at) or it is queued behind a refused signal of its subject';
comment on table {{schema}}.governance_subscription is 'GCOS: the rows of event_subscription that were made through GCOS, and whether they have ended';

create table {{schema}}.governance_delivery (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('signal', 'digest', 'escalation')),
  recipient_ref text not null,
  event_id uuid,
  event_type text,
  canonical_address text,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low')),
  signals bigint not null check (signals > 0),
  window_start timestamptz not null,
  delivered_at timestamptz not null,
  read_at timestamptz,
  read_by text,
  escalated_at timestamptz,
  escalated_from text
);
create unique index governance_delivery_signal_idx on {{schema}}.governance_delivery (event_id, recipient_ref, kind) where event_id is not null;
create index governance_delivery_recipient_idx on {{schema}}.governance_delivery (recipient_ref, window_start, kind);
create index governance_delivery_unread_idx on {{schema}}.governance_delivery (recipient_ref, id) where read_at is null;
create index governance_delivery_done_idx on {{schema}}.governance_delivery (delivered_at)
  where read_at is not null or escalated_at is not null;
-- The supervisor looks for these every 30 s.
create index governance_delivery_pending_idx on {{schema}}.governance_delivery (severity, delivered_at)
  where read_at is null and escalated_at is null and kind <> 'escalation';
comment on table {{schema}}.governance_delivery is 'GCOS: notifications; one row per signal and recipient, digests above the ceiling, and escalations';

-- Notification is separate from emission: a failed notification must not fail the work that caused the
-- signal.
create table {{schema}}.governance_delivery_fault (
  id bigint generated always as identity primary key,
  event_ids uuid[] not null,
  severities text[] not null,
  failed_at timestamptz not null,
  tries integer not null default 1,
  error text not null
);
comment on table {{schema}}.governance_delivery_fault is 'GCOS: emitted signals that could not be delivered to subscribers, with the error; the promoter retries, and deletes the row on success';

grant select on {{schema}}.governance_delivery_fault to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant select on {{schema}}.governance_signal_type, {{schema}}.governance_signal_key, {{schema}}.governance_hold, {{schema}}.governance_subscription, {{schema}}.governance_delivery
  to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
