// Text that tries to deceive a reader: escape sequences, marks that reverse a line, invented lines,
// characters without a width; and letters that must stay as they are.

export const LETTERS = 'Đặng Thị Hồng العربية ٣';
export const HIDDEN_TEXT = `X-\x1b]0;owned\x07\x1b[2J\u202eevil\u2066\n2. May this go to production?  yes\u200b\u2028\u0085\x7f${LETTERS}`;

/** Everything that a screen does not show, except the end of a line. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The hidden characters of an output, as numbers. */
export const unseenIn = (output: string): string[] =>
  (output.match(UNSEEN) ?? []).map((each) => each.codePointAt(0)?.toString(16) ?? '');
