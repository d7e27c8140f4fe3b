// A terminal for one command: `script` of util-linux gives the process a pseudo-terminal.
import { spawn, spawnSync } from 'node:child_process';
import { checkout, mainFile } from './cli.js';

export const hasTerminal = spawnSync('script', ['--version']).status === 0;

export interface TerminalResult {
  readonly exit: number | null;
  /** What the terminal showed, the answer included. */
  readonly shown: string;
}

/** Runs `gcos` on a terminal and types `answer` once the screen shows `prompt`. */
export function runOnTerminal(
  args: readonly string[],
  { prompt, answer, env }: { prompt: RegExp; answer: string; env: Readonly<Record<string, string>> },
): Promise<TerminalResult> {
  const command = [process.execPath, mainFile, ...args].map((each) => `'${each}'`).join(' ');
  const { PATH, HOME } = process.env;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: checkout,
    env: { PATH, HOME, TERM: 'dumb', NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  let answered = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (answered || !prompt.test(shown)) return;
    answered = true;
    child.stdin.write(answer);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, shown }));
  });
}
