// Owns the SQL that unites member registries into one table: collection, code, and status if the registry has
// one. The catalogue names the registries, so the text is built at run time.
import { quoteIdentifier, quoteLiteral } from '../../db/index.js';
import type { MemberRegistry } from './class-map.js';

const NO_MEMBERS = 'select null::text, null::text, null::text where false';

/** Whether the members of `registry` can be read and identified. */
export function hasMembers(registry: MemberRegistry): boolean {
  return registry.present && registry.readable && registry.codeColumn !== null;
}

/** SQL that returns collection, code and status of all members of `registries`. */
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
