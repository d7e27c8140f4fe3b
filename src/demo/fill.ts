// Owns filling named values into an SQL text, for scripts that cannot take parameters.
import { quoteLiteral } from '../db/index.js';

const PLACEHOLDER = /(?<![:\w]):([a-z_]+)/g;

/**
 * `text` with every `:name` replaced: numbers unchanged, strings as literals. Whole-line comments are
 * removed.
 */
export function fillIn(text: string, values: Readonly<Record<string, number | string>>): string {
  const statements = text.replaceAll(/^--.*\n/gm, '');
  return statements.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`no value for \`:${name}\``);
    return typeof value === 'number' ? String(value) : quoteLiteral(value);
  });
}
