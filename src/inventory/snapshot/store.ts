// Owns the rows of snapshots in the host's evolution_snapshots: appended, read, pruned; never changed.
import { readServerTime, statement, type Transaction } from '../../db/index.js';
import appendSql from './append.sql.js';
import { FORMAT } from './document.js';
import isFrozenSql from './is-frozen.sql.js';
import listSql from './list.sql.js';
import pruneSql from './prune.sql.js';
import readLatestSql from './read-latest.sql.js';
import readOneSql from './read-one.sql.js';

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

export const appendRow = statement({
  name: 'snapshot.append',
  sql: appendSql,
  params: { scope: 'text', at: 'timestamptz', metrics: 'jsonb', delta: 'jsonb', notes: 'text' },
  columns: { id: 'int8' },
});
export const pruneRows = statement({
  name: 'snapshot.prune',
  sql: pruneSql,
  params: { keep: 'int4', alertLevel: 'text' },
  columns: { id: 'int8', scope: 'text' },
});
export const readLatest = statement({
  name: 'snapshot.read_latest',
  sql: readLatestSql,
  params: { scope: 'text', format: 'text' },
  columns: { id: 'int8', metrics: 'text' },
});
export const readOne = statement({
  name: 'snapshot.read_one',
  sql: readOneSql,
  params: { id: 'int8', format: 'text' },
  columns: {
    id: 'int8',
    snapshot_at: 'timestamptz',
    scope: 'text',
    metrics: 'text',
    delta: 'text',
    notes: 'text?',
    in_use: 'bool',
  },
});
export const listRows = statement({
  name: 'snapshot.list',
  sql: listSql,
  params: { format: 'text', limit: 'int8', after: 'int8?', scope: 'text?' },
  columns: {
    id: 'int8',
    snapshot_at: 'timestamptz',
    scope: 'text',
    run_id: 'text?',
    ruleset_version: 'text?',
    phase: 'text?',
    identity: 'text?',
    objects: 'int8?',
    grain: 'int8?',
    groups: 'int4?',
    unresolved_groups: 'int4?',
    drifted: 'int4',
    rebaseline: 'text?',
    in_use: 'bool',
  },
});
export const isFrozenRow = statement({
  name: 'snapshot.is_frozen',
  sql: isFrozenSql,
  params: {},
  columns: { frozen: 'bool' },
});

export const storeStatements = [appendRow, pruneRows, readLatest, readOne, listRows, isFrozenRow];

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
