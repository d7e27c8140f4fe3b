// Owns the check that the snapshots of verdicts exist. A live row whose snapshot is gone reads as unknown.
// Each such snapshot raises a finding, which is resolved once no row refers to it.
import type { Transaction } from '../../db/index.js';
import { citeGroups } from '../../inventory/snapshot/index.js';
import {
  type FindingContext,
  type Observation,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { citeRetired, findRetired, markDangling, readDangling } from './dangling.sql.js';

const TYPE = 'snapshot_ref_dangling';

export interface Dangling {
  readonly snapshots: readonly { readonly snapshotRef: bigint; readonly rows: number }[];
  /** For the caller that announces findings. */
  readonly transitions: Transitions;
}

/** Whether a live verdict refers to a snapshot that does not exist. */
export async function hasDangling(tx: Transaction): Promise<boolean> {
  return (await tx.run(readDangling, {})).length > 0;
}

/** Marks the active rows, which the next scan renews, and gives retired rows another snapshot. */
async function repair(
  tx: Transaction,
  { runId, at, activeRuleset }: Omit<FindingContext, 'evaluated'>,
): Promise<void> {
  await tx.one(markDangling, { at });
  const inventoryKeys = (await tx.run(findRetired, {})).map((row) => row.inventory_key);
  if (inventoryKeys.length === 0) return;
  await citeGroups(tx, inventoryKeys, { runId, rulesetVersion: activeRuleset ?? null });
  await tx.one(citeRetired, { inventoryKeys, at });
}

/**
 * Raises a finding per missing snapshot, and resolves those that no row refers to any more. Makes sure
 * that the next scan resolves them.
 */
export async function checkDangling(
  tx: Transaction,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Dangling> {
  const rows = await tx.run(readDangling, {});
  const observations: readonly Observation[] = rows.map((row) => ({
    type: TYPE,
    subject: String(row.snapshot_ref),
    entityType: 'snapshot',
    entityCode: String(row.snapshot_ref),
    ...(row.high_risk ? { riskClass: 'write_high' as const } : {}),
    evidence: { rows: String(row.rows) },
  }));
  const transitions = await writeFindings(tx, observations, {
    ...context,
    evaluated: { types: [TYPE], subjects: 'all' },
  });
  if (rows.length > 0) await repair(tx, context);
  return {
    snapshots: rows.map((row) => ({ snapshotRef: row.snapshot_ref, rows: Number(row.rows) })),
    transitions,
  };
}
