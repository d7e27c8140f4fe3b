// Owns findings about changes outside the declared path: one finding per change, until it is resolved in the
// log. A full evaluation reads the whole log. Other evaluations read only the end of the log and the known
// findings.
import type { Transaction } from '../../../db/index.js';
import type { RiskClass } from '../../../record/finding/index.js';
import type { FindingPage } from '../gap.js';
import { readBypasses } from './checks.sql.js';
import type { CheckContext } from './context.js';

export const BYPASS = 'direct_write_bypass';
const LOG = 'registry_changelog';
const ID = /^registry_changelog\/([0-9]{1,18})$/;

export async function checkBypasses(
  tx: Transaction,
  { rules, coverage }: CheckContext,
  /** The known findings to check again, beside the end of the log; null: the whole log. */
  known: readonly string[] | null,
): Promise<FindingPage> {
  const governed = [...rules.profiles].filter(
    ([, profile]) => profile !== null && !profile.class0 && Object.keys(profile.requiredLinks).length > 0,
  );
  const rows = await tx.run(readBypasses, {
    actions: coverage.bypassActions,
    classes: governed.map(([name]) => name),
    ids: known === null ? null : known.flatMap((subject) => ID.exec(subject)?.[1] ?? []).map(BigInt),
  });
  return {
    observations: rows.map((row) => {
      const risk = rules.profiles.get(row.entity_type)?.riskClass;
      return {
        type: BYPASS,
        subject: `${LOG}/${row.id}`,
        entityType: row.entity_type,
        entityCode: row.entity_code,
        ...(risk === undefined ? {} : { riskClass: risk as RiskClass }),
        evidence: { change: String(row.id), action: row.action },
      };
    }),
    evaluated: { types: [BYPASS], subjects: known ?? 'all' },
  };
}
