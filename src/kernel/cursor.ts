// Owns the cursors of lists: the key of the last line of a page, as an opaque text.
import { valueErrors } from './value.js';

export const pageCursor = (key: readonly string[]): string =>
  Buffer.from(JSON.stringify(key), 'utf8').toString('base64url');

const LONGEST = 4_000;

function decode(cursor: string): readonly string[] | undefined {
  if (cursor.length > LONGEST) return undefined;
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isKey = Array.isArray(key) && key.every((part) => typeof part === 'string' && !part.includes('\0'));
    return isKey && pageCursor(key) === cursor ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The key of a cursor, whose parts have the forms of one of `shapes`; undefined: the first page. */
export function readCursor(
  cursor: string | undefined,
  ...shapes: readonly (readonly RegExp[])[]
): readonly string[] | undefined {
  if (cursor === undefined) return undefined;
  const key = decode(cursor);
  const fits = (shape: readonly RegExp[]) =>
    key?.length === shape.length && shape.every((pattern, at) => pattern.test(key[at] ?? ''));
  if (shapes.some(fits)) return key;
  throw valueErrors.value_invalid('after: the text is not one that a page of this list returned', {
    help: 'take `next` of the previous page as it is, with the same filter',
  });
}
