// Owns making a statement printable: in quoted names and strings, characters that a screen hides or obeys
// become escapes of SQL. INVARIANT: the result means what the statement meant.

/** As in src/cli/visible.ts, which shows other text. */
const HIDDEN =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** An escape string, a plain string, a quoted name. */
const QUOTED = /(?<escape>\bE'(?:[^'\\]|\\[\s\S]|'')*')|(?<plain>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")+")/g;

const hex = (character: string, digits: number): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(digits, '0');
const isHidden = (text: string): boolean => new RegExp(HIDDEN.source, 'u').test(text);

const inString = (text: string): string =>
  text.replaceAll(HIDDEN, (each) => {
    if (each === '\n') return '\\n';
    if (each === '\t') return '\\t';
    return each.length > 1 ? `\\U${hex(each, 8)}` : `\\u${hex(each, 4)}`;
  });
const inName = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(HIDDEN, (each) => (each.length > 1 ? `\\+${hex(each, 6)}` : `\\${hex(each, 4)}`));

/** `statement` without hidden characters, as one line. */
export function visibleStatement(statement: string): string {
  return statement.replaceAll(QUOTED, (whole, ...rest) => {
    if (!isHidden(whole)) return whole;
    const groups = rest.at(-1) as { escape?: string; plain?: string; name?: string };
    if (groups.name !== undefined) return `U&${inName(whole)}`;
    return groups.escape === undefined ? `E${inString(whole.replaceAll('\\', '\\\\'))}` : inString(whole);
  });
}
