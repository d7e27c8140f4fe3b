// Owns the names that a row of the database has in TypeScript, where a verb returns the row as it is.

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

export type CamelRow<Row> = { readonly [Name in keyof Row as CamelCase<Name & string>]: Row[Name] };

/** `row` with names in camelCase. */
export function camelRow<Row extends object>(row: Row): CamelRow<Row> {
  const named = Object.entries(row).map(([name, value]) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(named) as CamelRow<Row>;
}
