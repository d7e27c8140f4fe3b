// Owns which functions a rule names. A function that may do something is not for reading: a rule that names one is not run unless
// somebody allowed it. The look at the text is coarse and errs on the safe side: any name before a bracket counts.
import { statement, type Transaction } from '../../db/index.js';
import volatileSql from './volatile.sql.js';

const readVolatile = statement({
  name: 'detector.volatile',
  sql: volatileSql,
  params: { names: 'text[]' },
  columns: { name: 'text' },
});
export const volatileStatements = [readVolatile];

/** Texts in quotes, dollar quotes and comments: none of it is a name. Quoted identifiers stay. */
const NOT_NAMES = /'(?:[^']|'')*'|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g;
const CALL = /("(?:[^"]|"")+"|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)\s*\(/g;
/** Escapes within texts and names hide what they say; no rule needs them. */
const HIDING = /\b[eE]'|\b[uU]&['"]/;

export interface NamedFunctions {
  readonly names: readonly string[];
  /** Written so that its names cannot be told. */
  readonly isHidden: boolean;
}

export function functionsIn(sql: string): NamedFunctions {
  const bare = sql.replaceAll(NOT_NAMES, ' ');
  const names = [...bare.matchAll(CALL)].map(([, name = '']) =>
    name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase(),
  );
  return { names: [...new Set(names)].sort(), isHidden: HIDING.test(sql) || bare.includes("'") };
}

/** Which of `names` are functions that are neither immutable nor stable, in any schema and with any arguments. */
export async function volatileAmong(tx: Transaction, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  return new Set((await tx.run(readVolatile, { names })).map((row) => row.name));
}
