-- Webhooks: where changes are sent. No secret is stored, only the place of one.
create table {{schema}}.gov_webhook (
  webhook_id bigint generated always as identity primary key,
  location text not null check (location ~ '^(https?://|env:|file:)' and length(location) <= 2000),
  types text[] not null check (cardinality(types) between 1 and 100),
  format text not null check (format in ('cloudevents', 'slack')),
  secret text check (secret ~ '^(env|file):.'),
  former_secret text,
  former_until timestamptz,
  allow_private boolean not null,
  added_at timestamptz not null,
  added_by text not null,
  sent_number bigint not null,
  delivered bigint not null default 0,
  delivered_at timestamptz,
  failures integer not null default 0,
  failing_since timestamptz,
  next_attempt_at timestamptz,
  last_error text,
  disabled_at timestamptz,
  constraint gov_webhook_signed check (secret is not null or format = 'slack'),
  constraint gov_webhook_failing check ((failing_since is null) = (failures = 0))
);
comment on table {{schema}}.gov_webhook is 'GCOS: webhooks, and how far each has received the feed';
comment on column {{schema}}.gov_webhook.location is 'The address, or env:NAME or file:PATH where the worker reads it';
comment on column {{schema}}.gov_webhook.secret is 'The place of the secret: env:NAME or file:PATH';
comment on column {{schema}}.gov_webhook.former_secret is 'The place of the former secret; both sign until former_until';
comment on column {{schema}}.gov_webhook.sent_number is 'Every matching entry of the feed up to this number was received, or is a dead letter';
comment on column {{schema}}.gov_webhook.disabled_at is 'When the receiver answered that it is gone (410)';
grant select on {{schema}}.gov_webhook to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
