export {
  type Announce,
  type Captured,
  type CaptureOptions,
  captureSnapshot,
  keepSnapshot,
  readDocument,
  readInventoryByKey,
  STATEMENT_LIMIT_MS,
} from './capture.js';
export { citeGroups } from './cite.js';
export {
  FORMAT as SNAPSHOT_FORMAT,
  identityText,
  type SnapshotDocument,
} from './document.js';
export { compareSnapshots, type Drift, type GroupDrift } from './drift.js';
export {
  boundsOf,
  type Fingerprint,
  groupOf,
  type Inventory,
  memberStatusTable,
  type Part,
  type Place,
  readInventory,
  statusRegistries,
} from './fingerprint/fingerprint.js';
export { type IdRange, walkRanges } from './fingerprint/range.js';
export { readSealedDigests } from './fingerprint/sealed.js';
export { unresolvedGaps } from './gap.js';
export { snapshotModule } from './module.js';
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
export { appendTrialSnapshot, type CapturedKind, SCOPES, type SnapshotKind } from './store.js';
