// Owns the quoting of names and literals for the few statements whose text depends on the database found.

/** `name` as an SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `text` as an SQL string literal, whatever standard_conforming_strings says. */
export function quoteLiteral(text: string): string {
  const escaped = text.replaceAll("'", "''");
  return text.includes('\\') ? `E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`;
}
