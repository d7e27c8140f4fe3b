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
  readonly keepPlan?: KeepPlan;
}

/**
 * Whether the server may keep the plan, for what is run all the time: always, where no parameter can make another one better; or with
 * few values, where long lists (and null, if it means everything) are planned for as they come. Never, unless said so.
 */
export type KeepPlan = 'never' | 'few' | 'always';

/** A list of more values than this is not few. */
const FEW = 20;

/** `$1 is null or x = any ($1)`: with few values it is never null, and a plan for both would read everything. */
const ALL_OR_SOME = /\(?\$(\d+)::text\[\] is null or (\S+ = any \(\$\1::text\[\]\))\)?/g;

/** What the server shall keep the plan of, and under which name, for these values; undefined: nothing. */
export function planOf(
  statement: Statement,
  values: readonly unknown[],
): { readonly name: string; readonly text: string } | undefined {
  const { keepPlan = 'never', text } = statement;
  if (keepPlan === 'never') return undefined;
  const isFew = (value: unknown) => (Array.isArray(value) ? value.length <= FEW : value !== null);
  if (keepPlan === 'few' && !values.every(isFew)) return undefined;
  const known = plans.get(text);
  if (known !== undefined || plans.size >= MOST_PLANS) return known;
  const plan = {
    name: `gcos_${plans.size}`,
    text: keepPlan === 'few' ? text.replaceAll(ALL_OR_SOME, '$2') : text,
  };
  plans.set(text, plan);
  return plan;
}
/** Texts are few: those of the source, and some composed from what a host has. A bound, should that ever not be so. */
const MOST_PLANS = 500;
const plans = new Map<string, { readonly name: string; readonly text: string }>();

/** Declares a statement. `params` are named in the order of $1, $2, …; `columns` as the server returns them. */
export function statement<const P extends Shape, const C extends Shape>(declaration: {
  name: string;
  sql: string;
  params: P;
  columns: C;
  keepPlan?: KeepPlan;
}): Statement<P, C> {
  const { name, sql, params, columns, keepPlan = 'never' } = declaration;
  return { name, text: `/* gcos:${name} */ ${sql.trim().replace(/;$/, '')}`, params, columns, keepPlan };
}
