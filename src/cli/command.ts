// Owns what every command has in common: the shared flags, opening and closing GCOS, Ctrl-C, --timeout, and
// how an error becomes one line and an exit code.
import { Command } from 'commander';
import { type Gcos, openGcos } from '../index.js';
import {
  type Config,
  type Environment,
  type ExitCode,
  GcosError,
  loadConfig,
  namesTarget,
  withoutTarget,
} from '../kernel/index.js';
import { cliErrors } from './errors.js';
import { Output, printDetails } from './output.js';
import { duration } from './parse.js';

export interface CommonFlags {
  readonly json?: boolean;
  readonly databaseUrl?: string;
  readonly quiet?: boolean;
  readonly timeout?: string;
  /** GCOS's own server, whatever the environment names. */
  readonly embedded?: boolean;
}

export interface Context {
  readonly config: Config;
  readonly out: Output;
  readonly signal: AbortSignal;
}

/** The exit code of a command that succeeded with the answer "no"; undefined: 0. */
export type Outcome = Promise<ExitCode | undefined>;

const COMMON = ['json', 'databaseUrl', 'quiet', 'timeout'];

/**
 * Lets the common flags also stand before a command and between its words: `gcos --json ledger show`. The one
 * that stands last, nearest to the end of the line, counts.
 */
export function acceptEarlyFlags(program: Command): void {
  const groups = (command: Command): Command[] =>
    command.commands.length === 0
      ? []
      : [command, ...command.commands.flatMap((each) => groups(each as Command))];
  for (const group of groups(program)) withCommonFlags(group).enablePositionalOptions();
  program.hook('preAction', (_, command) => {
    for (let outer = command.parent; outer !== null; outer = outer.parent)
      for (const name of COMMON) {
        const value: unknown = outer.getOptionValue(name);
        if (value !== undefined && command.getOptionValue(name) === undefined)
          command.setOptionValueWithSource(name, value, 'cli');
      }
  });
}

/** Adds the flags every command has. */
function withCommonFlags(command: Command): Command {
  return command
    .option('--json', 'print one JSON object on stdout; everything else goes to stderr')
    .option('--database-url <url>', 'the database to use; overrides DATABASE_URL')
    .option('--quiet', 'no progress and no notes')
    .option(
      '--timeout <duration>',
      'give up after this long, for example 30s or 5m; nothing is left half done',
    );
}

export function makeCommand(name: string, summary: string): Command {
  return withCommonFlags(new Command(name).description(summary));
}

function environmentOf({ databaseUrl, embedded }: CommonFlags): Environment {
  if (databaseUrl === undefined) return embedded ? withoutTarget(process.env) : process.env;
  if (embedded) throw cliErrors.usage_invalid('--embedded and --database-url name two databases');
  return { ...process.env, DATABASE_URL: databaseUrl };
}

function contextOf(flags: CommonFlags, signal: AbortSignal): Context {
  const environment = environmentOf(flags);
  const out = new Output({ json: flags.json === true, quiet: flags.quiet === true });
  const ignored = flags.embedded ? namesTarget(process.env) : [];
  if (ignored.length > 0)
    out.note(
      `ignored: ${ignored.join(', ')}. This is the embedded server of GCOS; commands without --embedded use what is set, so unset it to go on here`,
    );
  return { config: loadConfig(environment, process.cwd()), out, signal };
}

/** The longest delay of a timer in Node: 24 days. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Aborts on Ctrl-C, on SIGTERM and when --timeout has passed. A second Ctrl-C ends the process at once. */
function interruption(timeout: string | undefined): {
  signal: AbortSignal;
  interrupted: () => boolean;
  dispose: () => void;
} {
  const controller = new AbortController();
  let interrupted = false;
  const stop = () => {
    if (interrupted) process.exit(130);
    interrupted = true;
    controller.abort(new Error('interrupted'));
  };
  const ms = timeout === undefined ? undefined : duration('--timeout')(timeout);
  const timer =
    ms === undefined
      ? undefined
      : setTimeout(
          () => controller.abort(new Error(`--timeout ${timeout} has passed`)),
          Math.min(ms, LONGEST_TIMER_MS),
        );
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return {
    signal: controller.signal,
    interrupted: () => interrupted,
    dispose() {
      clearTimeout(timer);
      process.off('SIGINT', stop).off('SIGTERM', stop);
    },
  };
}

function asGcosError(error: unknown): GcosError {
  if (error instanceof GcosError) return error;
  return cliErrors.internal_error(error instanceof Error ? error.message : String(error), { cause: error });
}

/** Prints an error the way every command does, and returns its exit code. */
export function reportError(error: unknown, flags: CommonFlags): ExitCode {
  const known = asGcosError(error);
  new Output({ json: flags.json === true, quiet: false }).failure(known);
  if (process.env['GCOS_DEBUG']) printDetails(error);
  return known.exit;
}

/**
 * Runs a command's work and sets the exit code of the process. `stopIsSuccess`: a command that runs until it
 * is stopped exits with 0 then; a function says whether it has come that far.
 */
export async function runCommand(
  flags: CommonFlags,
  work: (context: Context) => Outcome,
  options: { readonly stopIsSuccess?: boolean | (() => boolean) } = {},
): Promise<void> {
  let dispose = () => {};
  let interrupted = () => false;
  try {
    const stop = interruption(flags.timeout);
    ({ dispose, interrupted } = stop);
    process.exitCode = (await work(contextOf(flags, stop.signal))) ?? 0;
  } catch (error) {
    process.exitCode = reportError(error, flags);
  } finally {
    dispose();
    // The shell's convention for a command ended by Ctrl-C.
    const { stopIsSuccess = false } = options;
    const isSuccess = typeof stopIsSuccess === 'function' ? stopIsSuccess() : stopIsSuccess;
    if (interrupted() && !isSuccess) process.exitCode = 130;
  }
}

/**
 * Runs `work` with GCOS open, and closes GCOS afterwards. Ctrl-C cancels the statements that run in the
 * database. `stopsGracefully`: the work checks `context.signal` itself, because it must release leases first.
 */
export async function withGcos<T>(
  context: Context,
  work: (gcos: Gcos) => Promise<T>,
  options: { readonly stopsGracefully?: boolean } = {},
): Promise<T> {
  const gcos = await openGcos(context.config, options.stopsGracefully ? {} : { signal: context.signal });
  try {
    return await work(gcos);
  } finally {
    await gcos.close();
  }
}
