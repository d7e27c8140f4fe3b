// Owns the index recommendations of the doctor. GCOS never creates an index on a host table: the host's
// operator decides.
import type { Transaction } from '../../db/index.js';
import type { DiscoveredTable } from '../discovery.js';
import { readIndexes } from './indexes.sql.js';
import type { DoctorLine } from './report.js';

interface Recommendation {
  readonly table: string;
  readonly columns: readonly string[];
  readonly why: string;
}

const recommendedIndexes: readonly Recommendation[] = [
  { table: 'birth_registry', columns: ['id'], why: 'GCOS reads new births by key' },
  {
    table: 'birth_registry',
    columns: ['collection_name', 'entity_code'],
    why: 'GCOS looks an object up by its key',
  },
  { table: 'registry_changelog', columns: ['id'], why: 'GCOS reads changes by key' },
  { table: 'system_issues', columns: ['coalesce_key'], why: 'GCOS looks a repeated finding up by its key' },
  {
    table: 'event_outbox',
    columns: ['event_domain', 'event_type'],
    why: 'GCOS separates its own signals from those of other domains',
  },
  { table: 'event_read', columns: ['event_id'], why: 'GCOS looks up the readers of a signal' },
  {
    table: 'governance_object_ownership',
    columns: ['object_type', 'object_ref'],
    why: 'GCOS looks owners up by object',
  },
];

/** An index is suitable if its first columns are the wanted ones, in any order. */
function serves(found: readonly string[], wanted: readonly string[]): boolean {
  const head = new Set(found.slice(0, wanted.length));
  return head.size === wanted.length && wanted.every((column) => head.has(column));
}

export async function checkIndexes(
  tx: Transaction,
  schema: string,
  tables: readonly DiscoveredTable[],
): Promise<DoctorLine[]> {
  const present = new Set(
    tables.filter((table) => table.shape.state === 'present').map((table) => table.contract.name),
  );
  const wanted = recommendedIndexes.filter((item) => present.has(item.table));
  const found = await tx.run(readIndexes, {
    schema,
    relations: [...new Set(wanted.map((item) => item.table))],
  });
  return wanted
    .filter((item) => !found.some((row) => row.relation === item.table && serves(row.columns, item.columns)))
    .map((item) => ({
      section: 'index',
      subject: item.table,
      state: 'note',
      detail: `an index on (${item.columns.join(', ')}) would help: ${item.why}`,
    }));
}
