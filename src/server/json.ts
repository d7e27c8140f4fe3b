// Owns the reading of a JSON body. JSON.parse accepts what another parser may read differently: names that
// stand twice in one object. Here they are an error, and so are bytes that are not UTF-8 and deep nesting.
import { serverErrors } from './errors.js';

/** Deeper than any document of the API. */
const DEEPEST = 64;
/** As many as a manifest has items. */
const MOST_MEMBERS = 100_000;
/** More than a manifest of that many items needs. */
const MOST_PARTS = 1_000_000;

/**
 * Refuses what would take long to read: deep nesting, and very many members. Looks at each byte once, before
 * anything is built from them: in UTF-8, no other character contains these bytes.
 */
function refuseExcess(bytes: Uint8Array): void {
  const members = new Uint32Array(DEEPEST + 1);
  let [depth, parts, quoted] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (quoted) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      parts += 1;
      if (depth > DEEPEST)
        throw serverErrors.body_invalid(`the body is nested more than ${DEEPEST} levels deep`);
      if (parts > MOST_PARTS)
        throw serverErrors.body_invalid(`the body has more than ${MOST_PARTS} objects and lists`);
      members[depth] = 1;
    } else if (byte === 0x7d || byte === 0x5d) depth = Math.max(0, depth - 1);
    else if (byte === 0x2c) {
      const count = (members[depth] ?? 0) + 1;
      members[depth] = count;
      if (count > MOST_MEMBERS)
        throw serverErrors.body_invalid(`an object or a list has more than ${MOST_MEMBERS} members`);
    }
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Refuses repeated names in `text`, which is valid JSON. */
function refuseAmbiguous(text: string): void {
  /** Per open object the names so far; undefined: an array. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const name = JSON.parse(last) as string;
      const names = open.at(-1);
      if (names?.has(name))
        throw serverErrors.body_invalid(
          `the body has the name \`${name.slice(0, 100)}\` twice in one object`,
        );
      names?.add(name);
    }
    last = token;
  }
}

/** The value of a JSON text in UTF-8. */
export function readJson(bytes: Uint8Array): unknown {
  refuseExcess(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw serverErrors.body_invalid('the body is not UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw serverErrors.body_invalid('the body is not JSON');
  }
  refuseAmbiguous(text);
  return value;
}
