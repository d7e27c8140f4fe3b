-- One row per inventory group: all objects with the same class, registry, axis family and lifecycle.
-- Every object is in exactly one group; an unresolved group records the reason.
create table {{schema}}.governance_inventory (
  inventory_key text primary key,
  object_class text not null,
  source_registry text not null,
  axis_family text,
  lifecycle_status text,
  resolved boolean not null,
  unresolved_reason text,
  inherits boolean not null,
  member_count bigint,
  grain_count bigint,
  max_born_at timestamptz,
  max_id bigint,
  h1 numeric,
  h2 numeric,
  recompute_needed boolean not null default true,
  first_seen_at timestamptz not null,
  constraint governance_inventory_reason_if_unresolved check (resolved = (unresolved_reason is null)),
  constraint governance_inventory_one_per_dimensions
    unique nulls not distinct (source_registry, object_class, axis_family, lifecycle_status)
)
-- Each round of the tail updates the sums of the groups that moved; no index has them.
with (fillfactor = 50);
comment on table {{schema}}.governance_inventory is 'GCOS: inventory groups, with the running fingerprint of each';
comment on column {{schema}}.governance_inventory.inherits is
  'Whether the container represents its members: then the group has weight 1, otherwise each of its objects has';
comment on column {{schema}}.governance_inventory.recompute_needed is 'Whether the running fingerprint must be recomputed before it is used';

-- One row per inventory group and responsibility scope: the unit of state.
create table {{schema}}.governance_group (
  group_key text primary key,
  inventory_key text not null references {{schema}}.governance_inventory (inventory_key),
  scope text not null,
  owner_scope text,
  anchor text
    constraint governance_group_anchor_known check (anchor in ('object', 'collection', 'class')),
  unique (inventory_key, scope)
);
comment on table {{schema}}.governance_group is 'GCOS: groups, one per inventory group and responsibility scope';
comment on column {{schema}}.governance_group.owner_scope is 'The accountable owner of the inventory group in the scope; null when there is none or more than one';
comment on column {{schema}}.governance_group.anchor is 'Where the owner is recorded: on the collection, on the class, or on the group itself';

grant select on {{schema}}.governance_inventory, {{schema}}.governance_group to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant insert, update on {{schema}}.governance_inventory, {{schema}}.governance_group to {{worker}};
