set local role {{trust_owner}};
-- The prefixes 'gcos-log-payload' and 'gcos-log', each with a zero byte, separate these hashes from all
-- others.
create function {{trust}}.gcos_log_payload_hash(p_payload jsonb)
returns text
language sql immutable parallel safe
return encode(sha256(E'\\x67636f732d6c6f672d7061796c6f616400'::bytea || convert_to(p_payload::text, 'UTF8')), 'hex');

create function {{trust}}.gcos_log_hash(
  p_position bigint, p_kind text, p_recorded_at timestamptz, p_login text, p_subject text, p_previous_hash text, p_payload_hash text)
returns text
language sql stable parallel safe
return encode(sha256(E'\\x67636f732d6c6f6700'::bytea || convert_to(jsonb_build_array(p_position, p_kind,
  to_char(p_recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), p_login, p_subject, p_previous_hash, p_payload_hash)::text,
  'UTF8')), 'hex');

-- Appends one link. Only functions of this owner call it; the caller's transaction holds the head until it
-- ends. In a repeatable read transaction it fails to serialize if another link was appended meanwhile.
create function {{trust}}.gcos_log_append(p_kind text, p_subject text, p_payload jsonb)
returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  head record;
  moment timestamptz;
  payload_digest constant text := {{trust}}.gcos_log_payload_hash(p_payload);
  digest text;
  credential constant text := {{trust}}.gcos_credential();
begin
  perform {{trust}}.gcos_commit_durably();
  select h.position, h.row_hash into strict head from {{trust}}.gcos_log_head h for update;
  -- Read the clock after waiting for the lock, so that times follow the order of the links.
  moment := {{trust}}.gcos_now();
  digest := {{trust}}.gcos_log_hash(head.position + 1, p_kind, moment, credential, p_subject, head.row_hash, payload_digest);
  insert into {{trust}}.gcos_log (position, kind, recorded_at, login, subject, payload, payload_hash, previous_hash, row_hash)
  values (head.position + 1, p_kind, moment, credential, p_subject, p_payload, payload_digest, head.row_hash, digest);
  update {{trust}}.gcos_log_head set position = head.position + 1, row_hash = digest;
  return head.position + 1;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_log_payload_hash(jsonb), {{trust}}.gcos_log_hash(bigint, text, timestamptz, text, text, text, text),
  {{trust}}.gcos_log_append(text, text, jsonb) from public;
grant execute on function {{trust}}.gcos_log_payload_hash(jsonb), {{trust}}.gcos_log_hash(bigint, text, timestamptz, text, text, text, text)
  to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
