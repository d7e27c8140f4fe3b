// Owns the verdict of one group or object in one scope, in a form that compares stored and previewed
// verdicts.
import type { Transaction } from '../../../db/index.js';
import type { Verdict } from '../precedence.js';
import { readRows } from './unit.sql.js';

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

/** Reads all live rows. */
export async function readBelieved(tx: Transaction): Promise<readonly BelievedUnit[]> {
  return (await tx.run(readRows, {})).map((row) => ({
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
