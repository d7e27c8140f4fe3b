-- The tail's memory of recent rows. It is pruned as the horizon moves.
create table {{schema}}.gov_intake_seen (
  source text not null,
  id bigint not null,
  xid bigint not null,
  primary key (source, id, xid)
)
-- A queue: every row is deleted within a minute or so, so dead rows soon outnumber the live ones, whatever
-- their share was when autovacuum last looked.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table {{schema}}.gov_intake_seen is 'GCOS: row versions that the tail has counted and may read again; xid is the full id of the transaction that wrote the version';

create table {{schema}}.gov_intake_gap (
  source text not null,
  first_id bigint not null,
  last_id bigint not null,
  noted_xid bigint not null,
  primary key (source, first_id),
  constraint gov_intake_gap_not_empty check (first_id <= last_id)
);
comment on table {{schema}}.gov_intake_gap is 'GCOS: skipped ids below the highest id seen; a row that appears there is certainly new';

-- The sums of births that groups represent, per range of ids: each range begins behind the one before. An
-- array element is a group.
create table {{schema}}.gov_intake_range (
  last_id bigint primary key,
  keys text[] not null,
  members bigint[] not null,
  max_born_ats timestamptz[] not null,
  max_ids bigint[] not null,
  h1s numeric[] not null,
  h2s numeric[] not null
);
comment on table {{schema}}.gov_intake_range is 'GCOS: the running fingerprints without the newest births, per range of ids, so that an update recounts its range only';
grant select on {{schema}}.gov_intake_range to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant insert, update, delete on {{schema}}.gov_intake_range to {{worker}};

grant select on {{schema}}.gov_intake_seen, {{schema}}.gov_intake_gap to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
grant insert, delete on {{schema}}.gov_intake_seen, {{schema}}.gov_intake_gap to {{worker}};
