// Runs commands of the built product in processes of their own, which a test can freeze and kill.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkout } from '../test/support/cli.js';

export interface Running {
  readonly child: ChildProcess;
  /** All lines so far. */
  readonly lines: readonly string[];
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<number | null>;
}

/** Starts `gcos` with these arguments against the database at `url`. */
export function startGcos(url: string, ...args: readonly string[]): Running {
  const child = spawn(process.execPath, [join(checkout, 'dist/gcos.js'), ...args, '--database-url', url], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter((line) => line !== ''));
    });
  return {
    child,
    lines,
    signal: (name) => child.kill(name),
    ended: new Promise((resolve) => child.on('close', (code) => resolve(code))),
  };
}
