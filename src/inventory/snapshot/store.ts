// Owns the rows of snapshots in the host's evolution_snapshots: appended, read, pruned; never changed.
import { readServerTime, type Transaction } from '../../db/index.js';
import { FORMAT } from './document.js';
import { appendRow } from './store.sql.js';

export type SnapshotKind = 'backfill' | 'full' | 'scan';

/** Kind → what stands in the column `scope` of the host's table. */
export const SCOPES: Readonly<Record<SnapshotKind, string>> = {
  backfill: 'governance.backfill',
  full: 'governance.audit',
  scan: 'governance.scan',
};

export function kindOf(scope: string): SnapshotKind {
  const found = (Object.keys(SCOPES) as SnapshotKind[]).find((kind) => SCOPES[kind] === scope);
  if (found === undefined) throw new Error(`not the scope of a snapshot: ${scope}`);
  return found;
}

/** An empty snapshot, for the doctor to see whether the host takes one. It is rolled back. */
export async function appendTrialSnapshot(tx: Transaction): Promise<void> {
  await tx.one(appendRow, {
    scope: SCOPES.scan,
    at: await readServerTime(tx),
    metrics: JSON.stringify({ format: FORMAT, groups: {} }),
    delta: '{}',
    notes: 'trial write of gcos doctor',
  });
}
