// Owns the quoting of names and literals for the few statements whose text depends on the connected database.

/** `name` as an SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `text` as an SQL string literal that is valid with standard_conforming_strings on or off. */
export function quoteLiteral(text: string): string {
  const escaped = text.replaceAll("'", "''");
  return text.includes('\\') ? `E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`;
}
