// Owns the findings about scanning: expired verdicts that were not renewed, coverage that was not evaluated,
// and marks that wait too long. Each finding is resolved by the first check that no longer observes it.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';
import {
  type FindingContext,
  type Observation,
  type RiskClass,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { readBacklog } from './backlog.js';
import { readTrouble } from './watch.sql.js';

const lagSetting = z.strictObject({ seconds: z.number().positive(), groups: z.number().positive() });
export const scanLag = defineSetting({
  key: 'scan.lag',
  form: lagSetting,
  default: { seconds: 900, groups: 1000 },
  about: 'how long a mark may wait, and how many groups may, before `candidate_scan_lag` is raised',
});
const TYPES: Readonly<Record<string, string>> = { stale: 'candidate_stale', unknown: 'candidate_unknown' };
const LAG = 'candidate_scan_lag';

/** Checks the whole backlog and writes the findings about it. */
export async function watchCandidates(
  tx: Transaction,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  const { at } = context;
  const { seconds, groups } = await readSetting(tx, scanLag);
  const rows = await tx.run(readTrouble, { at, seconds });
  const backlog = await readBacklog(tx, at);
  const waited = backlog.waitedSeconds;
  const observations: readonly Observation[] = [
    ...rows.map((row) => ({
      type: TYPES[row.what] ?? '',
      subject: row.inventory_key,
      entityType: 'collection',
      entityCode: row.source_registry,
      riskClass: row.risk_class as RiskClass,
      evidence: { object_class: row.object_class, rows: String(row.rows) },
    })),
    ...(waited > seconds || Number(backlog.groups) > groups
      ? [
          {
            type: LAG,
            subject: 'scan',
            entityType: 'worker',
            entityCode: 'scan',
            ...(backlog.highRisk ? { riskClass: 'write_high' as const } : {}),
            evidence: { groups: String(backlog.groups), waited_seconds: Math.round(waited) },
          },
        ]
      : []),
  ];
  return writeFindings(tx, observations, {
    ...context,
    evaluated: { types: [...Object.values(TYPES), LAG], subjects: 'all' },
  });
}
