// Owns which objects of inheriting classes need a row of their own although their input is accepted: those
// under an exception, with an open finding, or of high risk and asked about at the gate. The database derives
// them; nothing stores a request for a row except the questions to the gate.
import type { Transaction } from '../../db/index.js';
import type { ObjectKey } from '../input/index.js';
import { forgetConsulted, readChanged, readHeld, readReasons, readReasonsOf } from './requested.sql.js';

/** In order of precedence. */
export const REQUESTED_REASONS = ['high_risk_write', 'exception', 'open_finding'] as const;
export type RequestedReason = (typeof REQUESTED_REASONS)[number];

export interface RequestedRows {
  /** The objects, whether or not they have a birth and a class that inherits. */
  readonly objects: readonly ObjectKey[];
  /** The reasons for a row of an object whose container represents it. */
  reasonsFor(collection: string, objectClass: string, code: string): readonly RequestedReason[];
}

const nameOf = (collection: string, code: string): string => JSON.stringify([collection, code]);

/** The current reasons, in one statement; `anyClass`: also if the class does not inherit now. */
export async function readRequested(
  tx: Transaction,
  { anyClass = false }: { readonly anyClass?: boolean } = {},
): Promise<RequestedRows> {
  const rows = await tx.run(readReasons, { anyClass });
  const byName = new Map<string, { key: ObjectKey; reasons: { of: string | null; reason: string }[] }>();
  for (const row of rows) {
    const name = nameOf(row.collection_name, row.entity_code);
    const found = byName.get(name) ?? {
      key: { collection: row.collection_name, code: row.entity_code },
      reasons: [],
    };
    byName.set(name, found);
    found.reasons.push({ of: row.object_class, reason: row.reason });
  }
  return {
    objects: [...byName.values()].map(({ key }) => key),
    reasonsFor: (collection, objectClass, code) => {
      const found = byName.get(nameOf(collection, code))?.reasons ?? [];
      return REQUESTED_REASONS.filter((reason) =>
        found.some((each) => each.reason === reason && (each.of === null || each.of === objectClass)),
      );
    },
  };
}

/** Why an object has a row, each with what it refers to: an exception, a finding, the time of a question. */
export async function readRequestsOf(
  tx: Transaction,
  { collection, code, objectClass, at }: ObjectKey & { readonly objectClass: string; readonly at: string },
): Promise<readonly { readonly reason: string; readonly ref: string }[]> {
  const rows = await tx.run(readReasonsOf, { collection, code, at });
  return rows.filter((row) => row.object_class === null || row.object_class === objectClass);
}

/** The objects that have a row for such a reason. */
export async function readRequestedRows(tx: Transaction): Promise<readonly ObjectKey[]> {
  return (await tx.run(readHeld, {})).map((row) => ({
    collection: row.collection_name,
    code: row.entity_code,
  }));
}

/** An object whose row does not have the reasons that it should have. */
export interface ChangedReason extends ObjectKey {
  readonly inventoryKey: string;
  readonly birthId: bigint | null;
  readonly reason: string;
  /** Whether the reason has ended; otherwise it began. */
  readonly ended: boolean;
}

/** The reasons that began or ended since the rows were written. No row marks them. */
export async function readChangedReasons(tx: Transaction): Promise<readonly ChangedReason[]> {
  const rows = await tx.run(readChanged, {});
  return rows.map((row) => ({
    collection: row.collection_name,
    code: row.entity_code,
    inventoryKey: row.inventory_key,
    birthId: row.birth_id,
    reason: row.reason,
    ended: row.ended,
  }));
}

/** Deletes the questions to the gate that are no longer a reason. */
export async function forgetQuestions(tx: Transaction, at: string): Promise<void> {
  await tx.one(forgetConsulted, { at });
}
