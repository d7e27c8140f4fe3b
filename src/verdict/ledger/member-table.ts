// Owns the ledger's SQL text that unites the member registries into one table. The catalogue names them, so
// the text is built at run time. INVARIANT: the two sides of a ledger share no SQL, so this file does not use
// the text of inventory/group, with which the rows were written.
import { quoteIdentifier, quoteLiteral } from '../../db/index.js';
import type { ClassMap, MemberRegistry } from '../../inventory/group/index.js';

const NO_MEMBERS = 'select null::text, null::text, null::text where false';

/** The readable registries of classes that do not inherit: their members count one by one. */
export function memberRegistries(map: ClassMap): readonly MemberRegistry[] {
  const found = map.classes.flatMap(({ inherits, registry }) =>
    inherits || registry === null || !registry.present || !registry.readable || registry.codeColumn === null
      ? []
      : [[registry.name, registry] as const],
  );
  return [...new Map(found).values()];
}

/** SQL that returns collection, code and status of all members of `registries`. */
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
