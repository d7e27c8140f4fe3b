// Owns the two findings of a backfill: its proof or ledger does not close, and births could not be taken in.
import type { Transaction } from '../../db/index.js';
import { backfillLetterFindings } from '../../record/cursor/index.js';
import { type Observation, writeFindings } from '../../record/finding/index.js';
import type { Ledger } from '../../verdict/ledger/index.js';
import type { Proof } from '../closing/index.js';
import type { BackfillContext } from './context.js';
import type { BackfillCounts } from './counts.js';

/** The subject of findings about the backfill as a whole. */
export const BACKFILL_SUBJECT = 'birth_registry';
const NAMED = 20;

const about = (type: string, evidence: Readonly<Record<string, unknown>>): Observation => ({
  type,
  subject: BACKFILL_SUBJECT,
  entityType: 'table',
  entityCode: BACKFILL_SUBJECT,
  evidence,
});

/** Raises the findings that apply and resolves those that no longer do. */
export async function syncFindings(
  tx: Transaction,
  context: BackfillContext,
  found: {
    readonly at: string;
    readonly rulesetVersion: string;
    readonly proof: Proof;
    /** Undefined if nothing was verified. */
    readonly ledger: Ledger | undefined;
    readonly counts: BackfillCounts;
  },
): Promise<void> {
  const { proof, ledger, counts, at, rulesetVersion } = found;
  const open = ledger?.scopes.filter((scope) => !scope.closes) ?? [];
  const observations = [
    ...(proof.closed && ledger?.closes
      ? []
      : [
          about('backfill_incomplete', {
            verified: proof.verified,
            omitted: String(proof.omitted),
            duplicated: String(proof.duplicated),
            groups: proof.mismatchedGroups.length,
            mismatched: proof.mismatchedGroups.slice(0, NAMED),
            scopes: open.map((scope) => scope.scope),
            differing: open
              .flatMap((scope) => scope.differences.map(({ group }) => group.inventoryKey))
              .slice(0, NAMED),
          }),
        ]),
  ];
  const run = {
    runId: context.runId,
    at,
    ruleset: rulesetVersion,
    activeRuleset: rulesetVersion,
  };
  const incomplete = await writeFindings(tx, observations, {
    ...run,
    evaluated: { types: ['backfill_incomplete'], subjects: [BACKFILL_SUBJECT] },
  });
  await context.announce(tx, incomplete, run);
  const letters = await backfillLetterFindings(tx, counts.deadLettered);
  const written = await writeFindings(tx, letters.observations, { ...run, evaluated: letters.evaluated });
  await context.announce(tx, written, run);
}
