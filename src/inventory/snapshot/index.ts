import type { Migration } from '../../db/index.js';

import migrationDownSql from './migration.down.sql.js';
import migrationSql from './migration.sql.js';
import purgeSql from './purge.sql.js';

export {
  type Announce,
  type Captured,
  type CaptureOptions,
  type ClosingReading,
  captureSnapshot,
  type InventoryReader,
  keepSnapshot,
  readDocument,
  readInventoryByKey,
  STATEMENT_LIMIT_MS,
} from './capture.js';
export {
  FORMAT as SNAPSHOT_FORMAT,
  identityText,
  type SnapshotDocument,
  type SnapshotGroup,
} from './document.js';
export { compareSnapshots, type Drift, type GroupDrift } from './drift.js';
export { snapshotErrors } from './errors.js';
export {
  ALGORITHM,
  boundsOf,
  type Fingerprint,
  groupOf,
  type Inventory,
  memberStatusTable,
  type Place,
  readInventory,
  statusRegistries,
} from './fingerprint/fingerprint.js';
export { type IdRange, walkRanges } from './fingerprint/range.js';
export { readSealedDigests } from './fingerprint/sealed.js';
export {
  isFrozen,
  type Pruned,
  readSnapshot,
  type Snapshot,
  type SnapshotLine,
  type SnapshotPage,
  Snapshots,
  type SnapshotVerification,
} from './snapshots.js';
export { appendTrialSnapshot, SCOPES, type SnapshotKind } from './store.js';

export const snapshotMigration: Migration = {
  id: 9,
  name: 'snapshot',
  up: migrationSql,
  down: migrationDownSql,
};
export const snapshotPurge = purgeSql;
