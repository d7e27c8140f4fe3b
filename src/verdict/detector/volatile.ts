// Owns which functions a rule names. A function that may do something is not for reading: a rule that names one is not run unless
// somebody allowed it, and one that locks without bounds not even then. The text is taken apart as the server would; where
// that is in doubt it counts as hiding something. Any name before a bracket counts as a function.
import type { Transaction } from '../../db/index.js';
import { readVolatile } from './volatile.sql.js';

/**
 * Space, quoted name, name, text, dollar-quoted text, comments, number, anything else. A name may contain `$`, and a quoted one
 * anything: neither begins a text. White space is the server's, which takes every other character for part of a name.
 */
const PIECE =
  /[ \t\n\r\f\v]+|(?<quoted>"(?:[^"]|"")+")|(?<name>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|'(?:[^']|'')*'|\$(?<tag>(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[\s\S]*?\$\k<tag>\$|--[^\n\r]*|\/\*[\s\S]*?\*\/|\d\w*\$?|[\s\S]/gy;
const SPACE_OR_COMMENT = /^(?:[ \t\n\r\f\v]|--|\/\*)/;
/** A comment within a comment, a quote that does not end, a number that runs into a quote: read in more than one way. */
const DOUBTFUL = /^(?:\/\*[\s\S]*\/\*|['"$]$|\d\w*\$$)/;
/** Escapes within texts and names hide what they say; no rule needs them. */
const HIDING = /\b[eE]'|\b[uU]&['"]/;

/** Takes locks that no setting limits: enough of them, and nobody on the server gets one. Nobody can allow these. */
const NEVER = /^pg_(?:try_)?advisory_/;

export interface NamedFunctions {
  readonly names: readonly string[];
  /** Written so that its names cannot be told. */
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
 * Which of `names` are functions that may do something, in any schema and with any arguments. Those in `allowed` are not,
 * unless nobody can allow them.
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
