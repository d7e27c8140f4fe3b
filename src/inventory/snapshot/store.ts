// Owns the rows of snapshots in the host's evolution_snapshots: append, read and prune. They are never
// changed.
import type { Transaction } from '../../db/index.js';
import { FORMAT } from './document.js';
import { appendRow } from './store.sql.js';

/**
 * backfill and full: of closing runs. scan: of `gcos snapshot capture`. delta: only the groups on which a
 * verdict was decided and that no other snapshot contains with this fingerprint.
 */
export type SnapshotKind = 'backfill' | 'full' | 'scan' | 'delta';

/** The kinds that contain the whole inventory. */
export type CapturedKind = Exclude<SnapshotKind, 'delta'>;

/** Kind → value of the column `scope` in the host's table. */
export const SCOPES: Readonly<Record<SnapshotKind, string>> = {
  backfill: 'governance.backfill',
  full: 'governance.audit',
  scan: 'governance.scan',
  delta: 'governance.delta',
};

export function kindOf(scope: string): SnapshotKind {
  const found = (Object.keys(SCOPES) as SnapshotKind[]).find((kind) => SCOPES[kind] === scope);
  if (found === undefined) throw new Error(`not the scope of a snapshot: ${scope}`);
  return found;
}

/** The kind, or the scope itself if this version has no such kind. */
export const kindName = (scope: string): string =>
  (Object.keys(SCOPES) as SnapshotKind[]).find((kind) => SCOPES[kind] === scope) ?? scope;

/** An empty snapshot with which the doctor checks that the host accepts one. It is rolled back. */
export async function appendTrialSnapshot(tx: Transaction): Promise<void> {
  await tx.one(appendRow, {
    scope: SCOPES.scan,
    metrics: JSON.stringify({ format: FORMAT, groups: {} }),
    delta: '{}',
    notes: 'trial write of gcos doctor',
  });
}
