set local role {{trust_owner}};
-- The log: one link per act, in the transaction of what it records. Each link hashes the one before it, so a
-- change of an old link changes every later hash. docs/log.md says how to compute the hashes without GCOS.
create table {{trust}}.gcos_log (
  position bigint primary key,
  kind text not null check (kind ~ '^[a-z_]+\.[a-z_]+$'),
  recorded_at timestamptz not null,
  login text not null,
  subject text not null,
  payload jsonb not null check (jsonb_typeof(payload) = 'object'),
  payload_hash text not null,
  previous_hash text not null,
  row_hash text not null unique
);
comment on table {{trust}}.gcos_log is 'GCOS: the tamper-evident log, a chain of hashes; append-only';
comment on column {{trust}}.gcos_log.position is 'From 1, without gaps, in the order of the commits';
comment on column {{trust}}.gcos_log.login is 'The credential of the transaction: the session_user, or token:ID';
comment on column {{trust}}.gcos_log.payload is 'The columns of the recorded row';
comment on column {{trust}}.gcos_log.payload_hash is 'SHA-256 over the text of payload: gcos_log_payload_hash()';
comment on column {{trust}}.gcos_log.row_hash is 'SHA-256 over the link, previous_hash included: gcos_log_hash()';
create index gcos_log_by_kind on {{trust}}.gcos_log (kind, position);
create index gcos_log_by_subject on {{trust}}.gcos_log (subject, position);

-- The newest link. A transaction that appends locks this row until it ends, so that links follow the order of
-- the commits. The row also shows when the newest links were deleted.
create table {{trust}}.gcos_log_head (
  only_row integer primary key check (only_row = 1),
  position bigint not null,
  row_hash text not null
);
comment on table {{trust}}.gcos_log_head is 'GCOS: position and hash of the newest link of gcos_log';
-- Before the first link: position 0, and 64 zeros as the hash.
insert into {{trust}}.gcos_log_head (only_row, position, row_hash) values (1, 0, repeat('0', 64));

-- The gate's answers, sealed in ranges of check ids, so that checks do not wait for each other. Each range
-- begins where the one before ends; one link of the log records it.
create table {{trust}}.gcos_gate_seal (
  to_check bigint primary key,
  from_check bigint not null unique,
  answers bigint not null,
  first_decided_at timestamptz not null,
  last_decided_at timestamptz not null,
  columns text[] not null,
  digest text not null,
  answer_marks bytea not null,
  sealed_at timestamptz not null,
  constraint gcos_gate_seal_range check (from_check <= to_check and answers > 0 and length(answer_marks) = 4 * answers)
);
comment on table {{trust}}.gcos_gate_seal is 'GCOS: ranges of gate answers with a digest over their rows; append-only';
comment on column {{trust}}.gcos_gate_seal.answers is 'The number of rows of governance_gate_answer in the range';
comment on column {{trust}}.gcos_gate_seal.columns is 'The columns that the digest covers; columns that a later version adds are not among them';
comment on column {{trust}}.gcos_gate_seal.digest is 'SHA-256 over the hashes of all rows, by check and first item';
comment on column {{trust}}.gcos_gate_seal.answer_marks is 'The first four bytes of the hash of each row, in order: they tell which row differs, the digest decides whether one does';

-- The end of the next range: all check ids up to up_to were issued before transaction xact began.
create table {{trust}}.gcos_gate_seal_mark (
  only_row integer primary key check (only_row = 1),
  up_to bigint not null,
  xact xid8 not null
);
comment on table {{trust}}.gcos_gate_seal_mark is 'GCOS: up to which check the next range reaches, and which transactions must have ended before it is sealed';

-- INVARIANT: append-only, also for functions of the owner. The head only moves forward, one link at a time.
create trigger gcos_log_stays before update or delete or truncate on {{trust}}.gcos_log
  for each statement execute function {{trust}}.gcos_refuse_change();
create trigger gcos_gate_seal_stays before update or delete or truncate on {{trust}}.gcos_gate_seal
  for each statement execute function {{trust}}.gcos_refuse_change();
create trigger gcos_log_head_stays before delete or truncate on {{trust}}.gcos_log_head
  for each statement execute function {{trust}}.gcos_refuse_change();
create trigger gcos_log_head_moves_forward before update on {{trust}}.gcos_log_head
  for each row when (new.position <> old.position + 1) execute function {{trust}}.gcos_refuse_change();

grant select on {{trust}}.gcos_log, {{trust}}.gcos_log_head, {{trust}}.gcos_gate_seal, {{trust}}.gcos_gate_seal_mark
  to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
