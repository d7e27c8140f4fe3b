// Reads GCOS's derived state of an estate as comparable text, and derives that state from scratch.
import type { Gcos } from '../../src/index.js';
import { readTermRows } from '../../src/verdict/ledger/row/terms.sql.js';
import { asHost } from './database.js';
import { keepRulesInForce } from './ruleset-in-force.js';
import { everyTerm, withLiterals } from './sql.js';

/** Runs the intake and incremental scans until nothing is left to do; runs no full scan. */
export async function catchUp(
  gcos: Gcos,
  { approve = true }: { readonly approve?: boolean } = {},
): Promise<void> {
  if (approve) await keepRulesInForce(gcos);
  for (let round = 0; round < 10; round += 1) {
    const taken = await gcos.intakes.once();
    const scanned = await gcos.scans.run({ mode: 'incremental' });
    if (taken.applied.dirtied + scanned.lookedAt === 0) return;
  }
  throw new Error('intake and scan still have work after 10 rounds');
}

/** Deletes all derived rows; keeps the host's rows, the rules and their approvals. */
const DELETE_DERIVED = `
  truncate candidate_scan_run, gov_backfill_partial, gov_intake_log_seen, gov_intake_registry, gov_intake_gap, gov_intake_seen,
    gov_worker_cursor, gov_worker_lease, governance_candidate_object, governance_candidate_state, governance_finding_key,
    governance_group, governance_inventory, governance_input_state, governance_verdict_history, governance_signal_key, governance_hold cascade;
  delete from system_issues where source = 'gcos';
  delete from event_pending where event_domain = 'governance';
  delete from evolution_snapshots where scope like 'governance.%'`;

/** Derives everything again from the host and the rules alone, as after an installation. */
export async function startOver(url: string, gcos: Gcos): Promise<void> {
  await asHost(url, DELETE_DERIVED);
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
}

/**
 * Findings that only closing runs raise, because only they read the whole inventory or store a snapshot of
 * it: births of collections without a class, and the state of the proof.
 */
const CLOSING_ONLY = ['backfill_inventory_gap', 'governance_schema_drift'];

export type KnownState = ReadonlyMap<string, string>;

/**
 * The derived state, by subject. It contains everything that follows from the host's state and the rules.
 * It omits what may legitimately differ:
 * - times, runs, snapshots and row ids;
 * - tombstones and retired groups, which exist only if GCOS knew the object before;
 * - how often and since when a finding was observed;
 * - severity, routes, evidence and first named object of a finding, which stay as at its opening.
 */
export async function readKnownState(url: string, at: string): Promise<KnownState> {
  const rows = await asHost(
    url,
    `select 'group ' || c.inventory_key || ' ' || i.source_registry || ' ' || coalesce(i.lifecycle_status, '') || ' ' || c.scope as what,
       jsonb_build_array(c.candidate_verdict, c.verdict_line, c.coverage_required, c.coverage_outcome, c.weight, c.input_hash, c.group_key,
         c.owner_scope, c.risk_class, c.ruleset_version, c.dirty, c.recompute_status, c.input_quality_state, c.depends_on, c.evidence, c.coverage_evidence)::text as is
     from governance_candidate_state c join governance_inventory i using (inventory_key) where c.row_state = 'active'
     union all
     select 'object ' || c.collection_name || ' ' || c.entity_code || ' ' || c.scope,
       jsonb_build_array(c.candidate_verdict, c.verdict_line, c.coverage_required, c.coverage_outcome, c.weight, c.input_hash, c.group_key,
         c.inventory_key, c.birth_id, c.reasons, c.owner_scope, c.risk_class, c.ruleset_version, c.dirty, c.recompute_status, c.input_quality_state, c.depends_on, c.evidence, c.coverage_evidence)::text
     from governance_candidate_object c where c.row_state = 'active'
     union all
     select 'finding ' || k.finding_type || ' ' || k.coalesce_key,
       jsonb_build_array(k.subject, k.scope, k.parent_key, s.issue_class, s.entity_type)::text
     from governance_finding_key k join system_issues s on s.id = k.issue_id where s.status = 'open' and k.finding_type <> all (array['${CLOSING_ONLY.join("', '")}'])
     union all
     select 'term ' || t.scope || ' ' || t.inventory_key || ' ' || t.source_registry || ' ' || t.term || ' ' || t.cause, t.units || ' ' || t.keys
     from (${withLiterals(readTermRows, everyTerm(at))}) t where t.cause <> 'tombstone'`,
  );
  return new Map(rows.map((row) => [String(row['what']), String(row['is'])]));
}

const partsOf = (text: string | undefined): readonly unknown[] => {
  if (text === undefined) return ['nothing'];
  return text.startsWith('[') ? (JSON.parse(text) as unknown[]) : [text];
};

/** The differences between two states, one line each. */
export function differences(left: KnownState, right: KnownState): readonly string[] {
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((key) => left.get(key) !== right.get(key))
    .sort()
    .map((key) => {
      const [before, after] = [partsOf(left.get(key)), partsOf(right.get(key))].map((parts, _, both) =>
        parts.filter((part, place) =>
          both.some((each) => JSON.stringify(each[place]) !== JSON.stringify(part)),
        ),
      );
      return `${key}: step by step ${JSON.stringify(before)}, from scratch ${JSON.stringify(after)}`;
    });
}
