// Owns reading a text file line by line: in pieces, so that memory does not grow with the file, and with the
// number of each line, so that an error can name it.
import { createReadStream } from 'node:fs';
import { sourceErrors } from '../object/index.js';

export interface Line {
  /** From 1 on. */
  readonly number: number;
  readonly text: string;
}

/** A longer line is no line of a list: most likely a quote is not closed, or the file is of another kind. */
const LONGEST_RECORD = 1_048_576;

const tooLong = (number: number): Error =>
  sourceErrors.source_invalid(
    `line ${number}: longer than ${LONGEST_RECORD} characters; is a quote not closed?`,
  );

/** Decodes the pieces of a file; the number is of the line that was last complete. */
async function* textsOf(path: string, at: () => number): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch (error) {
      throw sourceErrors.source_invalid(`after line ${at()}: the file is not UTF-8`, { cause: error });
    }
  };
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 262_144 }))
      yield decode(bytes as Buffer);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw sourceErrors.source_unreadable(`\`${path}\` cannot be read (${code ?? 'unknown'})`, {
      cause: error,
    });
  }
  yield decode();
}

/** The lines of a file, many at a time, without their ends. */
export async function* linesOf(path: string): AsyncGenerator<readonly Line[], void, undefined> {
  let number = 0;
  let rest = '';
  for await (const text of textsOf(path, () => number)) {
    const lines: Line[] = [];
    rest += text;
    let from = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      number += 1;
      lines.push({ number, text: rest.slice(from, rest[end - 1] === '\r' && end > from ? end - 1 : end) });
      from = end + 1;
    }
    rest = rest.slice(from);
    if (rest.length > LONGEST_RECORD) throw tooLong(number + 1);
    yield lines;
  }
  if (rest !== '') yield [{ number: number + 1, text: rest }];
}

/** The records of a CSV file: lines, or several where a quoted field contains their ends. */
export async function* recordsOf(path: string): AsyncGenerator<readonly Line[], void, undefined> {
  let open: Line | undefined;
  for await (const lines of linesOf(path)) {
    const records: Line[] = [];
    for (const line of lines) {
      const isOdd = line.text.includes('"') && (line.text.split('"').length - 1) % 2 === 1;
      if (open === undefined) {
        if (isOdd) open = line;
        else if (line.text !== '') records.push(line);
        continue;
      }
      open = { number: open.number, text: `${open.text}\n${line.text}` };
      if (open.text.length > LONGEST_RECORD) throw tooLong(open.number);
      if (!isOdd) continue;
      records.push(open);
      open = undefined;
    }
    yield records;
  }
  if (open !== undefined) throw sourceErrors.source_invalid(`line ${open.number}: a quote is not closed`);
}
