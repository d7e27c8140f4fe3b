// Owns the findings about input: one per cause, however many objects it concerns; resolved when nothing of it is left, reopened when it
// comes back. A member that was never born is for those who give birth, and what waits for the backfill for the backfill.
import { statement, type Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/index.js';
import {
  type FindingContext,
  type Observation,
  type RiskClass,
  type Transitions,
  writeFindings,
} from '../../record/index.js';
import causesSql from './state/causes.sql.js';
import touchedSql from './state/touched.sql.js';

const readCauses = statement({
  name: 'input.read_causes',
  sql: causesSql,
  params: { collections: 'text[]?' },
  columns: {
    collection_name: 'text',
    finding: 'text',
    cause: 'text',
    whole: 'bool',
    subjects: 'int8',
    sample: 'text[]?',
    scopes: 'text[]',
  },
});
const readTouched = statement({
  name: 'input.read_touched',
  sql: touchedSql,
  params: { at: 'timestamptz' },
  columns: { collection_name: 'text' },
});
export const findingStatements = [readCauses, readTouched];

const TYPES: Readonly<Record<string, string>> = {
  invalid_schema: 'input_invalid_schema',
  incomplete_input: 'input_incomplete',
  untrusted_source: 'input_untrusted_source',
  duplicate: 'input_duplicate',
  conflict: 'input_conflict',
  stale: 'input_stale',
  quarantined: 'input_quarantined',
};

/** The collections whose findings may be others since a look at `at`. */
export async function readTouchedInput(tx: Transaction, at: string): Promise<readonly string[]> {
  return (await tx.run(readTouched, { at })).map((row) => row.collection_name);
}

/** Raises, repeats, reopens and resolves the findings about input: of all collections, or of some. */
export async function settleInputFindings(
  tx: Transaction,
  context: Omit<FindingContext, 'evaluated'>,
  options: { readonly map: ClassMap; readonly collections?: readonly string[] },
): Promise<Transitions> {
  const { map, collections } = options;
  const rows = await tx.run(readCauses, { collections: collections ?? null });
  const observations = rows.flatMap((row): Observation[] => {
    const type = TYPES[row.finding];
    if (type === undefined) return [];
    const risk = map.classOf(row.collection_name, null).profile?.riskClass;
    return [
      {
        type,
        subject: row.collection_name,
        rootCause: row.cause,
        entityType: 'collection',
        entityCode: row.collection_name,
        ...(risk === undefined ? {} : { riskClass: risk as RiskClass }),
        evidence: {
          input_state: row.finding,
          cause: row.cause,
          objects: row.whole ? 'all' : String(row.subjects),
          sample: row.sample ?? [],
          ...(row.scopes.length === 0 ? {} : { scopes: row.scopes }),
        },
      },
    ];
  });
  return writeFindings(tx, observations, {
    ...context,
    evaluated: { types: Object.values(TYPES), subjects: collections ?? 'all' },
  });
}
