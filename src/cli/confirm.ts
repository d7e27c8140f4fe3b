// Owns asking before a command destroys something: on a terminal a question, elsewhere --yes.
// INVARIANT: without an answer nothing is destroyed.
import { createInterface } from 'node:readline/promises';
import { Option } from 'commander';
import type { Config } from '../kernel/index.js';
import type { CommonFlags, Context } from './command.js';
import { cliErrors } from './errors.js';
import { printWarning } from './output.js';

export interface ConfirmFlags extends CommonFlags {
  readonly yes?: boolean;
}

export const confirmOption = (): Option => new Option('--yes', 'do not ask');

/** The database in words, without a password. */
function describeTarget({ target }: Config): string {
  if (target.kind === 'embedded') return `the embedded server of GCOS (${target.home})`;
  if (target.kind === 'libpq') return 'the database that PGHOST, PGPORT, PGDATABASE and PGUSER name';
  const { pathname, host } = new URL(target.url);
  const name = decodeURIComponent(pathname.slice(1));
  return `the database${name === '' ? '' : ` \`${name}\``}${host === '' ? '' : ` on ${host}`}`;
}

/**
 * Returns if the operator agrees to `action`, for example "delete 3 snapshots". `lines` say what is lost.
 * Throws if the operator does not agree, or cannot be asked.
 */
export async function confirm(
  { config, out, signal }: Context,
  { yes }: ConfirmFlags,
  action: string,
  lines: readonly string[] = [],
): Promise<void> {
  if (yes) return;
  const subject = `${action} in ${describeTarget(config)}`;
  if (out.json || !process.stdin.isTTY || !process.stderr.isTTY)
    throw cliErrors.confirmation_missing(`this would ${subject}`);
  for (const line of [`This will ${subject}.`, ...lines]) printWarning(line);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-D ends the input without an answer.
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  // The interface takes Ctrl-C from the terminal; it must end the command as everywhere else.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const answer = await terminal
      .question('Type yes to go on: ', { signal: AbortSignal.any([signal, ended.signal]) })
      .catch(() => '');
    if (answer.trim().toLowerCase() !== 'yes') throw cliErrors.not_confirmed('nothing was changed');
  } finally {
    terminal.close();
  }
}
