-- What the tail remembers of recent rows, and drops as its horizon moves on.
create table gov_intake_seen (
  source text not null,
  id bigint not null,
  xid bigint not null,
  primary key (source, id, xid)
);
comment on table gov_intake_seen is 'GCOS: versions of rows the tail has counted and may come across again; xid is the full number of the transaction that wrote the version';

create table gov_intake_gap (
  source text not null,
  first_id bigint not null,
  last_id bigint not null,
  noted_xid bigint not null,
  primary key (source, first_id),
  constraint gov_intake_gap_not_empty check (first_id <= last_id)
);
comment on table gov_intake_gap is 'GCOS: ids below the highest one seen that were skipped; a row that turns up there is certainly new';

grant select on gov_intake_seen, gov_intake_gap to {{reader}}, {{worker}}, {{api}}, {{pruner}};
grant insert, delete on gov_intake_seen, gov_intake_gap to {{worker}};

insert into governance_setting (setting_key, setting_value, about)
values ('tail.limits', '{"round_rows": 10000, "backlog_rows": 200000, "rebase_rows": 100000, "gaps": 1000}',
  'rows one round of the tail goes through one by one; rows a near round takes in at most; rows found at once above which it reads everything anew; gaps it remembers');
