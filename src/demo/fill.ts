// Owns putting values into an SQL text by name, for scripts that cannot take parameters.
import { quoteLiteral } from '../db/index.js';

const PLACEHOLDER = /(?<![:\w]):([a-z_]+)/g;

/** `text` with every `:name` replaced: numbers as they are, strings as literals. Comments are left out. */
export function fillIn(text: string, values: Readonly<Record<string, number | string>>): string {
  const statements = text.replaceAll(/^--.*\n/gm, '');
  return statements.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`no value for \`:${name}\``);
    return typeof value === 'number' ? String(value) : quoteLiteral(value);
  });
}
