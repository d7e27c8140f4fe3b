// Owns the deadline for legacy: groups that GCOS found with its first backfill, and did not see come into
// being. They must be covered as all others, and the gate treats them as all others; the deadline says until
// when a missing link is a backlog, and from when on it is a matter for the council.
import { z } from 'zod';
import { defineSetting, type Transaction } from '../../db/index.js';
import { type RulesetContent, settingIn } from '../../host/index.js';
import { readLegacyGroups } from './legacy.sql.js';

const legacySetting = z.strictObject({ days: z.int().min(0).max(3_650) });
export const legacyDeadline = defineSetting({
  key: 'verdict.legacy',
  form: legacySetting.nullable(),
  default: { days: 60 },
  about:
    'how many days after the end of the first backfill what it found must be covered; then a missing link of it has the highest severity and goes to the council. No answer of the gate depends on it. null: there is no deadline',
});

export interface LegacyDeadline {
  readonly until: string;
  readonly overdue: boolean;
}

/**
 * Inventory key → deadline, of the legacy groups among `inventoryKeys` (null: all). None before the first
 * backfill is complete, and none if the rules set no deadline.
 */
export async function readLegacy(
  tx: Transaction,
  content: RulesetContent,
  options: { readonly at: string; readonly inventoryKeys: readonly string[] | null },
): Promise<ReadonlyMap<string, LegacyDeadline>> {
  const setting = settingIn(content, legacyDeadline, null);
  if (setting === null) return new Map();
  const rows = await tx.run(readLegacyGroups, { ...options, days: setting.days });
  return new Map(rows.map((row) => [row.inventory_key, { until: row.until, overdue: row.overdue }]));
}
