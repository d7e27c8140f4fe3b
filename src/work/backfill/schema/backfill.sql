-- The partial sums of a backfill sweep, per part of the id range and inventory group. The sweep adds them to
-- the running fingerprints at its end, so parallel parts never wait for each other on an inventory row.
create table {{schema}}.gov_backfill_partial (
  part integer not null,
  inventory_key text not null references {{schema}}.governance_inventory (inventory_key),
  member_count bigint not null,
  grain_count bigint not null,
  max_born_at timestamptz not null,
  max_id bigint not null,
  h1 numeric not null,
  h2 numeric not null,
  primary key (part, inventory_key)
);
comment on table {{schema}}.gov_backfill_partial is 'GCOS: sums of a backfill that has not been merged yet; empty otherwise';
grant select on {{schema}}.gov_backfill_partial to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant insert, update, delete on {{schema}}.gov_backfill_partial to {{worker}};
