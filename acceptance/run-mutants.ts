// Owns the run of the mutants: each line of docs/acceptance.md must fail, by an assertion of one of its
// tests, in a copy of the project in which its mutant is applied. One mutant at a time, one file of tests at
// a time; the first test that fails ends the run of its mutant.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { FILE, LINE, REPORT, type Requirement, readRequirements, root } from './list.js';
import type { MutantReport } from './mutant-reporter.js';
import { applyEdit, type Mutant, mutants } from './mutants.js';

/** What a copy of the project leaves out: linked, built there, or of no use to a test. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.gcos']);

type Outcome =
  | { readonly kind: 'caught'; readonly by: string; readonly how: string }
  | { readonly kind: 'survived' }
  | { readonly kind: 'error'; readonly why: string };

/** A process that is running; ended together with this one. */
let running: ChildProcess | undefined;
let interrupted = false;

/** Runs a command in its own process group, so that it ends with everything it started. */
function run(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    running = child;
    let output = '';
    const add = (text: string) => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', add);
    child.stderr.setEncoding('utf8').on('data', add);
    child.on('error', fail);
    child.on('close', (code) => {
      running = undefined;
      done({ code, output });
    });
  });
}

function interrupt(): void {
  if (interrupted && running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL');
  interrupted = true;
  // On this signal the test runner stops its server before it ends.
  running?.kill('SIGHUP');
}

const IMPORT = /from '(\.[^']+)'/g;

/** Whether `file` starts the built program, directly or through what it imports from the tests. */
export function usesBuild(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  if (/\b(mainFile|startCli|runCli|startWorkerProcess)\b|-process\.mjs/.test(text)) return true;
  return [...text.matchAll(IMPORT)].some(([, target = '']) => {
    const path = relative(root, resolve(root, dirname(file), target.replace(/\.js$/, '.ts')));
    return /^(test|bench)\//.test(path) && existsSync(join(root, path)) && usesBuild(path, seen);
  });
}

/** A copy of the project as it is on disk, without a build. */
function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'gcos-mutants-'));
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(root, path)) });
  symlinkSync(resolve(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Applies the edits in `copy`; returns the function that restores the files. */
function apply(mutant: Mutant, copy: string): () => void {
  const before = new Map<string, string>();
  for (const edit of mutant.edits) {
    const path = join(copy, edit.file);
    const text = readFileSync(path, 'utf8');
    if (!before.has(path)) before.set(path, text);
    writeFileSync(path, applyEdit(text, edit));
  }
  return () => {
    for (const [path, text] of before) writeFileSync(path, text);
  };
}

const isAssertion = (name: string): boolean => name === 'AssertionError';

/** The first test of the line in `file` that the mutant makes fail. */
async function tryFile(copy: string, line: string, file: string): Promise<Outcome> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const runner = join(copy, 'node_modules/vitest/vitest.mjs');
  const { output } = await run(
    copy,
    [runner, 'run', '--config', 'acceptance/vitest.config.ts', '--maxWorkers=1'],
    { [LINE]: line, [FILE]: file, [REPORT]: report },
  );
  if (interrupted) return { kind: 'error', why: 'interrupted' };
  if (!existsSync(report)) return { kind: 'error', why: `no report: ${output.trim().slice(-500)}` };
  const { tests, outside } = JSON.parse(readFileSync(report, 'utf8')) as MutantReport;
  const failed = tests.filter(({ state }) => state === 'failed');
  for (const { name, errors } of failed) {
    const assertion = errors.find((error) => isAssertion(error.name));
    if (assertion !== undefined) return { kind: 'caught', by: name, how: assertion.message };
  }
  const [other] = failed;
  if (other !== undefined)
    return {
      kind: 'error',
      why: `no assertion failed, but ${other.name}: ${other.errors.map((e) => `${e.name}: ${e.message}`).join('; ')}`,
    };
  if (outside.length > 0) return { kind: 'error', why: `outside of the tests: ${outside.join('; ')}` };
  if (!tests.some(({ state }) => state === 'passed'))
    return { kind: 'error', why: `no test of the line ran in ${file}` };
  return { kind: 'survived' };
}

/** Runs the tests of a line under its mutant, file by file, until one fails. */
async function tryMutant(copy: string, { number, files }: Requirement, mutant: Mutant): Promise<Outcome> {
  const restore = apply(mutant, copy);
  try {
    let error: Outcome | undefined;
    let built = false;
    for (const file of files) {
      if (!built && usesBuild(file)) {
        const { code, output } = await run(copy, ['scripts/build.mjs']);
        if (interrupted) return { kind: 'error', why: 'interrupted' };
        if (code !== 0) return { kind: 'error', why: `it does not build: ${output.trim().slice(0, 500)}` };
        built = true;
      }
      const outcome = await tryFile(copy, number, file);
      if (outcome.kind === 'caught' || interrupted) return outcome;
      if (outcome.kind === 'error') error ??= outcome;
    }
    return error ?? { kind: 'survived' };
  } finally {
    restore();
  }
}

const textOf = (outcome: Outcome): string => {
  if (outcome.kind === 'caught') return `caught by ${outcome.by} (${outcome.how})`;
  return outcome.kind === 'survived' ? 'SURVIVED' : `ERROR ${outcome.why}`;
};

/** The value of `--only`: `38.10 #2`, also without the blank. */
function chosen(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--only');
  if (at < 0) return [];
  return (args[at + 1] ?? '').split(',').map((each) => each.trim().replace(/ ?#/, ' #'));
}

/** Runs the mutants, prints a line for each and the table at the end; returns the exit code. */
export async function runMutants(args: readonly string[]): Promise<number> {
  const only = chosen(args);
  const lines = readRequirements().filter(({ number }) => only.length === 0 || only.includes(number));
  if (lines.length === 0) {
    console.error(`no line of docs/acceptance.md is called ${only.join(', ')}`);
    return 1;
  }
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const copy = copyProject();
  const table: string[] = [];
  let caught = 0;
  try {
    for (const [index, line] of lines.entries()) {
      if (interrupted) break;
      const mutant = mutants.find((each) => each.number === line.number);
      console.log(`[${index + 1}/${lines.length}] ${line.number}: ${mutant?.breaks ?? 'no mutant'}`);
      const started = performance.now();
      let outcome: Outcome;
      try {
        outcome =
          mutant === undefined
            ? { kind: 'error', why: 'the line has no mutant' }
            : await tryMutant(copy, line, mutant);
      } catch (error) {
        outcome = { kind: 'error', why: error instanceof Error ? error.message : String(error) };
      }
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      if (outcome.kind === 'caught') caught += 1;
      console.log(`    ${textOf(outcome)}, ${seconds} s`);
      table.push(`${line.number} | ${mutant?.breaks ?? ''} | ${textOf(outcome)} | ${seconds} s`);
    }
  } finally {
    // A server that runs as another account keeps nothing here: its folder is a temporary one of its own.
    if (statSync(copy, { throwIfNoEntry: false }) !== undefined)
      rmSync(copy, { recursive: true, force: true });
  }
  console.log(`\nline | mutant | result | time\n${table.join('\n')}`);
  console.log(
    `\n${caught} of ${lines.length} mutants caught${interrupted ? ' before the interruption' : ''}`,
  );
  return caught === lines.length ? 0 : 1;
}
