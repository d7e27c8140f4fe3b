// Owns the check that an estate may be built in the target schema. It drops only an estate with its marker,
// only on request, and never tables on which GCOS or other objects depend.
import { quoteIdentifier, sqlstateOf, type Transaction } from '../db/index.js';
import { demoErrors } from './errors.js';
import { parseMarker } from './marker.js';
import { estateTables } from './tables.js';
import { inspectTarget } from './target.sql.js';

const DEPENDENT_OBJECTS_STILL_EXIST = '2BP01';

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `\`${name}\``);
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ');
}

async function dropEstate(tx: Transaction, names: readonly string[]): Promise<void> {
  try {
    await tx.script(`drop table ${names.map(quoteIdentifier).join(', ')}`);
  } catch (error) {
    if (sqlstateOf(error) !== DEPENDENT_OBJECTS_STILL_EXIST) throw error;
    throw demoErrors.demo_estate_in_use('other objects in the database depend on the estate', {
      cause: error,
    });
  }
}

/** Prepares `schema` for an estate, or throws. Returns whether an earlier estate was dropped. */
export async function clearTarget(
  tx: Transaction,
  { schema, replace }: { schema: string; replace: boolean },
): Promise<boolean> {
  const found = await tx.one(inspectTarget, { schema, names: estateTables });
  // Without the schema, the tables would silently become temporary ones, because pg_temp is next in the
  // search path.
  if (!found.schema_exists) await tx.script(`create schema ${quoteIdentifier(schema)}`);
  if (found.occupied.length === 0) {
    const others = found.foreign_relations;
    if (others.length === 0) return false;
    const facts = { schema, occupied: others };
    throw demoErrors.demo_target_not_empty(`\`${schema}\` already holds ${listed(others)}`, { facts });
  }
  const facts = { schema, occupied: found.occupied };
  const tables = `\`${schema}\` already holds ${listed(found.occupied)}`;
  if (parseMarker(found.marker) === undefined) {
    throw demoErrors.demo_target_not_empty(`${tables}, and they are not a demo estate`, { facts });
  }
  if (!replace) {
    throw demoErrors.demo_target_not_empty(`${tables} of an earlier demo estate`, {
      facts,
      help: 'request its replacement, or build into an empty database',
    });
  }
  if (found.has_gcos) throw demoErrors.demo_estate_in_use(`GCOS is installed in \`${schema}\``);
  await dropEstate(tx, found.occupied);
  return true;
}
