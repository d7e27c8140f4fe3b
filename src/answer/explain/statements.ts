// Owns the statements of this room: by which registry a code is listed, and which group a key names.
import { quoteIdentifier, type Statement, statement } from '../../db/index.js';
import effectsSql from './effects.sql.js';
import exceptionsSql from './exceptions.sql.js';
import groupsSql from './groups.sql.js';
import memberSql from './member.sql.js';

const MEMBER_PARAMS = { code: 'text' } as const;
const MEMBER_COLUMNS = { status: 'text?' } as const;

/** The registry is named by the catalogue, so its part is written at run time. */
export function readMember(registry: {
  readonly name: string;
  readonly codeColumn: string;
  readonly hasStatus: boolean;
}): Statement<typeof MEMBER_PARAMS, typeof MEMBER_COLUMNS> {
  return statement({
    name: 'explain.member',
    sql: memberSql
      .replace('{{status}}', registry.hasStatus ? 'm.status::text' : 'null::text')
      .replace('{{registry}}', () => quoteIdentifier(registry.name))
      .replace('{{code}}', () => quoteIdentifier(registry.codeColumn)),
    params: MEMBER_PARAMS,
    columns: MEMBER_COLUMNS,
  });
}

export const readGroups = statement({
  name: 'explain.groups',
  sql: groupsSql,
  params: { key: 'text' },
  columns: {
    inventory_key: 'text',
    object_class: 'text',
    source_registry: 'text',
    axis_family: 'text?',
    lifecycle_status: 'text?',
    unresolved_reason: 'text?',
    inherits: 'bool',
    member_count: 'int8?',
    group_key: 'text?',
    scope: 'text?',
    owner_scope: 'text?',
    anchor: 'text?',
  },
});

export const readAbout = statement({
  name: 'explain.exceptions',
  sql: exceptionsSql,
  params: {
    at: 'timestamptz',
    registry: 'text',
    code: 'text?',
    inventoryKey: 'text',
    objectClass: 'text',
  },
  columns: {
    exception_code: 'text',
    scope: 'text',
    link: 'text?',
    standing: 'text',
    expires_at: 'timestamptz',
  },
});
export const readEffects = statement({
  name: 'explain.effects',
  sql: effectsSql,
  params: { at: 'timestamptz', rowIds: 'int8[]' },
  columns: { row_id: 'int8', change: 'text' },
});

export const explainStatements = [
  readAbout,
  readEffects,
  readMember({ name: 'meta_catalog', codeColumn: 'code', hasStatus: true }),
  readGroups,
];
