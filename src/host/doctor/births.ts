// Owns the doctor's checks of the structure of birth_registry: parts that GCOS cannot follow, inheritance
// children, and key columns that may be NULL. An ordinary table has no line.
import type { Transaction } from '../../db/index.js';
import type { DiscoveredTable } from '../discovery.js';
import { readBirthParts, readOptionalKeys } from './births.sql.js';
import type { DoctorLine } from './report.js';

const BIRTHS = 'birth_registry';
const NAMED = 5;

function listed(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${names
    .slice(0, NAMED)
    .map((name) => `\`${name}\``)
    .join(', ')}${more}`;
}

export async function checkBirths(
  tx: Transaction,
  schema: string,
  tables: readonly DiscoveredTable[],
): Promise<DoctorLine[]> {
  const births = tables.find((table) => table.contract.name === BIRTHS);
  if (births?.shape.state !== 'present') return [];
  const line = (subject: string, state: DoctorLine['state'], detail: string): DoctorLine => ({
    ...{ section: 'table', subject, state, detail },
  });
  const parts = await tx.run(readBirthParts, { schema });
  const foreign = parts.filter((part) => part.kind !== 'r' && part.kind !== 'p').map((part) => part.name);
  const children = parts.filter((part) => part.kind === 'r' && !part.is_partition).map((part) => part.name);
  const optional = (await tx.run(readOptionalKeys, { schema })).map((column) => column.name);
  const lines: DoctorLine[] = [];
  if (foreign.length > 0)
    lines.push(
      line(
        `${BIRTHS} parts`,
        'problem',
        `${listed(foreign)} has no row versions that GCOS could follow: detach it, or keep its births in a table of this database`,
      ),
    );
  if (children.length > 0)
    lines.push(
      line(
        `${BIRTHS} children`,
        'note',
        `GCOS also reads the inheritance children ${listed(children)}; the primary key does not cover them, and each needs an index on (id) of its own`,
      ),
    );
  if (optional.length > 0)
    lines.push(
      line(
        `${BIRTHS} keys`,
        'note',
        `${listed(optional)} may be NULL: such a birth is set aside, with the finding \`input_invalid_schema\``,
      ),
    );
  return lines;
}
