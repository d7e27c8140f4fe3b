// Owns the preview of storing drafts: the findings that would be raised, reopened and resolved. It follows
// the rules of the database function that stores them, and writes nothing.
import type { Transaction } from '../../db/index.js';
import type { Draft } from './ceiling.js';
import type { Severity, Transition } from './observation.js';
import { readOpenFindings } from './preview.sql.js';
import type { Clean } from './store.js';

/** The transition that a finding would make. */
export type PreviewedTransition = Pick<
  Transition,
  'key' | 'type' | 'subject' | 'scope' | 'severity' | 'change'
>;

export async function previewDrafts(
  tx: Transaction,
  drafts: readonly Draft[],
  { types, subjects }: Clean,
): Promise<readonly PreviewedTransition[]> {
  const keys = drafts.map((draft) => draft.key);
  const rows = await tx.run(readOpenFindings, { keys, types: types ?? [], subjects });
  const open = new Map(rows.map((row) => [row.coalesce_key, row]));
  const seen = new Set(keys);
  return [
    ...drafts.flatMap(({ key, type, observation, severity }): PreviewedTransition[] => {
      const row = open.get(key);
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
