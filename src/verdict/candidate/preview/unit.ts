// Owns the verdict of one group or object in one scope, in a form that compares stored and previewed
// verdicts.
import type { Transaction } from '../../../db/index.js';
import type { ObjectKey } from '../../input/index.js';
import type { Verdict } from '../precedence.js';
import { readIsJudged, readRows, readStoredObjects } from './unit.sql.js';

/** A group (no code) or an object in one scope, with its verdict. */
export interface JudgedUnit {
  readonly inventoryKey: string;
  readonly scope: string;
  readonly objectClass: string;
  readonly sourceRegistry: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
  readonly code: string | null;
  readonly birthId: bigint | null;
  readonly verdict: Verdict;
  readonly line: number;
  readonly riskClass: string;
  /** Whether its lifecycle has ended. */
  readonly ended: boolean;
  /** Its weight in the ledger. */
  readonly weight: number;
  /** Whether it no longer exists: it is not evaluated. */
  readonly over: boolean;
  /** Whether it is a tombstone: kept only to record that its source is gone. */
  readonly tombstone: boolean;
}

/** A unit as stored in its live row. */
export interface BelievedUnit extends JudgedUnit {
  readonly rowId: bigint;
  readonly outcome: string | null;
}

/**
 * Identifies a unit in stored and previewed state. Objects are identified without their group, because they
 * may change it.
 */
export const unitName = ({ code, sourceRegistry, inventoryKey, scope }: JudgedUnit): string =>
  JSON.stringify(code === null ? ['group', inventoryKey, scope] : ['object', sourceRegistry, code, scope]);

/** How many stored objects one statement reads. */
const PAGE_SIZE = 20_000;

/** What has a live row. */
export interface StoredUnits {
  /** False: nothing has a verdict yet. */
  readonly judged: boolean;
  readonly objects: readonly ObjectKey[];
}

/** Reads whether anything has a live row, and which objects have one, page by page. */
export async function readStored(tx: Transaction): Promise<StoredUnits> {
  const { is_judged: judged } = await tx.one(readIsJudged, {});
  const objects: ObjectKey[] = [];
  let after = '';
  for (;;) {
    const page = await tx.run(readStoredObjects, { after, pageSize: PAGE_SIZE });
    for (const row of page) objects.push({ collection: row.collection_name, code: row.entity_code });
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return { judged, objects };
    after = last.object_key;
  }
}

/** Reads the live rows of these inventory groups and objects. */
export async function readBelieved(
  tx: Transaction,
  inventoryKeys: readonly string[],
  objects: readonly ObjectKey[],
): Promise<readonly BelievedUnit[]> {
  const rows = await tx.run(readRows, {
    inventoryKeys,
    collections: objects.map((each) => each.collection),
    codes: objects.map((each) => each.code),
  });
  return rows.map((row) => ({
    rowId: row.row_id,
    inventoryKey: row.inventory_key,
    scope: row.scope,
    objectClass: row.object_class,
    sourceRegistry: row.source_registry,
    axisFamily: row.axis_family,
    lifecycleStatus: row.lifecycle_status,
    code: row.code,
    birthId: row.birth_id,
    verdict: row.candidate_verdict as Verdict,
    line: row.verdict_line,
    riskClass: row.risk_class,
    ended: row.is_ended,
    weight: row.weight,
    over: row.is_over,
    tombstone: row.is_over && row.is_gone,
    outcome: row.coverage_outcome,
  }));
}
