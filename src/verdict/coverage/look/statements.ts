// Owns the statements about what hangs on no group. Those over tables that rules name are written at run time.
import { quoteIdentifier, quoteLiteral, type Statement, statement } from '../../../db/index.js';
import type { ExceptionRegistry, OwnedRegistry } from '../rules.js';
import axesSql from './axes.sql.js';
import bypassesSql from './bypasses.sql.js';
import delegationsSql from './delegations.sql.js';
import hostExceptionsSql from './host-exceptions.sql.js';
import islandsSql from './islands.sql.js';
import knownSql from './known.sql.js';
import ownedSql from './owned.sql.js';
import phantomsSql from './phantoms.sql.js';

export const readDelegations = statement({
  name: 'coverage.delegations',
  sql: delegationsSql,
  params: { at: 'timestamptz' },
  columns: {
    object_type: 'text',
    object_ref: 'text',
    scope: 'text',
    owner: 'text',
    effective_to: 'timestamptz',
  },
});
const PHANTOMS = {
  classes: 'text[]',
  placeClasses: 'text[]',
  placeCollections: 'text[]',
  inherits: 'bool[]',
  at: 'timestamptz',
} as const;
const PHANTOM = { object_type: 'text', object_ref: 'text', scope: 'text' } as const;
export const readPhantoms = statement({
  name: 'coverage.phantoms',
  sql: phantomsSql,
  params: PHANTOMS,
  columns: PHANTOM,
});
/** The same question about rows that are given: objects with rows, and collections with members. */
export const foreseePhantoms = statement({
  name: 'coverage.foresee_phantoms',
  sql: phantomsSql
    .replace(
      'governance_candidate_object c',
      "(select u.collection_name, u.entity_code, 'active' as row_state from unnest($6::text[], $7::text[]) as u(collection_name, entity_code)) as c",
    )
    .replace(
      'governance_inventory i',
      '(select u.source_registry, 1 as member_count from unnest($8::text[]) as u(source_registry)) as i',
    ),
  params: { ...PHANTOMS, collections: 'text[]', codes: 'text[]', registries: 'text[]' },
  columns: PHANTOM,
});
export const readIslands = statement({
  name: 'coverage.islands',
  sql: islandsSql,
  params: {},
  columns: {
    authority: 'text',
    subjects: 'text[]',
    approvals: 'int8',
    reviewed: 'text[]',
    statuses: 'text[]',
  },
});
const AXES = { family: 'text', used_by: 'text[]' } as const;
/** A host without a registry of axes declares none. */
const axesText = (isDeclared: boolean): string =>
  axesSql.replace(
    '{{declared}}',
    isDeclared
      ? "select a.axis_family::text from axis_registry a where a.status = 'active' and a.axis_family is not null"
      : 'select null::text where false',
  );
export const readAxesInUse = (isDeclared: boolean): Statement<Record<never, never>, typeof AXES> =>
  statement({ name: 'coverage.axes_in_use', sql: axesText(isDeclared), params: {}, columns: AXES });
const GROUPS = { families: 'text[]', classes: 'text[]' } as const;
/** The same question about groups that are given. */
export const foreseeAxesInUse = (isDeclared: boolean): Statement<typeof GROUPS, typeof AXES> =>
  statement({
    name: 'coverage.foresee_axes_in_use',
    sql: axesText(isDeclared).replace(
      'governance_inventory i',
      '(select u.axis_family, u.object_class, 1 as member_count from unnest($1::text[], $2::text[]) as u(axis_family, object_class)) as i',
    ),
    params: GROUPS,
    columns: AXES,
  });

const fill = (sql: string, parts: Readonly<Record<string, string>>): string =>
  sql.replaceAll(/\{\{(\w+)\}\}/g, (_, part: string) => parts[part] ?? '');
const statusOf = (hasStatus: boolean): string => (hasStatus ? 't.status::text' : 'null::text');

const OWNED = { code: 'text?', owner: 'text?', status: 'text?' } as const;
export const readOwned = (
  registry: OwnedRegistry,
  hasStatus: boolean,
): Statement<Record<never, never>, typeof OWNED> =>
  statement({
    name: 'coverage.owned',
    sql: fill(ownedSql, {
      table: quoteIdentifier(registry.table),
      code: quoteIdentifier(registry.code),
      owner: quoteIdentifier(registry.owner),
      status: statusOf(hasStatus),
      where: Object.entries(registry.where)
        .map(
          ([column, words]) =>
            ` and t.${quoteIdentifier(column)}::text = any (array[${words.map(quoteLiteral).join(', ')}]::text[])`,
        )
        .join(''),
    }),
    params: {},
    columns: OWNED,
  });

const LISTED_PARAMS = { at: 'timestamptz' } as const;
const LISTED = { code: 'text?', approval_ref: 'text?', is_over: 'bool?', status: 'text?' } as const;
export const readListed = (
  registry: ExceptionRegistry,
  hasStatus: boolean,
): Statement<typeof LISTED_PARAMS, typeof LISTED> =>
  statement({
    name: 'coverage.host_exceptions',
    sql: fill(hostExceptionsSql, {
      table: quoteIdentifier(registry.table),
      code: quoteIdentifier(registry.code),
      approval: quoteIdentifier(registry.approval),
      expires: quoteIdentifier(registry.expires),
      status: statusOf(hasStatus),
    }),
    params: LISTED_PARAMS,
    columns: LISTED,
  });

export const readBypasses = statement({
  name: 'coverage.bypasses',
  sql: bypassesSql,
  params: { actions: 'text[]', classes: 'text[]', ids: 'int8[]?' },
  columns: { id: 'int8', entity_type: 'text', entity_code: 'text', action: 'text' },
});
export const readKnown = statement({
  name: 'coverage.known',
  sql: knownSql,
  params: { types: 'text[]' },
  columns: { finding_type: 'text', subject: 'text' },
});

export const lookStatements = [
  readDelegations,
  readPhantoms,
  foreseePhantoms,
  readIslands,
  readAxesInUse(true),
  foreseeAxesInUse(true),
  readOwned(
    {
      finding: '',
      table: 'collection_registry',
      code: 'collection_name',
      owner: 'coverage_review_owner',
      where: {},
    },
    false,
  ),
  readListed(
    { table: 'event_pending', code: 'event_type_hint', approval: 'last_error', expires: 'processed_at' },
    false,
  ),
  readBypasses,
  readKnown,
];
