set local role {{trust_owner}};
-- Acts over HTTP that named a key, so that a repeat after a lost answer does not act twice. A row is written
-- by the transaction of the act itself: it is there if and only if the act was committed.
create table {{trust}}.gcos_act_key (
  credential text not null,
  act_key text not null check (length(act_key) between 1 and 200),
  request_hash text not null check (length(request_hash) = 64),
  attempt text not null check (length(attempt) between 1 and 100),
  begun_at timestamptz not null,
  status integer check (status between 200 and 599),
  answer text check (length(answer) <= 1000000),
  primary key (credential, act_key),
  constraint gcos_act_key_answered check ((status is null) = (answer is null))
);
comment on table {{trust}}.gcos_act_key is 'GCOS: acts that named a key, with their answers; kept for a day. No login may read it';
comment on column {{trust}}.gcos_act_key.credential is 'Whose key it is: the token, or the login';
comment on column {{trust}}.gcos_act_key.attempt is 'Tells the transactions of the first request from those of its repeats';
comment on column {{trust}}.gcos_act_key.status is 'Null: the act was committed, and its answer is not stored yet, or was lost';
create index gcos_act_key_begun on {{trust}}.gcos_act_key (begun_at);

-- What is known of a key of this credential; no row: nothing.
create function {{trust}}.gcos_look_act(p_key text, p_request text)
returns table (outcome text, status integer, answer text)
language sql stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select case when k.request_hash <> p_request then 'other' when k.status is null then 'unanswered' else 'answered' end,
    k.status, k.answer
  from {{trust}}.gcos_act_key k
  where k.credential = {{trust}}.gcos_credential() and k.act_key = p_key
    and k.begun_at > {{trust}}.gcos_now() - interval '1 day'
$gcos_function$;
comment on function {{trust}}.gcos_look_act(text, text) is 'GCOS: what is known of an act that named a key';

-- Marks this transaction as part of the act that names the key; waits for another one that does. `begun`:
-- go on. Anything else: another attempt was first, and this transaction must not go on.
create function {{trust}}.gcos_begin_act(p_key text, p_request text, p_attempt text)
returns table (outcome text, status integer, answer text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
declare
  by_credential constant text := {{trust}}.gcos_credential();
  moment constant timestamptz := {{trust}}.gcos_now();
begin
  delete from {{trust}}.gcos_act_key k
  where k.credential = by_credential and k.act_key = p_key and k.begun_at <= moment - interval '1 day';
  insert into {{trust}}.gcos_act_key (credential, act_key, request_hash, attempt, begun_at)
  values (by_credential, p_key, p_request, p_attempt, moment)
  on conflict (credential, act_key) do nothing;
  return query
    select case
        when k.attempt = p_attempt then 'begun'
        when k.request_hash <> p_request then 'other'
        when k.status is null then 'unanswered'
        else 'answered'
      end, k.status, k.answer
    from {{trust}}.gcos_act_key k
    where k.credential = by_credential and k.act_key = p_key;
end
$gcos_function$;
comment on function {{trust}}.gcos_begin_act(text, text, text) is 'GCOS: marks a transaction as part of an act that names a key';

-- Stores the answer of an attempt, and forgets some acts that are older than a day.
create function {{trust}}.gcos_finish_act(p_key text, p_attempt text, p_status integer, p_answer text)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  moment constant timestamptz := {{trust}}.gcos_now();
begin
  update {{trust}}.gcos_act_key k
  set status = p_status, answer = p_answer
  where k.credential = {{trust}}.gcos_credential() and k.act_key = p_key and k.attempt = p_attempt and k.status is null;
  delete from {{trust}}.gcos_act_key k
  using (
    select o.credential, o.act_key from {{trust}}.gcos_act_key o
    where o.begun_at <= moment - interval '1 day'
    order by o.begun_at
    limit 100 for update skip locked) as old
  where k.credential = old.credential and k.act_key = old.act_key;
end
$gcos_function$;
comment on function {{trust}}.gcos_finish_act(text, text, integer, text) is 'GCOS: stores the answer of an act that named a key';
revoke all on function {{trust}}.gcos_look_act(text, text), {{trust}}.gcos_begin_act(text, text, text),
  {{trust}}.gcos_finish_act(text, text, integer, text) from public;
grant execute on function {{trust}}.gcos_look_act(text, text), {{trust}}.gcos_begin_act(text, text, text),
  {{trust}}.gcos_finish_act(text, text, integer, text) to {{api}}, {{server}};
set local role {{owner}};
