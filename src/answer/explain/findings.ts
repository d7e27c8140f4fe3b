// Owns the findings that the rows of one unit refer to.
import type { Transaction } from '../../db/index.js';
import { readFindings } from './explain.sql.js';

export interface ExplainedFinding {
  readonly code: string;
  readonly type: string;
  /** Its status now: someone may have closed it by hand since the row was linked to it. */
  readonly status: string | null;
}

/** By row: the finding about the group or object, and the one about its input. */
export interface FindingsOfRows {
  readonly coverage: ReadonlyMap<bigint, ExplainedFinding>;
  readonly input: ReadonlyMap<bigint, ExplainedFinding>;
}

export async function readFindingsOf(
  tx: Transaction,
  rows: readonly { readonly rowId: bigint }[],
): Promise<FindingsOfRows> {
  const found = await tx.run(readFindings, { rowIds: rows.map((row) => row.rowId) });
  const about = (what: string) =>
    new Map(
      found
        .filter((row) => row.about === what)
        .map(({ row_id, code, type, status }) => [row_id, { code, type, status }]),
    );
  return { coverage: about('coverage'), input: about('input') };
}
