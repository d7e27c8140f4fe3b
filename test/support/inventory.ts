// Captures snapshots as a worker does, and reads and compares fingerprints of the inventory.
import type { Database, Transaction } from '../../src/db/index.js';
import { readClassMap } from '../../src/inventory/group/index.js';
import { makeDocument } from '../../src/inventory/snapshot/document.js';
import {
  type Captured,
  type CaptureOptions,
  captureSnapshot,
  compareSnapshots,
  type Inventory,
  readInventory,
} from '../../src/inventory/snapshot/index.js';
import { announceFindings } from '../../src/work/announcement.js';

/** Captures a snapshot as a worker does. */
export async function capture(
  db: Database,
  options: Partial<CaptureOptions> & Pick<CaptureOptions, 'kind'>,
): Promise<Captured> {
  return captureSnapshot(db, { announce: announceFindings, ...options });
}

export const LIMIT_MS = 30_000;

/** The fingerprints of the inventory as `tx` sees it. */
export async function inventoryIn(
  tx: Transaction,
  schema: string,
  options: { limitMs?: number; parts?: number } = {},
): Promise<Inventory> {
  return readInventory(tx, await readClassMap(tx, schema), { limitMs: LIMIT_MS, ...options });
}

export function inventoryOf(db: Database): Promise<Inventory> {
  return db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) => inventoryIn(tx, db.schema));
}

/** Comparable text of all fingerprints. */
export const textOf = (inventory: Inventory): string =>
  JSON.stringify(inventory.groups, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );

/** The keys of the groups that differ between two inventories, including added and removed groups. */
export function changedKeys(before: Inventory, after: Inventory): string[] {
  const server = { version_num: 180000, encoding: 'UTF8', endianness: 'little' };
  const documentOf = ({ groups }: Inventory) =>
    makeDocument({ runId: '', rulesetVersion: null, phase: '', server, groups });
  const { groups } = compareSnapshots({ id: 1n, document: documentOf(before) }, documentOf(after));
  return groups.map((each) => each.inventoryKey);
}
