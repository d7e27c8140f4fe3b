// Runs the `console` blocks of a documentation page in order and compares each output with the page. A
// command goes on in the next line while a quote is open. In an output, `…` matches any text within a line;
// as a line of its own it matches any number of lines. Comments in the page are steps that a reader does not
// see: `<!-- run: gcos … -->`, `<!-- sql: … -->`, `<!-- wait until: … -->`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkout, runCli } from './cli.js';
import { asHost } from './database.js';
import { until } from './wait.js';

export interface Step {
  readonly kind: 'command' | 'hidden command' | 'sql' | 'wait';
  readonly text: string;
  readonly output: readonly string[];
}

const BLOCK = /```console\n([\s\S]*?)```|<!-- (wait until|run|sql): ([\s\S]*?) -->/g;
const HIDDEN = { 'wait until': 'wait', run: 'hidden command', sql: 'sql' } as const;

/** A command with its output: the command ends with the line in which every quote is closed. */
function stepOf(part: string): Step {
  const lines = part.split('\n');
  let length = 1;
  while (length < lines.length && (lines.slice(0, length).join('').split('"').length - 1) % 2 === 1)
    length += 1;
  return { kind: 'command', text: lines.slice(0, length).join('\n'), output: lines.slice(length) };
}

/** The steps of a page. */
export function stepsOf(page: string): readonly Step[] {
  const text = readFileSync(join(checkout, page), 'utf8');
  return [...text.matchAll(BLOCK)].flatMap(([, body = '', hidden, content = '']): Step[] => {
    if (hidden !== undefined)
      return [{ kind: HIDDEN[hidden as keyof typeof HIDDEN], text: content, output: [] }];
    return body
      .split(/^\$ /m)
      .map((part) => part.trimEnd())
      .filter((part) => part !== '')
      .map(stepOf);
  });
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A pattern for the whole output that the page shows. */
function patternOf(lines: readonly string[]): RegExp {
  const parts = lines.map((line) =>
    line.trim() === '…' ? '(?:.*\\n)*?' : `${line.trimEnd().split('…').map(escaped).join('.*')} *\\n`,
  );
  return new RegExp(`^${parts.join('')}$`);
}

/** The arguments of a command, as a shell passes them. */
const argumentsOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Runs the steps against the database at `url`, with these variables. */
export async function runSteps(
  steps: readonly Step[],
  url: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  let slowestMs = 0;
  async function run(command: string, step: string): Promise<string> {
    const [gcos, printsExitCode] = command.split('; echo $?');
    const [name, ...args] = argumentsOf((gcos ?? '').replace(/^npx /, ''));
    expect(name, step).toBe('gcos');
    // A reader has no DATABASE_URL. Here the estate goes into a configured database, which needs --yes.
    if (args.includes('--demo')) args.push('--yes');
    // A duration of ten seconds must outlast the commands that follow, even on a busy machine.
    const durationIndex = args.indexOf('10s');
    if (durationIndex >= 0) args[durationIndex] = `${Math.max(10, Math.ceil((6 * slowestMs) / 1_000))}s`;
    const started = performance.now();
    const { exit, stdout, stderr } = await runCli(args, { env: { DATABASE_URL: url, ...environment } });
    if (!args.includes('--demo')) slowestMs = Math.max(slowestMs, performance.now() - started);
    if (printsExitCode !== undefined) return `${stdout}${stderr}${exit}\n`;
    expect(exit, `${step}: ${stderr}`).toBe(0);
    return stdout === '' ? stderr : stdout;
  }

  // The ruleset version that the last plan leads to.
  let version = '';
  for (const [index, { kind, text, output }] of steps.entries()) {
    const step = `step ${index + 1}: ${text.split('\n')[0]}`;
    if (kind === 'sql') await asHost(url, text);
    else if (kind === 'wait')
      await until(text, async () => {
        const [row] = await asHost(url, `select (${text}) as met`);
        return row?.['met'] === true;
      });
    else {
      const printed = await run(
        text.replace('gov-rs-…', () => version),
        step,
      );
      version = /→ (gov-rs-[0-9a-f]+)/.exec(printed)?.[1] ?? version;
      if (kind === 'command' && !patternOf(output).test(printed))
        expect(printed, step).toBe(`${output.join('\n')}\n`);
    }
  }
}
