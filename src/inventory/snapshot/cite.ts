// Owns the guarantee that every group has a snapshot to cite. Before verdicts are written, the groups that
// no snapshot contains with their present fingerprint are stored as a small snapshot of their own (kind
// delta). So a verdict never refers to a snapshot in which its group is missing or different.
import type { Transaction } from '../../db/index.js';
import { appendAudit } from '../../host/index.js';
import type { UnresolvedReason } from '../group/index.js';
import { noteCaptured, readUncited } from './cite.sql.js';
import { type MeasuredGroup, makeDocument, type SnapshotDocument } from './document.js';
import { LITTLE_ENDIAN } from './fingerprint/fingerprint.js';
import { readServerFacts } from './fingerprint/fingerprint.sql.js';
import { SCOPES } from './store.js';
import { appendRow } from './store.sql.js';

/** What is stored with a snapshot besides its groups. */
export interface CiteOptions {
  readonly runId: string;
  /** Null: none is active. */
  readonly rulesetVersion: string | null;
  /** The sweep has not counted the members yet: any snapshot with the group will do. */
  readonly needsBackfill?: boolean;
  /**
   * For verdicts about single objects. They do not depend on the other members of a container, so any
   * snapshot with the container will do.
   */
  readonly forObjects?: boolean;
}

/** Records which snapshot contains the groups of `document`. */
export async function noteGroups(
  tx: Transaction,
  snapshotRef: bigint,
  { groups }: SnapshotDocument,
): Promise<void> {
  const all = Object.entries(groups);
  if (all.length === 0) return;
  await tx.run(noteCaptured, {
    snapshotRef,
    inventoryKeys: all.map(([key]) => key),
    fingerprints: all.map(([, group]) => [group.count, group.grain_count, group.h1, group.h2].join(':')),
  });
}

/** Makes sure that a snapshot contains each of these inventory groups as it is now. */
export async function citeGroups(
  tx: Transaction,
  inventoryKeys: readonly string[],
  { runId, rulesetVersion, needsBackfill = false, forObjects = false }: CiteOptions,
): Promise<void> {
  if (inventoryKeys.length === 0) return;
  const rows = await tx.run(readUncited, {
    inventoryKeys: [...new Set(inventoryKeys)],
    uncounted: needsBackfill,
    forObjects,
  });
  if (rows.length === 0) return;
  const server = await tx.one(readServerFacts, { littleEndian: LITTLE_ENDIAN });
  const groups = rows.map(
    (row): MeasuredGroup => ({
      key: row.inventory_key,
      objectClass: row.object_class,
      sourceRegistry: row.source_registry,
      axisFamily: row.axis_family,
      lifecycleStatus: row.lifecycle_status,
      unresolved: row.unresolved_reason as UnresolvedReason | null,
      inherits: row.inherits,
      count: row.member_count,
      grainCount: row.grain_count,
      maxBornAt: row.max_born_at,
      maxId: row.max_id,
      h1: BigInt(row.h1),
      h2: BigInt(row.h2),
    }),
  );
  const document = makeDocument({ runId, rulesetVersion, phase: 'deciding', server, groups });
  const { id } = await tx.one(appendRow, {
    scope: SCOPES.delta,
    metrics: JSON.stringify(document),
    delta: '{}',
    notes: 'the groups on which verdicts were decided',
  });
  await noteGroups(tx, id, document);
  await appendAudit(tx, [
    {
      entityType: 'governance_snapshot',
      action: 'capture',
      entityCode: String(id),
      detail: { kind: 'delta', run_id: runId, identity: document.identity, groups: document.totals.groups },
    },
  ]);
}
