// Owns what storing drafts would change: what would be raised, reopened and resolved. It follows the function in the database that stores
// them, and writes nothing.
import type { Transaction } from '../../db/index.js';
import type { Draft } from './ceiling.js';
import { readStanding } from './foresee.sql.js';
import type { Severity, Transition } from './observation.js';
import type { Clean } from './store.js';

/** What would become of a finding. */
export type ForeseenTransition = Pick<
  Transition,
  'key' | 'type' | 'subject' | 'scope' | 'severity' | 'change'
>;

export async function foreseeDrafts(
  tx: Transaction,
  drafts: readonly Draft[],
  { types, subjects }: Clean,
  closedWords: readonly string[],
): Promise<readonly ForeseenTransition[]> {
  const keys = drafts.map((draft) => draft.key);
  const rows = await tx.run(readStanding, { keys, types: types ?? [], subjects, closedWords });
  const standing = new Map(rows.map((row) => [row.coalesce_key, row]));
  const seen = new Set(keys);
  return [
    ...drafts.flatMap(({ key, type, observation, severity }): ForeseenTransition[] => {
      const row = standing.get(key);
      if (row?.is_open === true) return [];
      const { subject, scope = null } = observation;
      const change = row?.is_known === true ? 'reopened' : 'raised';
      return [{ key, type: type.name, subject, scope, severity, change }];
    }),
    ...rows
      .filter((row) => row.is_open && !seen.has(row.coalesce_key))
      .map((row) => ({
        ...{ key: row.coalesce_key, type: row.finding_type, subject: row.subject, scope: row.scope },
        ...{ severity: row.severity as Severity, change: 'resolved' as const },
      })),
  ];
}
