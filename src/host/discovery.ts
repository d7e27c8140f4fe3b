// Owns the discovery of the host: which tables of the contract exist, their shape, and the privileges of the
// connected role. It reads system catalogs and meta_catalog; other modules decide whether the result is
// usable.
import type { Transaction } from '../db/index.js';
import { type Access, type ColumnContract, hostContract, type TableContract } from './contract.js';
import { readColumns, readMemberRegistries, readTables } from './discovery.sql.js';

type TableShape =
  | { readonly state: 'absent' }
  | { readonly state: 'present' }
  /** `problems` are sentences such as "column `x` is missing". */
  | { readonly state: 'different'; readonly problems: readonly string[] };

interface TableFacts {
  readonly kind: string;
  readonly estimatedRows: bigint;
  readonly rowSecurityApplies: boolean;
  readonly maySelect: boolean;
  readonly mayInsert: boolean;
  readonly mayUpdate: boolean;
}

export interface DiscoveredTable {
  readonly contract: TableContract;
  readonly shape: TableShape;
  readonly facts: TableFacts | undefined;
}

function columnProblem(
  expected: ColumnContract,
  found: { type_name: string; family: string } | undefined,
  access: Access,
): string | undefined {
  if (found === undefined) return `column \`${expected.name}\` is missing`;
  if (expected.type === 'any' || found.family === expected.type) return undefined;
  // GCOS can read an enumeration as text, but its functions write text, so a written column must be text.
  if (expected.type === 'text' && found.family === 'enum' && (access === 'read' || access === 'never'))
    return undefined;
  return `column \`${expected.name}\` is ${found.type_name}, not ${expected.type}`;
}

/** birth_registry (which GCOS tails by row versions) and every table that GCOS writes must be real tables. */
function kindProblem(contract: TableContract, kind: string): string | undefined {
  const real = kind === 'r' || kind === 'p';
  const mustBeReal =
    contract.name === 'birth_registry' || (contract.access !== 'read' && contract.access !== 'never');
  return mustBeReal && !real ? 'is not a table' : undefined;
}

/** Compares every table of the contract with the schema. */
export async function discoverTables(
  tx: Transaction,
  schema: string,
  contract: readonly TableContract[] = hostContract,
): Promise<readonly DiscoveredTable[]> {
  const relations = contract.map((table) => table.name);
  const tables = new Map((await tx.run(readTables, { schema, relations })).map((row) => [row.relation, row]));
  const columns = new Map(
    (await tx.run(readColumns, { schema, relations })).map((row) => [
      `${row.relation}.${row.column_name}`,
      row,
    ]),
  );
  return contract.map((table) => {
    const row = tables.get(table.name);
    if (row === undefined) return { contract: table, shape: { state: 'absent' }, facts: undefined };
    const problems = [
      kindProblem(table, row.kind),
      ...table.columns.map((column) =>
        columnProblem(column, columns.get(`${table.name}.${column.name}`), table.access),
      ),
    ].filter((problem) => problem !== undefined);
    return {
      contract: table,
      shape: problems.length === 0 ? { state: 'present' } : { state: 'different', problems },
      facts: {
        kind: row.kind,
        estimatedRows: row.estimated_rows,
        rowSecurityApplies: row.row_security_applies,
        maySelect: row.may_select,
        mayInsert: row.may_insert,
        mayUpdate: row.may_update,
      },
    };
  });
}

export interface MemberRegistries {
  readonly present: readonly string[];
  readonly missing: readonly string[];
}

/** The member registries that meta_catalog names; none if the role cannot read meta_catalog. */
export async function discoverMemberRegistries(
  tx: Transaction,
  schema: string,
  tables: readonly DiscoveredTable[],
): Promise<MemberRegistries> {
  const catalog = tables.find((table) => table.contract.name === 'meta_catalog');
  const readable = catalog?.facts?.maySelect === true && !catalog.facts.rowSecurityApplies;
  if (catalog?.shape.state !== 'present' || !readable) return { present: [], missing: [] };
  const rows = await tx.run(readMemberRegistries, { schema });
  return {
    present: rows.filter((row) => row.present).map((row) => row.relation),
    missing: rows.filter((row) => !row.present).map((row) => row.relation),
  };
}
