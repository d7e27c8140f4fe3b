// Owns the ledger's own text that makes one table of the member registries: the catalogue names them, so it is written at run time.
// Deliberately not the one of inventory/group, which the rows were written with: both sides of a ledger share no SQL.
import { quoteIdentifier, quoteLiteral } from '../../db/index.js';
import type { ClassMap, MemberRegistry } from '../../inventory/group/index.js';

const NO_MEMBERS = 'select null::text, null::text, null::text where false';

/** The registries GCOS can read whose classes do not inherit: their members count one by one. */
export function memberRegistries(map: ClassMap): readonly MemberRegistry[] {
  const found = map.classes.flatMap(({ inherits, registry }) =>
    inherits || registry === null || !registry.present || !registry.readable || registry.codeColumn === null
      ? []
      : [[registry.name, registry] as const],
  );
  return [...new Map(found).values()];
}

/** SQL of all members of `registries`: collection, code and status of each. */
export function memberTable(registries: readonly MemberRegistry[]): string {
  const parts = registries.flatMap(({ name, codeColumn, hasStatus }) =>
    codeColumn === null
      ? []
      : [
          `select ${quoteLiteral(name)}::text, m.${quoteIdentifier(codeColumn)}::text, ${hasStatus ? 'm.status::text' : 'null::text'} from ${quoteIdentifier(name)} m`,
        ],
  );
  return parts.length === 0 ? NO_MEMBERS : parts.join('\n  union all\n  ');
}
