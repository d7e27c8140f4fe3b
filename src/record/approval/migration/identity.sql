set local role {{trust_owner}};
-- What a client presented in this transaction, beside its login. gcos_present() writes it into a setting of
-- the transaction, where every login, and code of the host, can read and write it. So it is signed:
-- HMAC-SHA-256 over the credential, the permission and the transaction, with a key that only this owner can
-- read. The two blocks are the key, padded as RFC 2104 says.
create table {{trust}}.gcos_identity_key (
  only_row integer primary key check (only_row = 1),
  inner_key bytea not null check (length(inner_key) = 64),
  outer_key bytea not null check (length(outer_key) = 64)
);
comment on table {{trust}}.gcos_identity_key is 'GCOS: the key that signs what a transaction presented; no login may read it';
insert into {{trust}}.gcos_identity_key (only_row, inner_key, outer_key)
with random as materialized (
  select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    || sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) as key
)
select 1, string_agg(set_byte('\x00'::bytea, 0, get_byte(r.key, place) # 54), ''::bytea order by place),
  string_agg(set_byte('\x00'::bytea, 0, get_byte(r.key, place) # 92), ''::bytea order by place)
from random r
cross join generate_series(0, 63) as place;

-- The signature of a credential and a permission for this transaction. It is bound to the backend, the
-- start of the transaction, the login and the transaction id. Several transactions of one message begin at
-- the same time: those that may write differ in their id, and one that may only read cannot act. A signature
-- for reading is void once the transaction may write, and the other way round.
create function {{trust}}.gcos_identity_digest(p_token text, p_permission text)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  message constant bytea := convert_to(concat_ws(':', p_token, p_permission, pg_backend_pid(),
    extract(epoch from transaction_timestamp()),
    case when current_setting('transaction_read_only') = 'on' then 'read' else pg_current_xact_id()::text end, session_user), 'UTF8');
begin
  return (
    select encode(sha256(k.outer_key || sha256(k.inner_key || message)), 'hex')
    from {{trust}}.gcos_identity_key k);
end
$gcos_function$;

-- The credential and the permission that this transaction presented; no row: none. INVARIANT: whatever
-- stands in the setting without this transaction's signature is an error, and never "none".
create function {{trust}}.gcos_identity()
returns table (token_id text, permission text)
language plpgsql stable
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  presented constant text := current_setting('gcos.presented', true);
  parts text[];
begin
  if coalesce(presented, '') = '' then
    return;
  end if;
  parts := string_to_array(presented, ':');
  -- Hashes are compared, so that the time of the comparison says nothing about the signature.
  if (cardinality(parts) = 3
      and sha256(convert_to(parts[3], 'UTF8')) = sha256(convert_to({{trust}}.gcos_identity_digest(parts[1], parts[2]), 'UTF8'))) is not true then
    raise exception 'the setting gcos.presented does not belong to this transaction' using errcode = 'UG030';
  end if;
  return query select parts[1], parts[2];
end
$gcos_function$;

-- By what the client identified itself, for records: the login, or token:ID. No login may have such a name
-- in governance_actor.
create function {{trust}}.gcos_credential()
returns text
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return coalesce((select 'token:' || i.token_id from {{trust}}.gcos_identity() i), session_user::text);
end
$gcos_function$;

-- Called by each function that needs a permission of a credential. It demands nothing of a login without a
-- credential: the privileges of the login decide there.
create function {{trust}}.gcos_require_permission(p_permission text)
returns void
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  presented text;
begin
  select i.permission into presented from {{trust}}.gcos_identity() i;
  if found and presented is distinct from p_permission then
    raise exception 'this needs the permission %, and the transaction presented %', p_permission, presented using errcode = 'UG033';
  end if;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_identity_digest(text, text), {{trust}}.gcos_identity(), {{trust}}.gcos_credential(),
  {{trust}}.gcos_require_permission(text) from public;
grant execute on function {{trust}}.gcos_credential(), {{trust}}.gcos_require_permission(text) to {{owner}};
set local role {{owner}};

