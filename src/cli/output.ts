// Owns what a command prints. With --json exactly one object goes to stdout and everything else to stderr;
// otherwise stdout is for people. Colours and moving bars only on a terminal. INVARIANT: nothing reaches a
// screen unless it passed `visible`; no other file of the CLI writes to a stream.
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { type GcosError, toWire } from '../kernel/index.js';
import { type Progress, startProgress } from './progress.js';
import { visible, visibleJson, visibleLines } from './visible.js';

export type Tone = 'good' | 'bad' | 'warn' | 'dim' | 'bold';
/** The codes that begin and end a style. */
const STYLES = { good: [32, 39], bad: [31, 39], warn: [33, 39], dim: [2, 22], bold: [1, 22] } as const;

/**
 * Stands for the start of an escape sequence until a line is printed. The text around it is from the
 * database: a fixed mark could come from there.
 */
const STYLE_MARK = randomBytes(16).toString('hex');

const toJson = (value: unknown): string => visibleJson(JSON.stringify(toWire(value), null, 2));
const toLine = (text: string): string => `${visible(text).replaceAll(STYLE_MARK, '\x1b[')}\n`;

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
}

export class Output {
  readonly #options: OutputOptions;
  readonly #coloured: boolean;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.#coloured = Boolean(process.stdout.isTTY) && !process.env['NO_COLOR'];
  }

  get json(): boolean {
    return this.#options.json;
  }

  /** The result: an object for --json, lines for people. Called once per command. */
  result(value: unknown, lines: () => readonly string[]): void {
    process.stdout.write(this.#options.json ? `${toJson(value)}\n` : lines().map(toLine).join(''));
  }

  /** A result that is a text, such as a script: exact in a file or a pipe, visible on a terminal. */
  document(value: unknown, text: string): void {
    const ended = text.endsWith('\n') ? text : `${text}\n`;
    if (this.#options.json) process.stdout.write(`${toJson(value)}\n`);
    else process.stdout.write(process.stdout.isTTY ? visibleLines(ended) : ended);
  }

  /** One of many results, as it comes: an object on a line for --json, a line for people. */
  line(value: unknown, line: () => string): void {
    process.stdout.write(
      this.#options.json ? `${visibleJson(JSON.stringify(toWire(value)))}\n` : toLine(line()),
    );
  }

  /** Something worth saying on the way; never part of the result. */
  note(text: string): void {
    if (!this.#options.quiet) process.stderr.write(toLine(text));
  }

  /** A bar for work that takes more than a second. */
  progress(title: string): Progress {
    return startProgress(title, { quiet: this.#options.quiet, terminal: Boolean(process.stderr.isTTY) });
  }

  /** One line and, apart from it, what to do. */
  failure(error: GcosError): void {
    if (this.#options.json) {
      const { code, message, help, facts } = error;
      process.stdout.write(`${toJson({ error: { code, message, help, ...facts } })}\n`);
    }
    const help = error.helpLines.map((line, index) =>
      toLine(`${index === 0 ? '  help: ' : '        '}${line}`),
    );
    process.stderr.write(
      `${toLine(`${this.tone('bad', `${error.code}:`)} ${error.message}`)}${help.join('')}`,
    );
  }

  tone(tone: Tone, text: string): string {
    if (!this.#coloured) return text;
    const [begin, end] = STYLES[tone];
    return `${STYLE_MARK}${begin}m${text}${STYLE_MARK}${end}m`;
  }
}

/** A line for people that --quiet does not silence, such as an error after which a command goes on. */
export function printWarning(text: string): void {
  process.stderr.write(toLine(text));
}

/** One line of a log in JSON. */
export function printLog(json: string): void {
  process.stderr.write(`${visibleJson(json)}\n`);
}

/** Everything known about an error, for a developer. */
export function printDetails(error: unknown): void {
  process.stderr.write(visibleLines(`${inspect(error)}\n`));
}

/** Columns padded to equal width; the last one is left as it is. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(visible));
  const width = (column: number) => Math.max(...shown.map((row) => row[column]?.length ?? 0));
  const widths = (shown[0] ?? []).map((_, column) => width(column));
  return shown.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Columns of a terminal; without one, a table is as wide as its cells. COLUMNS overrides both. */
function widthOfScreen(): number {
  const chosen = process.env['COLUMNS'] ?? '';
  if (/^[1-9]\d{1,4}$/.test(chosen)) return Number(chosen);
  return process.stdout.isTTY && process.stdout.columns > 0
    ? process.stdout.columns
    : Number.POSITIVE_INFINITY;
}

/** The row number of the title line. */
export const TITLE = -1;
const GAP = 2;
/**
 * A column of texts is not made narrower than this, and one of short cells such as numbers stays as it is.
 */
const NARROW = 16;

/** `text` in `width` columns; a mark shows that it goes on. */
function shorten(text: string, width: number): string {
  if (text.length <= width) return text;
  const cut = text.slice(0, width - 1);
  // Not between the two halves of a character.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The widths that fit into `most`, taking from the widest columns first; undefined if none do. */
function fittingWidths(widths: readonly number[], most: number): readonly number[] | undefined {
  let surplus = widths.reduce((sum, width) => sum + width, 0) + GAP * (widths.length - 1) - most;
  const fitted = [...widths];
  while (surplus > 0) {
    const widest = Math.max(...fitted);
    if (widest <= NARROW) return undefined;
    const at = fitted.indexOf(widest);
    const next = Math.max(...fitted.filter((_, index) => index !== at), NARROW);
    const step = Math.max(1, Math.min(surplus, widest - next));
    fitted[at] = widest - step;
    surplus -= step;
  }
  return fitted;
}

/**
 * A table with a title line, one line per row. On a terminal it fits the width: long cells end in `…`; if the
 * columns are too many for that, each row becomes a block of lines, `title  cell`. No row is left out.
 * `paint` colours a line, by the number of its row.
 */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paint: (line: string, row: number) => string = (line) => line,
): string[] {
  // Two columns remain for an indent.
  const most = widthOfScreen() - GAP;
  const shown = [head, ...rows].map((row) => row.map(visible));
  const widths = head.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  const fitted = fittingWidths(widths, most);
  if (fitted !== undefined) {
    const [title = '', ...lines] = alignColumns(
      shown.map((row) => row.map((cell, column) => shorten(cell, fitted[column] ?? cell.length))),
    );
    return [paint(title, TITLE), ...lines.map(paint)];
  }
  return shown
    .slice(1)
    .flatMap((row, index) => [
      ...(index === 0 ? [] : ['']),
      ...alignColumns(row.map((cell, column) => [shown[0]?.[column] ?? '', cell])).map((line) =>
        paint(line, index),
      ),
    ]);
}

export function formatCount(n: number | bigint): string {
  // Not by locale: loading that takes a command longer than printing.
  return String(n).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
}
