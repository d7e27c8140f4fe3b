// Owns the definition of a migration, and rendering its template for one schema and one role prefix.
import { createHash } from 'node:crypto';
import { quoteIdentifier } from '../quote.js';
import { fillTemplate } from '../template.js';
import { ROLE_NAMES, roleOf } from './role.js';

/** One numbered step of GCOS's own schema, with its exact reverse. Never edited after a release. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  /**
   * SQL template: `{{schema}}`, `{{trust}}` and `{{owner}}`, `{{trust_owner}}`, `{{reader}}`, `{{worker}}`,
   * `{{api}}`, `{{server}}`, `{{pruner}}` become identifiers. It runs as the owner role, with only
   * `pg_catalog` on the search path.
   */
  readonly up: string;
  readonly down: string;
}

/** Tables that a host usually has. GCOS adds them on request if the host lacks them. */
export interface Extension {
  readonly id: number;
  readonly name: string;
  readonly tables: readonly string[];
  readonly up: string;
  readonly down: string;
  /**
   * Whether these are all tables of a host, in a database that has none. They come before everything else and
   * belong to the role of sources. An uninstallation keeps them, unless it purges.
   */
  readonly isHost?: true;
}

export interface Names {
  readonly schema: string;
  /** The schema of the tables that carry trust, and of all functions. */
  readonly trustSchema: string;
  readonly rolePrefix: string;
}

/** The identity of a migration, independent of schema and role names. */
export function checksumOf(step: { up: string; down: string }): string {
  return createHash('sha256').update(`gcos-migration\0${step.up}\0${step.down}`).digest('hex');
}

/** The template with its names filled in; an unknown name is a defect and throws. */
export function renderTemplate(template: string, names: Names): string {
  const values = new Map<string, string>([
    ['schema', quoteIdentifier(names.schema)],
    ['trust', quoteIdentifier(names.trustSchema)],
  ]);
  for (const role of ROLE_NAMES) values.set(role, quoteIdentifier(roleOf(names.rolePrefix, role)));
  return fillTemplate(template, values);
}
