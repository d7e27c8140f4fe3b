set local role {{trust_owner}};
-- Seals the gate's answers up to the last mark, if every transaction that can still add one has ended, and
-- sets the next mark. INVARIANT: no answer is left out. Each check takes its transaction id before its check
-- id, so a check that was issued an id up to the mark runs in a transaction older than the one that set the
-- mark. Once all of those have ended, no answer can appear in the range. An open transaction delays the seal
-- and is never waited for.
create function {{trust}}.gcos_seal_gate()
returns table (from_check bigint, to_check bigint, answers bigint, is_full boolean)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
set timezone = 'UTC'
as $gcos_function$
#variable_conflict use_column
declare
  most constant integer := 50000;
  issued bigint;
  own xid8;
  sealed bigint;
  mark record;
  running pg_snapshot;
  found_rows bigint;
  last_row bigint;
  upper_end bigint;
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise exception 'gcos_seal_gate() must be the first to write in its transaction' using errcode = 'invalid_transaction_state';
  end if;
  select case when q.is_called then q.last_value else 0 end into issued from {{trust}}.governance_gate_check_seq q;
  select coalesce(max(s.to_check), 0) into sealed from {{trust}}.gcos_gate_seal s;
  if issued <= sealed then
    return;
  end if;
  -- After reading the last check id: every transaction that was issued one of them has a smaller id.
  own := pg_current_xact_id();
  insert into {{trust}}.gcos_gate_seal_mark as m (only_row, up_to, xact) values (1, issued, own) on conflict do nothing;
  select m.up_to, m.xact into mark from {{trust}}.gcos_gate_seal_mark m for update;
  -- Again, because another session may have sealed while this one waited.
  select coalesce(max(s.to_check), 0) into sealed from {{trust}}.gcos_gate_seal s;
  running := pg_current_snapshot();
  -- A mark of an earlier call is in the future only on another server, where a dump was restored: none of the
  -- transactions it waits for exists there.
  if mark.up_to > sealed and mark.xact <> own
    and (pg_snapshot_xmin(running) > mark.xact or pg_snapshot_xmax(running) <= mark.xact) then
    select count(*), max(r.check_id) into found_rows, last_row
    from (
      select a.check_id from {{trust}}.governance_gate_answer a
      where a.check_id > sealed and a.check_id <= mark.up_to
      order by a.check_id
      limit most
    ) r;
    upper_end := case when found_rows < most then mark.up_to else last_row end;
    if found_rows > 0 then
      return query
      insert into {{trust}}.gcos_gate_seal as s (
        from_check, to_check, answers, first_decided_at, last_decided_at, columns, digest, answer_marks, sealed_at)
      select sealed + 1, upper_end, count(*), min(h.decided_at), max(h.decided_at),
        array(
          select c.attname::text from pg_attribute c
          where c.attrelid = '{{trust}}.governance_gate_answer'::regclass and c.attnum > 0 and not c.attisdropped
          order by c.attnum),
        -- The prefixes 'gcos-gate-seal' and 'gcos-gate-answer', each with a zero byte.
        encode(sha256(E'\\x67636f732d676174652d7365616c00'::bytea || string_agg(h.digest, ''::bytea order by h.check_id, h.first_item)), 'hex'),
        string_agg(substring(h.digest for 4), ''::bytea order by h.check_id, h.first_item), {{trust}}.gcos_now()
      from (
        select a.check_id, a.first_item, a.decided_at,
          sha256(E'\\x67636f732d676174652d616e7377657200'::bytea || convert_to(to_jsonb(a)::text, 'UTF8')) as digest
        from {{trust}}.governance_gate_answer a
        where a.check_id > sealed and a.check_id <= upper_end
        -- Each row is hashed once, and the hashes are sorted, not the rows.
        offset 0
      ) h
      returning s.from_check, s.to_check, s.answers, found_rows = most;
    end if;
    sealed := upper_end;
  end if;
  if mark.up_to <= sealed and mark.xact <> own then
    update {{trust}}.gcos_gate_seal_mark m set up_to = issued, xact = own where issued > m.up_to;
  end if;
end
$gcos_function$;
comment on function {{trust}}.gcos_seal_gate() is 'GCOS: seals the next range of gate answers, if there is one';

-- The check up to which answers can be pruned that were given before p_before: only whole sealed ranges, so
-- that what remains can still be compared with its digest.
create function {{trust}}.gcos_gate_prunable(p_before timestamptz)
returns bigint
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return coalesce(
    (select min(s.from_check) - 1 from {{trust}}.gcos_gate_seal s where s.last_decided_at >= p_before),
    (select max(s.to_check) from {{trust}}.gcos_gate_seal s), 0);
end
$gcos_function$;

revoke all on function {{trust}}.gcos_seal_gate(), {{trust}}.gcos_gate_prunable(timestamptz) from public;
grant execute on function {{trust}}.gcos_seal_gate() to {{worker}};
grant execute on function {{trust}}.gcos_gate_prunable(timestamptz) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
