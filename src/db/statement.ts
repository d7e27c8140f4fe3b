// Owns the typed statement: the text of one .sql file with the parameters and columns it declares.
// The declaration is checked against a real server by the statement contract test, not at run time.
import type { SqlTypeSpec, SqlValue } from './value.js';

export type Shape = Readonly<Record<string, SqlTypeSpec>>;
export type Values<S extends Shape> = { readonly [K in keyof S]: SqlValue<S[K]> };

export interface Statement<P extends Shape = Shape, C extends Shape = Shape> {
  /** room.statement, as shown in errors and in pg_stat_statements comments. */
  readonly name: string;
  readonly text: string;
  /** In the order of $1, $2, … */
  readonly params: P;
  readonly columns: C;
}

/** Declares a statement. `params` are named in the order of $1, $2, …; `columns` as the server returns them. */
export function statement<const P extends Shape, const C extends Shape>(declaration: {
  name: string;
  sql: string;
  params: P;
  columns: C;
}): Statement<P, C> {
  const { name, sql, params, columns } = declaration;
  return { name, text: `/* gcos:${name} */ ${sql.trim().replace(/;$/, '')}`, params, columns };
}
