// Owns lists as CSV (RFC 4180): one page after the other from one moment, at the pace of the client, in
// memory that does not grow with the list. INVARIANT: no cell begins a formula when a spreadsheet opens the
// file.
import { toWire } from '../kernel/index.js';
import { serverErrors } from './errors.js';

/**
 * A spreadsheet evaluates what begins like this, some also in the wide form of East Asian texts; an
 * apostrophe makes it text. Numbers stay numbers.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** A number sign begins the lines that are not data. */
const QUOTED = /[",\r\n]|^#|^\s|\s$/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  // A count with its list is a number in a file.
  if (typeof value === 'object' && 'href' in value && 'count' in value) return String(value.count);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`;

/** A line that is not data; its text comes from GCOS or is encoded as in an address. */
const remark = (text: string): string => `# ${text.replaceAll(/[\r\n]/g, ' ')}\r\n`;

/** The file, in pieces: remarks, the names of the columns, the rows of each page, and how many they were. */
export async function* csvOf(
  remarks: readonly string[],
  columns: readonly string[],
  pages: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string> {
  yield [...remarks.map(remark), line(columns)].join('');
  let rows = 0;
  for await (const page of pages) {
    let text = '';
    // Row by row: what a row needed is garbage before the next one.
    for (const row of page) {
      const wire = toWire(row) as Readonly<Record<string, unknown>>;
      text += line(columns.map((name) => wire[name]));
    }
    if (page.length > 0) yield text;
    rows += page.length;
  }
  // Without this line, the file is not complete.
  yield remark(`end: ${rows} rows`);
}

/** Files that one process writes at a time: each keeps a snapshot of the database. */
const AT_ONCE = 4;
/** A client that takes nothing for this long is given up. */
const STALLED_MS = 60_000;
let writing = 0;

/** `pieces` as the body of an answer. Fails before the first byte if the first piece does. */
export async function csvResponse(pieces: AsyncGenerator<string>, name: string): Promise<Response> {
  if (writing >= AT_ONCE) throw serverErrors.server_busy(`${AT_ONCE} files are being written already`);
  writing += 1;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const end = async (): Promise<void> => {
    clearTimeout(timer);
    if (ended) return;
    ended = true;
    writing -= 1;
    await pieces.return(undefined);
  };
  try {
    const first = await pieces.next();
    const encoder = new TextEncoder();
    let next: IteratorResult<string> | undefined = first;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          clearTimeout(timer);
          try {
            const piece = next ?? (await pieces.next());
            next = undefined;
            if (piece.done) {
              await end();
              controller.close();
              return;
            }
            controller.enqueue(encoder.encode(piece.value));
            timer = setTimeout(() => {
              controller.error(new Error('the client takes nothing'));
              void end();
            }, STALLED_MS);
          } catch (error) {
            await end();
            controller.error(error);
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
    return new Response(body, {
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="gcos-${name}.csv"`,
      },
    });
  } catch (error) {
    await end();
    throw error;
  }
}
