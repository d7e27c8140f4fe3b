// Runs the command line in this process: what it prints, its exit code, and nothing left behind. For tests
// with hundreds of commands, where a process each would take minutes.
import { runProgram } from '../../src/cli/run.js';
import type { CliResult } from './cli.js';

/** Runs `gcos` with `args` and with `env` in place of the variables that name a database. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<CliResult> {
  const texts = { stdout: '', stderr: '' };
  const { exitCode } = process;
  const written = { stdout: process.stdout.write, stderr: process.stderr.write };
  const before = new Map(Object.keys(env).map((name) => [name, process.env[name]]));
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = ((text: string) => {
      texts[name] += text;
      return true;
    }) as typeof process.stdout.write;
  for (const [name, value] of Object.entries(env)) set(name, value);
  process.exitCode = undefined;
  try {
    await runProgram(args);
    return { exit: Number(process.exitCode ?? 0), ...texts };
  } finally {
    process.exitCode = exitCode;
    Object.assign(process.stdout, { write: written.stdout });
    Object.assign(process.stderr, { write: written.stderr });
    for (const [name, value] of before) set(name, value);
  }
}
