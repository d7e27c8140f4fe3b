// Runs every command of docs/tutorial.md in order and compares its output with the page. `…` matches any text
// within a line; as a line of its own it matches any number of lines.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkout, runCli } from './support/cli.js';
import { asHost, createDatabase, type TestDatabase } from './support/database.js';
import { until } from './support/wait.js';

interface Step {
  readonly kind: 'command' | 'sql' | 'wait';
  readonly text: string;
  readonly output: readonly string[];
}

const BLOCK = /```(console|sql)\n([\s\S]*?)```|<!-- wait until: (.*?) -->/g;

function stepsOf(page: string): Step[] {
  return [...page.matchAll(BLOCK)].flatMap(([, kind, body = '', condition]): Step[] => {
    if (condition !== undefined) return [{ kind: 'wait', text: condition, output: [] }];
    if (kind === 'sql') return [{ kind: 'sql', text: body, output: [] }];
    return body.split(/^\$ /m).flatMap((part) => {
      const [text = '', ...output] = part.trimEnd().split('\n');
      return text === '' ? [] : [{ kind: 'command' as const, text, output }];
    });
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

const steps = stepsOf(readFileSync(join(checkout, 'docs/tutorial.md'), 'utf8'));

describe('the tutorial', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database?.close());

  let slowestMs = 0;
  async function run(command: string, step: string): Promise<string> {
    const [gcos, printsExitCode] = command.split('; echo $?');
    const [npx, name, ...args] = argumentsOf(gcos ?? '');
    expect([npx, name]).toEqual(['npx', 'gcos']);
    // A reader has no DATABASE_URL. Here the estate goes into a configured database, which needs --yes.
    if (args.includes('--demo')) args.push('--yes');
    // A duration of ten seconds must outlast the commands that follow, even on a busy machine.
    const durationIndex = args.indexOf('10s');
    if (durationIndex >= 0) args[durationIndex] = `${Math.max(10, Math.ceil((6 * slowestMs) / 1_000))}s`;
    const started = performance.now();
    const { exit, stdout, stderr } = await runCli(args, { env: { DATABASE_URL: database.url } });
    if (!args.includes('--demo')) slowestMs = Math.max(slowestMs, performance.now() - started);
    if (printsExitCode !== undefined) return `${stdout}${exit}\n`;
    expect(exit, `${step}: ${stderr}`).toBe(0);
    return stdout === '' ? stderr : stdout;
  }

  const wait = (condition: string) =>
    until(condition, async () => {
      const [row] = await asHost(database.url, `select (${condition}) as met`);
      return row?.['met'] === true;
    });

  it('has more than 15 commands', () => {
    expect(steps.filter(({ kind }) => kind === 'command').length).toBeGreaterThan(15);
  });

  it('shows the actual output of every command', async () => {
    // The ruleset version that the last plan leads to.
    let version = '';
    for (const [index, { kind, text, output }] of steps.entries()) {
      const step = `step ${index + 1}: ${text.split('\n')[0]}`;
      if (kind === 'sql') await asHost(database.url, text);
      else if (kind === 'wait') await wait(text);
      else {
        const printed = await run(
          text.replace('gov-rs-…', () => version),
          step,
        );
        version = /→ (gov-rs-[0-9a-f]+)/.exec(printed)?.[1] ?? version;
        if (!patternOf(output).test(printed)) expect(printed, step).toBe(`${output.join('\n')}\n`);
      }
    }
  }, 600_000);
});
