// Owns the text of the statements that an auditor runs without GCOS. The expected values and the catalogue
// are written into them as literals. Each statement is one pure SELECT that returns the differences.
import { fillTemplate, quoteIdentifier, quoteLiteral } from '../../../db/index.js';
import type { ClassMap } from '../../../inventory/group/index.js';
import type { SnapshotDocument } from '../../../inventory/snapshot/index.js';
import type { LedgerDocument } from '../closed/document.js';
import { memberRegistries, memberTable } from '../member-table.js';
import bothSidesSql from './both-sides.sql.js';
import failedSql from './failed.sql.js';
import fingerprintSql from './fingerprint.sql.js';
import inventorySql from './inventory.sql.js';
import placeSql from './place.sql.js';
import termsSql from './terms.sql.js';
import thereSql from './there.sql.js';

export interface AuditSource {
  readonly schema: string;
  readonly trustSchema: string;
  readonly runId: string;
  readonly snapshotId: bigint;
  readonly snapshot: SnapshotDocument;
  readonly ledger: LedgerDocument;
  readonly map: ClassMap;
}

/** Text for a comment line: control characters become spaces, so the text cannot end the line. */
const inline = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');

const literal = (value: string | null): string => (value === null ? 'null' : quoteLiteral(value));
const text = (value: string | null): string => `${literal(value)}::text`;

/** Rows of literals; for no rows, an empty select with the types `empty`. */
function valuesOf(rows: readonly (readonly string[])[], empty: readonly string[]): string {
  return rows.length === 0
    ? `select ${empty.map((type) => `null::${type}`).join(', ')} where false`
    : `values\n    ${rows.map((row) => `(${row.join(', ')})`).join(',\n    ')}`;
}

function catalogueOf(map: ClassMap): string {
  return valuesOf(
    map.catalogue.map(({ collection, species, objectClass }) => [
      text(collection),
      text(species),
      text(objectClass.name),
      text(objectClass.axisFamily),
      String(objectClass.inherits),
    ]),
    ['text', 'text', 'text', 'text', 'boolean'],
  );
}

function fingerprintsOf({ groups }: SnapshotDocument): string {
  return valuesOf(
    Object.values(groups).map((group) => [
      text(group.object_class),
      text(group.source_registry),
      text(group.axis_family),
      text(group.lifecycle_status),
      `${group.count}::bigint`,
      `${group.grain_count}::bigint`,
      `${literal(group.max_id)}::bigint`,
      `${literal(group.max_born_at)}::timestamptz`,
      // In parentheses: a cast binds more tightly than a minus sign.
      `(${group.h1})::numeric`,
      `(${group.h2})::numeric`,
    ]),
    ['text', 'text', 'text', 'text', 'bigint', 'bigint', 'bigint', 'timestamptz', 'numeric', 'numeric'],
  );
}

/** Property of a ledger → the term as the audit statements name it. */
const TERMS = [
  ['covered', 'covered'],
  ['orphans', 'orphans'],
  ['retired', 'retired'],
  ['deferredBirth', 'deferred_birth'],
  ['class_0', 'class_0'],
  ['notRelevant', 'not_relevant'],
] as const;

/**
 * Counts each unit by its row, without the effect of exceptions that changed since: plain SQL cannot compute
 * which exceptions are in force.
 */
function termsOf({ scopes }: LedgerDocument): string {
  return valuesOf(
    scopes.flatMap((scope) => {
      const lapsed = scope.unverifiedBy['exception_lapsed'] ?? 0;
      const granted = scope.unverifiedBy['exception_granted'] ?? 0;
      const counts = [
        ...TERMS.map(([name, term]) => [term, scope[name] + (term === 'orphans' ? granted : 0)] as const),
        ['exceptions', scope.exceptions + lapsed] as const,
        ['unverified', scope.unverified - lapsed - granted] as const,
      ];
      return counts.map(([term, units]) => [text(scope.scope), text(term), `${units}::bigint`]);
    }),
    ['text', 'text', 'bigint'],
  );
}

/** File name → text of each statement. */
export function auditStatements(source: AuditSource): ReadonlyMap<string, string> {
  const { map, ledger } = source;
  const schema = quoteIdentifier(source.schema);
  const place = new Map([['place', placeSql.trimEnd()]]);
  const facts = [
    ['catalogue', catalogueOf(map)],
    ['members', memberTable(memberRegistries(map), schema)],
    ['expected', fingerprintsOf(source.snapshot)],
    [
      'expected_units',
      valuesOf(
        ledger.scopes.map((each) => [text(each.scope), `${each.inventory - each.tombstones}::bigint`]),
        ['text', 'bigint'],
      ),
    ],
    ['expected_terms', termsOf(ledger)],
    [
      'scopes',
      valuesOf(
        ledger.scopes.map((each) => [text(each.scope)]),
        ['text'],
      ),
    ],
    ['schema', schema],
    ['trust', quoteIdentifier(source.trustSchema)],
    ['snapshot', String(source.snapshotId)],
    ['run', inline(source.runId)],
    ['at', quoteLiteral(ledger.at)],
  ] as const;
  // The shared common table expressions contain placeholders themselves, so they are filled before the
  // statements.
  const filled = new Map<string, string>([...place, ...facts]);
  const expressions = [
    ['there', fillTemplate(thereSql.trim(), filled)],
    ['failed', fillTemplate(failedSql.trim(), filled)],
  ] as const;
  const fill = (sql: string): string => fillTemplate(sql, new Map([...filled, ...expressions]));
  return new Map([
    ['01-fingerprints.sql', fill(fingerprintSql)],
    ['02-inventory.sql', fill(inventorySql)],
    ['03-both-sides.sql', fill(bothSidesSql)],
    ['04-terms.sql', fill(termsSql)],
  ]);
}
