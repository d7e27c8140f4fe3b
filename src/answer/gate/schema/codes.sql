-- High risk: write_high, an unknown risk class, and write_low for any action but read.
create function {{trust}}.gcos_gate_high_risk(p_risk text, p_action text)
returns boolean
language sql immutable parallel safe
return coalesce(p_risk not in ('read', 'descriptive') and (p_risk <> 'write_low' or p_action <> 'read'), true);

-- INVARIANT: this is the only function that determines the reasons against one unit; the gate and its preview
-- share it. p_invalid is the reason of governance_validity(), p_ruleset the status of the ruleset of its
-- verdict, p_lapsed whether an exception it rests on has lapsed, p_ended whether its lifecycle has ended
-- (and not only its collection is exempt): then nothing at high risk may be written or run any more. Each
-- stage includes the checks of the earlier stages.
create function {{trust}}.gcos_gate_codes(
  p_stage text, p_verdict text, p_invalid text, p_ruleset text, p_required boolean, p_scanned boolean, p_outcome text, p_lapsed boolean,
  p_owner text, p_profile text, p_ended boolean, p_risk text, p_action text)
returns text[]
language sql immutable parallel safe
as $gcos_function$
  select array_remove(array[
    case when p_stage = 'prod' then
      case p_invalid
        when 'expired' then 'stale' when 'snapshot_gone' then 'dangling_snapshot'
        when 'ruleset_not_active' then case when p_ruleset = 'draft' then 'draft_ruleset' else 'ruleset_not_in_force' end
        -- dirty, recompute_failed, and any reason that this function does not know: it blocks, too.
        else p_invalid
      end
    end,
    case when p_stage = 'prod' and p_verdict in ('unknown', 'needs_input', 'deferred_birth') then p_verdict end,
    case when p_stage = 'prod' and p_verdict = 'retired' and p_ended and p_action <> 'read' and {{trust}}.gcos_gate_high_risk(p_risk, p_action) then 'retired' end,
    case when p_stage = 'prod' and p_required then
      case
        when p_scanned is not true then 'coverage_not_scanned'
        when p_outcome = 'covered' then null
        when p_outcome = 'orphan' then 'orphan'
        when p_outcome = 'exception' then case when p_lapsed is not false then 'exception_lapsed' end
        else 'coverage_not_scanned'
      end
    end,
    case when p_owner is null and p_verdict not in ('not_relevant', 'class_0', 'retired')
        and not (p_scanned is true and (p_outcome = 'covered' or p_outcome = 'exception' and p_lapsed is false)) then 'owner_missing' end,
    -- A verdict that was decided before the profile lookup does not show whether there is a profile; in
    -- production the verdict itself is a sufficient reason.
    case when (p_verdict = 'unknown' and p_stage <> 'design' or p_verdict in ('needs_input', 'deferred_birth') and p_stage in ('impl', 'route'))
      and p_profile is null then 'profile_missing' end
  ], null)
$gcos_function$;
comment on function {{trust}}.gcos_gate_codes(text, text, text, text, boolean, boolean, text, boolean, text, text, boolean, text, text) is 'GCOS: the reasons against one unit at a stage of the gate';

-- Unknown is not safe: at high risk, any reason blocks.
create function {{trust}}.gcos_gate_answer(p_high_risk boolean, p_reasons bigint)
returns text
language sql immutable parallel safe
return case when p_reasons = 0 then 'allow' when p_high_risk is false then 'allow_and_rescan' else 'block' end;

revoke all on function {{trust}}.gcos_gate_codes(text, text, text, text, boolean, boolean, text, boolean, text, text, boolean, text, text), {{trust}}.gcos_gate_high_risk(text, text),
  {{trust}}.gcos_gate_answer(boolean, bigint) from public;
grant execute on function {{trust}}.gcos_gate_codes(text, text, text, text, boolean, boolean, text, boolean, text, text, boolean, text, text), {{trust}}.gcos_gate_high_risk(text, text),
  {{trust}}.gcos_gate_answer(boolean, bigint) to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
