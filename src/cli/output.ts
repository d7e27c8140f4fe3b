// Owns what a command prints. With --json exactly one object goes to stdout and everything else to stderr;
// otherwise stdout is for people. Colours and moving bars only on a terminal.
import { styleText } from 'node:util';
import { type GcosError, toWire } from '../kernel/index.js';
import { type Progress, startProgress } from './progress.js';

export type Tone = 'good' | 'bad' | 'warn' | 'dim' | 'bold';
const STYLES = { good: 'green', bad: 'red', warn: 'yellow', dim: 'dim', bold: 'bold' } as const;

const toJson = (value: unknown): string => JSON.stringify(toWire(value), null, 2);

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
    process.stdout.write(
      this.#options.json
        ? `${toJson(value)}\n`
        : lines()
            .map((line) => `${line}\n`)
            .join(''),
    );
  }

  /** Something worth saying on the way; never part of the result. */
  note(text: string): void {
    if (!this.#options.quiet) process.stderr.write(`${text}\n`);
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
    const help = error.help.split('\n').join('\n        ');
    process.stderr.write(`${this.tone('bad', `${error.code}:`)} ${error.message}\n  help: ${help}\n`);
  }

  tone(tone: Tone, text: string): string {
    return this.#coloured ? styleText(STYLES[tone], text) : text;
  }
}

/** Columns padded to equal width; the last one is left as it is. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = (rows[0] ?? []).map((_, column) => width(column));
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

export function formatCount(n: number | bigint): string {
  // Not by locale: loading that takes a command longer than printing.
  return String(n).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
}
