// Owns finding the functions that a rule calls. A rule that calls a function with side effects does not run
// unless the setting allows that function. Functions that take unbounded locks cannot be allowed. The text is
// split into tokens as the server splits it; where that is ambiguous, the text counts as hiding names. Any
// name before an opening parenthesis counts as a function.
import type { Transaction } from '../../db/index.js';
import { readVolatile } from './volatile.sql.js';

/**
 * White space, quoted name, name, string, dollar-quoted string, comments, number, anything else. A name may
 * contain `$`, and a quoted name any character: neither starts a string. White space is as the server defines
 * it; the server takes every other character as part of a name.
 */
const PIECE =
  /[ \t\n\r\f\v]+|(?<quoted>"(?:[^"]|"")+")|(?<name>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|'(?:[^']|'')*'|\$(?<tag>(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[\s\S]*?\$\k<tag>\$|--[^\n\r]*|\/\*[\s\S]*?\*\/|\d\w*\$?|[\s\S]/gy;
const SPACE_OR_COMMENT = /^(?:[ \t\n\r\f\v]|--|\/\*)/;
/**
 * A nested comment, an unterminated quote, a number directly followed by a quote: more than one reading is
 * possible.
 */
const DOUBTFUL = /^(?:\/\*[\s\S]*\/\*|['"$]$|\d\w*\$$)/;
/** Escapes in strings and names hide their content. No rule needs them. */
const HIDING = /\b[eE]'|\b[uU]&['"]/;

/**
 * These functions take locks that no setting limits: enough of them exhaust the lock table of the server. The
 * setting cannot allow them.
 */
const NEVER = /^pg_(?:try_)?advisory_/;

export interface NamedFunctions {
  readonly names: readonly string[];
  /** The text is written so that its names cannot be read. */
  readonly isHidden: boolean;
}

export function functionsIn(sql: string): NamedFunctions {
  const names = new Set<string>();
  let isHidden = HIDING.test(sql);
  let last: string | undefined;
  for (const { 0: piece, groups } of sql.matchAll(PIECE)) {
    isHidden ||= DOUBTFUL.test(piece);
    if (SPACE_OR_COMMENT.test(piece)) continue;
    if (piece === '(' && last !== undefined) names.add(last);
    last = groups?.['quoted']?.slice(1, -1).replaceAll('""', '"') ?? groups?.['name']?.toLowerCase();
  }
  return { names: [...names].sort(), isHidden };
}

/**
 * The functions among `names` that may have side effects, in any schema and with any arguments. Names in
 * `allowed` are left out, except functions that cannot be allowed.
 */
export async function volatileAmong(
  tx: Transaction,
  names: readonly string[],
  allowed: readonly string[],
): Promise<ReadonlySet<string>> {
  const unproven = names.filter((name) => NEVER.test(name) || !allowed.includes(name));
  if (unproven.length === 0) return new Set();
  return new Set((await tx.run(readVolatile, { names: unproven })).map((row) => row.name));
}
