// Owns the findings about input: one per cause, however many objects it concerns. A finding is resolved when
// its cause is gone and reopened when the cause returns. Two states raise no finding here: a listed member
// without a birth belongs to the birth process, and `needs_backfill` to the backfill.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import {
  type FindingContext,
  type Observation,
  type RiskClass,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { KEYLESS, observeKeyless } from './birth/keyless.js';
import { readCauses, readTouched } from './findings.sql.js';
import { linkInput, readOpenInput } from './linked.sql.js';

const TYPES: Readonly<Record<string, string>> = {
  invalid_schema: 'input_invalid_schema',
  incomplete_input: 'input_incomplete',
  untrusted_source: 'input_untrusted_source',
  duplicate: 'input_duplicate',
  conflict: 'input_conflict',
  stale: 'input_stale',
  quarantined: 'input_quarantined',
};

const STATES = new Map(Object.entries(TYPES).map(([state, type]) => [type, state]));

/** The collections whose findings may have changed through an evaluation at `at`. */
export async function readTouchedInput(tx: Transaction, at: string): Promise<readonly string[]> {
  return (await tx.run(readTouched, { at })).map((row) => row.collection_name);
}

/** One cause for which input is not accepted, with all objects it concerns. */
export interface InputCause {
  readonly collection: string;
  /** The input state. It determines the type of the finding. */
  readonly state: string;
  readonly cause: string;
  readonly whole: boolean;
  readonly objects: bigint;
  readonly sample: readonly string[];
  readonly scopes: readonly string[];
}

/** The observations for these causes. */
export function observeCauses(causes: readonly InputCause[], map: ClassMap): readonly Observation[] {
  return causes.flatMap((each): Observation[] => {
    const type = TYPES[each.state];
    if (type === undefined) return [];
    const risk = map.classOf(each.collection, null).profile?.riskClass;
    return [
      {
        type,
        subject: each.collection,
        rootCause: each.cause,
        entityType: 'collection',
        entityCode: each.collection,
        ...(risk === undefined ? {} : { riskClass: risk as RiskClass }),
        evidence: {
          input_state: each.state,
          cause: each.cause,
          objects: each.whole ? 'all' : String(each.objects),
          sample: each.sample,
          ...(each.scopes.length === 0 ? {} : { scopes: each.scopes }),
        },
      },
    ];
  });
}

/** The types of findings about input. */
export const INPUT_FINDINGS: readonly string[] = Object.values(TYPES);

/**
 * Raises, repeats, reopens and resolves the findings about input, of all collections or of the given ones,
 * and sets input_quality_ref of their rows.
 */
export async function syncInputFindings(
  tx: Transaction,
  context: Omit<FindingContext, 'evaluated'>,
  options: { readonly map: ClassMap; readonly collections?: readonly string[] },
): Promise<Transitions> {
  const { map, collections } = options;
  const rows = await tx.run(readCauses, { collections: collections ?? null });
  const causes = rows.map((row) => ({
    ...{ collection: row.collection_name, state: row.finding, cause: row.cause, whole: row.whole },
    ...{ objects: row.subjects, sample: row.sample ?? [], scopes: row.scopes },
  }));
  const keyless = collections === undefined ? await observeKeyless(tx) : [];
  const transitions = await writeFindings(tx, [...observeCauses(causes, map), ...keyless], {
    ...context,
    evaluated: { types: INPUT_FINDINGS, subjects: collections ?? 'all' },
  });
  await linkInputFindings(tx, context, collections ?? null);
  return transitions;
}

async function linkInputFindings(
  tx: Transaction,
  { at }: Omit<FindingContext, 'evaluated'>,
  collections: readonly string[] | null,
): Promise<void> {
  const open = await tx.run(readOpenInput, {
    types: INPUT_FINDINGS,
    collections,
  });
  await tx.withoutNestedLoops(() =>
    tx.one(linkInput, {
      collections,
      subjects: open.map((row) => row.subject),
      states: open.map((row) => STATES.get(row.finding_type) ?? ''),
      causes: open.map((row) => row.cause),
      issueIds: open.map((row) => row.issue_id),
      at,
    }),
  );
}

/** Raises, repeats or resolves the finding about births without a key. */
export async function syncKeylessFinding(
  tx: Transaction,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  return writeFindings(tx, await observeKeyless(tx), {
    ...context,
    evaluated: { types: [KEYLESS.type], subjects: [KEYLESS.subject] },
  });
}
