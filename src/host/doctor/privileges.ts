// Owns the privilege checks of the doctor: whether the connected role may read or install. Installing takes
// more privileges than running.
import type { Grant, SchemaState } from '../../db/index.js';
import type { DiscoveredTable } from '../discovery.js';
import type { DoctorLine } from './report.js';
import type { ServerFacts } from './server.js';

export function checkPrivileges(
  facts: ServerFacts,
  tables: readonly DiscoveredTable[],
  installed: SchemaState['status'],
): DoctorLine[] {
  const line = (state: DoctorLine['state'], detail: string): DoctorLine => ({
    section: 'privilege',
    subject: `role ${facts.login}`,
    state,
    detail,
  });
  const written = tables.filter(
    (table) => table.contract.required && table.contract.access !== 'read' && table.facts !== undefined,
  );
  const writable = written.filter((table) => table.facts?.mayInsert);
  const lines: DoctorLine[] = [];
  if (facts.may_create_tables) lines.push(line('ok', 'may create tables in the schema'));
  if (facts.may_create_roles) lines.push(line('ok', 'may create roles'));
  if (installed !== 'absent') return lines;
  if (writable.length === 0 && written.length > 0 && !facts.may_create_tables) {
    lines.push(
      line('problem', 'may only read, so it cannot install GCOS; connect as the owner of the host tables'),
    );
  } else if (!facts.may_create_tables) {
    lines.push(
      line(
        'problem',
        'may not create tables in the schema: run `gcos init --dry-run` and have a DBA apply the file',
      ),
    );
  } else if (!facts.may_create_roles) {
    lines.push(line('note', 'may not create roles: `gcos init` prints the statements for an operator'));
  }
  return lines;
}

/** Reports missing privileges of an installation: a role lost one, or the host added a table after init. */
export function checkRoles(lacking: readonly Grant[]): DoctorLine[] {
  const byRole = new Map<string, Set<string>>();
  for (const { grantee, relation, privilege } of lacking) {
    const objects = byRole.get(grantee) ?? new Set();
    byRole.set(grantee, objects.add(`${privilege} on ${relation === '' ? 'the schema' : relation}`));
  }
  return [...byRole].map(([role, objects]) => ({
    section: 'privilege',
    subject: `role ${role}`,
    state: 'problem',
    detail: `lacks ${[...objects].slice(0, 5).join(', ')}${objects.size > 5 ? ` and ${objects.size - 5} more` : ''}: run \`gcos upgrade\` as the owner of the host tables`,
  }));
}
