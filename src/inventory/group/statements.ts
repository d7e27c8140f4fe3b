// Owns the statements of this room and what they take and return.
import { statement, type Transaction, type Values } from '../../db/index.js';
import findTablesSql from './find-tables.sql.js';
import readAxesSql from './read-axes.sql.js';
import readAxisClassesSql from './read-axis-classes.sql.js';
import readClassesSql from './read-classes.sql.js';
import readInventorySql from './read-inventory.sql.js';
import readPivotsSql from './read-pivots.sql.js';
import readRegistriesSql from './read-registries.sql.js';
import readScopesSql from './read-scopes.sql.js';
import upsertGroupsSql from './upsert-groups.sql.js';
import upsertInventorySql from './upsert-inventory.sql.js';

const findTables = statement({
  name: 'group.find_tables',
  sql: findTablesSql,
  params: {},
  columns: { relation: 'text', usable: 'bool?' },
});
export const readClasses = statement({
  name: 'group.read_classes',
  sql: readClassesSql,
  params: {},
  columns: { collection_name: 'text', species_code: 'text?', object_class: 'text', registry: 'text?' },
});
export const readRegistries = statement({
  name: 'group.read_registries',
  sql: readRegistriesSql,
  params: { schema: 'text', registries: 'text[]' },
  columns: {
    registry: 'text',
    present: 'bool',
    readable: 'bool',
    code_column: 'text?',
    has_status: 'bool',
  },
});
export const readAxes = statement({
  name: 'group.read_axes',
  sql: readAxesSql,
  params: { classes: 'text[]' },
  columns: { object_class: 'text', axis_family: 'text' },
});
export const readAxisClassRows = statement({
  name: 'group.read_axis_classes',
  sql: readAxisClassesSql,
  params: { classes: 'text[]' },
  columns: { object_class: 'text' },
});
export const readPivots = statement({
  name: 'group.read_pivots',
  sql: readPivotsSql,
  params: { classes: 'text[]', collections: 'text[]' },
  columns: { object_class: 'text', axis_family: 'text' },
});
export const readScopes = statement({
  name: 'group.read_scopes',
  sql: readScopesSql,
  params: {},
  columns: { scope: 'text' },
});
export const readInventoryRows = statement({
  name: 'group.read_inventory',
  sql: readInventorySql,
  params: {},
  columns: {
    inventory_key: 'text',
    object_class: 'text',
    source_registry: 'text',
    axis_family: 'text?',
    lifecycle_status: 'text?',
    unresolved_reason: 'text?',
    inherits: 'bool',
    member_count: 'int8?',
  },
});
export const upsertInventory = statement({
  name: 'group.upsert_inventory',
  sql: upsertInventorySql,
  params: {
    keys: 'text[]',
    objectClasses: 'text[]',
    sourceRegistries: 'text[]',
    axisFamilies: 'text[]',
    lifecycleStatuses: 'text[]',
    reasons: 'text[]',
    inherits: 'bool[]',
    at: 'timestamptz',
  },
  columns: { created: 'bool' },
});
export const upsertGroups = statement({
  name: 'group.upsert_groups',
  sql: upsertGroupsSql,
  params: {
    keys: 'text[]',
    inventoryKeys: 'text[]',
    scopes: 'text[]',
    owners: 'text[]',
    anchors: 'text[]',
  },
  columns: { created: 'bool' },
});

export const groupStatements = [
  findTables,
  readClasses,
  readRegistries,
  readAxes,
  readAxisClassRows,
  readPivots,
  readScopes,
  readInventoryRows,
  upsertInventory,
  upsertGroups,
];

/** Which of the optional tables of dimensions there are, asked for once in a transaction. */
export function findDimensions(tx: Transaction): Promise<readonly Values<(typeof findTables)['columns']>[]> {
  return tx.once('group.find_tables', () => tx.run(findTables, {}));
}
