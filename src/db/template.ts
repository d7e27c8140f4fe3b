// Owns filling names into complete SQL texts: a migration, or a file for an auditor. The statements that GCOS
// itself runs use parameters and parts instead.

/**
 * `text` with each `{{name}}` replaced, in one pass, so that `{{…}}` inside a value is not replaced. An
 * unknown name is a defect and throws.
 */
export function fillTemplate(text: string, values: ReadonlyMap<string, string>): string {
  return text
    .split('{{')
    .map((piece, index) => {
      if (index === 0) return piece;
      const end = piece.indexOf('}}');
      const value = values.get(piece.slice(0, end));
      if (value === undefined) throw new Error(`unknown name in a template: ${piece.slice(0, end)}`);
      return value + piece.slice(end + 2);
    })
    .join('');
}
