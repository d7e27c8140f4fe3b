// Owns the typed statement: what one section of a `.sql` file says, with the parameters it takes and the rows it returns.
// The types stand beside it (`page.sql.d.ts`), generated from the answers of a real server; a test keeps them true on the oldest
// and the newest version.
import { dbErrors } from './errors.js';

export interface Statement<P = unknown, R = unknown> {
  /** module.statement, as shown in errors and in the server's log. */
  readonly name: string;
  readonly text: string;
  /** Names in the order of $1, $2, … */
  readonly params: readonly string[];
  /** Columns that may be NULL. */
  readonly nullable: readonly string[];
  /** For the compiler only. */
  readonly takes?: (params: P) => void;
  readonly returns?: R;
}

/** A statement with parts that the host decides, such as the union of its member registries. */
export interface Template<Part extends string = string, P = unknown, R = unknown> {
  readonly name: string;
  readonly chunks: readonly (string | { readonly part: Part })[];
  readonly params: readonly string[];
  readonly nullable: readonly string[];
  readonly takes?: (params: P) => void;
  readonly returns?: R;
}

/** What a statement takes. */
export type ParamsOf<S> = S extends { readonly takes?: (params: infer P) => void } ? P : never;
/** A row that a statement returns. */
export type RowOf<S> = S extends { readonly returns?: infer R } ? NonNullable<R> : never;

/** The statement that `template` is with these parts. Parts are SQL: names and literals in them are quoted by the caller. */
export function fillParts<Part extends string, P, R>(
  template: Template<Part, P, R>,
  parts: Readonly<Record<Part, string>>,
): Statement<P, R> {
  const { name, chunks, params, nullable } = template;
  const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : parts[chunk.part])).join('');
  return { name, text, params, nullable };
}

/** A statement written in TypeScript, where its whole text follows from what is there; with $1, $2, … in the order of `params`. */
export function statement<P, R>(declaration: {
  readonly name: string;
  readonly sql: string;
  readonly params?: readonly (keyof P & string)[];
  readonly nullable?: readonly (keyof R & string)[];
}): Statement<P, R> {
  const { name, sql, params = [], nullable = [] } = declaration;
  return { name, text: `/* gcos:${name} */ ${sql.trim()}`, params, nullable };
}

/** The values of a statement's parameters, in the order of their numbers. */
export function valuesOf<P>(statement: Statement<P>, params: P): readonly unknown[] {
  return statement.params.map((name) => {
    const value = (params as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) throw dbErrors.database_error(`\`${statement.name}\`: \`${name}\` is missing`);
    return value;
  });
}

/** INVARIANT: a column that is declared as never NULL is never NULL; what a statement promises is checked on every row. */
export function checkRows<R>(statement: Statement<never, R>, rows: readonly object[]): readonly R[] {
  const [first] = rows;
  if (first === undefined) return [];
  const promised = Object.keys(first).filter((column) => !statement.nullable.includes(column));
  for (const row of rows as readonly Readonly<Record<string, unknown>>[]) {
    const broken = promised.find((column) => row[column] === null);
    if (broken !== undefined)
      throw dbErrors.database_error(`\`${statement.name}\` returned NULL in \`${broken}\``);
  }
  return rows as readonly R[];
}
