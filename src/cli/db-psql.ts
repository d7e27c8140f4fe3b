// `gcos db psql`: a session on the database GCOS uses. psql gets the connection from its environment, so that
// no password is on a command line. Where psql is not installed, GCOS runs statements itself.
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import {
  cancelledBy,
  EmbeddedServer,
  libpqEnvironment,
  runStatements,
  type SessionTarget,
  type StatementResult,
} from '../db/index.js';
import type { ExitCode } from '../kernel/index.js';
import { type CommonFlags, type Context, makeCommand, type Outcome, runCommand } from './command.js';
import { cliErrors } from './errors.js';
import { visible } from './visible.js';

interface PsqlFlags extends CommonFlags {
  readonly command?: readonly string[];
}

/** Runs `work` with the database; the embedded server runs as long as the session. */
async function withTarget<T>(
  { config, signal }: Context,
  work: (target: SessionTarget) => Promise<T>,
): Promise<T> {
  if (config.target.kind !== 'embedded') return work({ target: config.target, tls: config.tls });
  const server = new EmbeddedServer(config.target.home);
  const url = await server.enter(signal);
  try {
    return await work({ target: { kind: 'url', url }, tls: { mode: 'disable' } });
  } finally {
    await server.leave();
  }
}

/** The exit code of GCOS for one of psql: 2 means that the connection was lost or refused. */
const exitOf = (code: number | null): ExitCode | undefined => (code === 0 ? undefined : code === 2 ? 4 : 1);

/** Runs psql until it ends. Ctrl-C is for psql, which ends the statement, not the session. */
async function runPsql(
  target: SessionTarget,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly exit: ExitCode | undefined } | 'missing'> {
  const interrupted = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT').on('SIGINT', () => undefined);
  const psql = spawn('psql', args, { env: libpqEnvironment(target, process.env), stdio: 'inherit' });
  const stop = () => psql.kill();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      psql.on('exit', (code) => resolve({ exit: exitOf(code) }));
      psql.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? resolve('missing') : reject(error),
      );
    });
  } finally {
    signal.removeEventListener('abort', stop);
    process.removeAllListeners('SIGINT');
    for (const listener of interrupted) process.on('SIGINT', listener);
  }
}

/** A table in the form of psql. */
function tableLines({ columns, rows }: StatementResult): string[] {
  const cells = rows.map((row) => row.map((value) => visible(value ?? '')));
  const names = columns.map(({ name }) => visible(name));
  const widths = names.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (texts: readonly string[], pad: (text: string, at: number, width: number) => string) =>
    texts
      .map((text, at) => ` ${pad(text, at, widths[at] ?? 0)} `)
      .join('|')
      .trimEnd();
  const centred = (text: string, _: number, width: number) =>
    text.padStart(text.length + Math.floor((width - text.length) / 2)).padEnd(width);
  const aligned = (text: string, at: number, width: number) =>
    columns[at]?.isNumber ? text.padStart(width) : text.padEnd(width);
  return [
    line(names, centred),
    widths.map((width) => '-'.repeat(width + 2)).join('+'),
    ...cells.map((row) => line(row, aligned)),
    `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`,
    '',
  ];
}

const resultLines = (result: StatementResult): string[] => [
  ...(result.columns.length === 0 ? [] : tableLines(result)),
  ...(result.columns.length === 0 || /^(INSERT|UPDATE|DELETE|MERGE) /.test(result.tag) ? [result.tag] : []),
];

async function runBuiltIn(context: Context, target: SessionTarget, statements: readonly string[]): Outcome {
  const results = await runStatements(target, statements, {
    signal: context.signal,
    onNotice: (text) => context.out.note(text),
  });
  const shown = results.map(({ tag, columns, rows }) => ({
    tag,
    columns: columns.map(({ name }) => name),
    rows,
  }));
  context.out.result({ results: shown }, () => results.flatMap(resultLines));
  return undefined;
}

/** The statements, if the arguments for psql are nothing but `-c STATEMENT`. */
function statementsOf(args: readonly string[]): string[] | undefined {
  const statements = args.filter((_, at) => at % 2 === 1);
  const isAll = args.every((arg, at) => at % 2 === 1 || arg === '-c');
  return isAll && statements.length > 0 && args.length % 2 === 0 ? statements : undefined;
}

async function psql(context: Context, args: readonly string[]): Outcome {
  const statements = statementsOf(args);
  return withTarget(context, async (target) => {
    if (context.out.json) {
      if (statements === undefined)
        throw cliErrors.usage_invalid('--json needs -c and takes no other argument');
      return runBuiltIn(context, target, statements);
    }
    const done = await runPsql(target, args, context.signal);
    if (context.signal.aborted) throw cancelledBy(context.signal);
    if (done !== 'missing') return done.exit;
    if (statements !== undefined) return runBuiltIn(context, target, statements);
    throw cliErrors.psql_missing('there is no program `psql` in the PATH');
  });
}

export function psqlCommand(): Command {
  return makeCommand('psql', 'open psql on the database, or run statements in it')
    .argument('[args...]', 'arguments for psql, after --')
    .option(
      '-c, --command <sql>',
      'run this statement and exit; may be repeated. Works without psql, and with --json',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .action((args: readonly string[], flags: PsqlFlags) =>
      runCommand(flags, (context) =>
        psql(context, [...(flags.command ?? []).flatMap((text) => ['-c', text]), ...args]),
      ),
    );
}
