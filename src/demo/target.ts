// Owns the check that an estate may be built in the target schema, and dropping one. It drops only an estate
// with its marker, only on request, and never tables on which GCOS or other objects depend.
import { type Database, quoteIdentifier, quoteLiteral, sqlstateOf, type Transaction } from '../db/index.js';
import { demoErrors } from './errors.js';
import { LOCK_ESTATE, LOCK_TIMEOUT_MS } from './lock.js';
import { parseMarker, SCHEMA_MARK } from './marker.js';
import { estateTables } from './tables.js';
import { inspectTarget } from './target.sql.js';

const DEPENDENT_OBJECTS_STILL_EXIST = '2BP01';

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `\`${name}\``);
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ');
}

async function dropTables(tx: Transaction, names: readonly string[]): Promise<void> {
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
  const found = await tx.one(inspectTarget, { schema, names: estateTables, mark: SCHEMA_MARK });
  // Without the schema, the tables would silently become temporary ones, because pg_temp is next in the
  // search path.
  if (!found.schema_exists)
    await tx.script(
      `create schema ${quoteIdentifier(schema)};
       comment on schema ${quoteIdentifier(schema)} is ${quoteLiteral(SCHEMA_MARK)}`,
    );
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
  await dropTables(tx, found.occupied);
  return true;
}

export interface DroppedEstate {
  readonly tables: readonly string[];
  /** The size of the estate when it was built. */
  readonly births: number;
  /** Whether the schema goes, too: a build created it, and nothing else is in it. */
  readonly schema: boolean;
}

async function planDrop(tx: Transaction, schema: string): Promise<DroppedEstate> {
  const found = await tx.one(inspectTarget, { schema, names: estateTables, mark: SCHEMA_MARK });
  const marker = parseMarker(found.marker);
  if (marker === undefined) throw demoErrors.demo_estate_missing(`there is no demo estate in \`${schema}\``);
  if (found.has_gcos) throw demoErrors.demo_estate_in_use(`GCOS is installed in \`${schema}\``);
  return { tables: found.occupied, births: marker.rows, schema: found.schema_built };
}

/** What `dropEstate` would drop; throws what it would throw. Writes nothing. */
export function planEstateDrop(db: Database): Promise<DroppedEstate> {
  return db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) => planDrop(tx, db.schema));
}

/** Drops what a build created, in one transaction, and nothing else. */
export function dropEstate(db: Database): Promise<DroppedEstate> {
  return db.transaction({ isolation: 'read committed', lockTimeoutMs: LOCK_TIMEOUT_MS }, async (tx) => {
    await tx.script(LOCK_ESTATE);
    const plan = await planDrop(tx, db.schema);
    await dropTables(tx, plan.tables);
    if (!plan.schema) return plan;
    const isGone = await tx
      .savepoint(() => tx.script(`drop schema ${quoteIdentifier(db.schema)}`))
      .then(
        () => true,
        (error: unknown) => {
          if (sqlstateOf(error) === DEPENDENT_OBJECTS_STILL_EXIST) return false;
          throw error;
        },
      );
    return { ...plan, schema: isGone };
  });
}
