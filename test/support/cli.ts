// Runs the built `gcos` as a user does: as a process, with real arguments and a real exit code.
import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const mainFile = join(checkout, 'dist/gcos.js');

export interface CliResult {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** Starts a command. Variables of the suite's environment that name a database are not passed on. */
export function startCli(
  args: readonly string[],
  options: CliOptions = {},
): { child: ChildProcess; done: Promise<CliResult> } {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [mainFile, ...args], {
    cwd: options.cwd ?? checkout,
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const done = new Promise<CliResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, stdout, stderr }));
  });
  return { child, done };
}

export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).done;
}
