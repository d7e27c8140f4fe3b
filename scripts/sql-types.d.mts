import type pg from 'pg';

export interface Catalog {
  readonly types: ReadonlyMap<number, string>;
  readonly notNull: ReadonlyMap<string, boolean>;
}

/** A declaration in a `.sql` file that contradicts the server's description of the statement. */
export interface SqlProblem {
  readonly statement: string;
  readonly column: string;
  readonly why: string;
}

export function readCatalog(client: pg.Client): Promise<Catalog>;

/**
 * The text of `page.sql.d.ts`, and the declarations in `page.sql` that contradict the server.
 * Undefined for a file without statements.
 */
export function declarationsOf(
  client: pg.Client,
  catalog: Catalog,
  path: string,
  importFrom: string,
): Promise<{ readonly text: string; readonly problems: readonly SqlProblem[] } | undefined>;
