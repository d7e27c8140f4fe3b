// Owns the members of registries as one table: whose they are, their code, and their status where the registry has one. The
// registries are named by the catalogue, so the text is written at run time.
import { quoteIdentifier, quoteLiteral } from '../../db/index.js';
import type { MemberRegistry } from './class-map.js';

const NO_MEMBERS = 'select null::text, null::text, null::text where false';

/** Whether the members of `registry` can be told apart here. */
export function hasMembers(registry: MemberRegistry): boolean {
  return registry.present && registry.readable && registry.codeColumn !== null;
}

/** SQL of all members of `registries`: collection, code, status. */
export function memberTable(registries: readonly MemberRegistry[]): string {
  const parts = registries.flatMap((registry) => {
    const { name, codeColumn, hasStatus } = registry;
    if (!hasMembers(registry) || codeColumn === null) return [];
    const status = hasStatus ? 'm.status::text' : 'null::text';
    const code = `m.${quoteIdentifier(codeColumn)}`;
    return [
      `select ${quoteLiteral(name)}::text, ${code}::text, ${status} from ${quoteIdentifier(name)} m where ${code} is not null`,
    ];
  });
  return parts.length === 0 ? NO_MEMBERS : parts.join('\n  union all\n  ');
}
