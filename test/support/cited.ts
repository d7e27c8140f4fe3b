// Checks what verdicts refer to: the snapshot of a live verdict must contain its group with the fingerprint
// that the verdict was decided on.
import { asHost } from './database.js';

/** One line per verdict whose snapshot does not contain its group, or contains it otherwise. */
export async function wrongCitations(url: string): Promise<readonly string[]> {
  const rows = await asHost(
    url,
    `select v.what || ': snapshot ' || v.ref || ' has ' || coalesce(v.there, 'no such group') || ', decided on ' || coalesce(v.decided, 'nothing') as line
     from (
       select c.what, c.source_snapshot_ref as ref, c.evidence_fingerprint as decided,
         g ->> 'count' || ':' || (g ->> 'grain_count') || ':' || (g ->> 'h1') || ':' || (g ->> 'h2') as there
       from (
         select 'group ' || i.source_registry || ' ' || s.scope || ' ' || s.row_state as what, s.inventory_key, s.source_snapshot_ref, s.evidence_fingerprint
         from governance_candidate_state s join governance_inventory i using (inventory_key) where s.row_state <> 'superseded'
         union all
         select 'object ' || o.collection_name || ' ' || o.entity_code || ' ' || o.scope || ' ' || o.row_state, o.inventory_key, o.source_snapshot_ref, o.evidence_fingerprint
         from governance_candidate_object o where o.row_state <> 'superseded'
       ) c
       left join (
         select e.id, k.key, k.value as g from evolution_snapshots e cross join lateral jsonb_each(e.metrics -> 'groups') k where e.scope like 'governance.%'
       ) s on s.id = c.source_snapshot_ref and s.key = c.inventory_key
     ) v
     where v.there is distinct from v.decided
     order by 1`,
  );
  return rows.map((row) => String(row['line']));
}
