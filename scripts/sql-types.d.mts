import type pg from 'pg';

export interface Catalog {
  readonly types: ReadonlyMap<number, string>;
  readonly notNull: ReadonlyMap<string, boolean>;
}

/** Something that a `.sql` file says and the server does not. */
export interface SqlProblem {
  readonly statement: string;
  readonly column: string;
  readonly why: string;
}

export function readCatalog(client: pg.Client): Promise<Catalog>;

/** The text of `page.sql.d.ts`, and what `page.sql` says that is not so; undefined for a file without statements. */
export function declarationsOf(
  client: pg.Client,
  catalog: Catalog,
  path: string,
  importFrom: string,
): Promise<{ readonly text: string; readonly problems: readonly SqlProblem[] } | undefined>;
