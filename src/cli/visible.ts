// Owns making text safe for a screen. Names and contents of a host can hold any character: escape sequences
// that a terminal obeys, marks that reverse the order of a line, characters that take no space. All of them
// are shown as `\u{1b}`. Letters, accents and emoji of any script stay as they are.

/**
 * Control, format and ignorable characters, separators of lines and paragraphs, lone surrogates. Not the
 * signs that precede Arabic numbers, which have a shape, and not the two selectors between text and emoji.
 */
const HIDDEN =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** `text` as one printable line. */
export const visible = (text: string): string => text.replaceAll(HIDDEN, escaped);

/** `text` as printable lines: line breaks and tabs stay. */
export const visibleLines = (text: string): string =>
  text.replaceAll(HIDDEN, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));

/** JSON text that shows nothing hidden and parses to the same value. A line break in it is between values. */
export const visibleJson = (json: string): string =>
  json.replaceAll(HIDDEN, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
          .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
          .join(''),
  );
