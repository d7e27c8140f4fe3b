// Owns the reading of a JSON body. JSON.parse accepts what another parser may read differently: names that
// stand twice in one object. Here they are an error, and so are bytes that are not UTF-8 and deep nesting.
import { serverErrors } from './errors.js';

/** Deeper than any document of the API. */
const DEEPEST = 64;

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Refuses deep nesting and repeated names in `text`, which is valid JSON. */
function refuseAmbiguous(text: string): void {
  /** Per open object the names so far; undefined: an array. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
      if (open.length > DEEPEST)
        throw serverErrors.body_invalid(`the body is nested more than ${DEEPEST} levels deep`);
    } else if (token === '}' || token === ']') open.pop();
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
