// `gcos worker`: the process that follows the host. It logs to stderr, one JSON object per line, and stops
// gracefully on Ctrl-C and SIGTERM: every round ends or is rolled back, and the leases are released.
import { Command, Option } from 'commander';
import {
  DEFAULT_PORT,
  DUTIES,
  type DutyName,
  type DutyState,
  type Gcos,
  makeLog,
  type WorkerStatus,
} from '../index.js';
import {
  type CommonFlags,
  type Context,
  makeCommand,
  type Outcome,
  runCommand,
  withGcos,
} from './command.js';
import { formatCount, printLog, tableLines } from './output.js';
import { address, someOf, whole } from './parse.js';

export interface PortFlag {
  readonly port?: number | 'off';
  readonly host?: string;
}

interface RunFlags extends CommonFlags, PortFlag {
  readonly only?: readonly DutyName[];
  readonly once?: boolean;
}

export function parsePort(text: string): number | 'off' {
  return text === 'off' ? 'off' : whole('--port', 0, 65_535)(text);
}

export function endpointOptions(): readonly [Option, Option] {
  return [
    new Option(
      '--port <port>',
      `port of /healthz, /readyz and /metrics; 0 for any free port, off for none (default ${DEFAULT_PORT}, if free)`,
    ).argParser(parsePort),
    new Option(
      '--host <address>',
      'address of /healthz, /readyz and /metrics (default loopback; GCOS_WORKER_HOST)',
    ).argParser(address('--host')),
  ];
}

/** With --quiet only warnings and errors are logged. */
export function logOf(quiet: boolean) {
  const log = makeLog(printLog);
  return quiet ? (((level, ...rest) => level !== 'info' && log(level, ...rest)) as typeof log) : log;
}

/** Works until the command is interrupted, for `gcos worker run` and `gcos up --stay`. */
export async function workUntilInterrupted(
  gcos: Gcos,
  { signal, config }: Pick<Context, 'signal' | 'config'>,
  flags: PortFlag & { readonly only?: readonly DutyName[]; readonly quiet?: boolean },
): Promise<readonly DutyState[]> {
  return gcos.worker.run({
    signal,
    log: logOf(flags.quiet === true),
    ...(flags.only === undefined ? {} : { duties: flags.only }),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    host: flags.host ?? config.workerHost,
  });
}

async function once(gcos: Gcos, { signal, out }: Context, flags: RunFlags): Outcome {
  const duties = await gcos.worker.once({
    signal,
    log: logOf(true),
    ...(flags.only === undefined ? {} : { duties: flags.only }),
  });
  out.result({ duties }, () =>
    tableLines(
      ['DUTY', 'OUTCOME', 'ROUNDS'],
      duties.map((each) => [each.duty, each.outcome.replaceAll('_', ' '), formatCount(each.rounds)]),
    ),
  );
  return undefined;
}

async function run(context: Context, flags: RunFlags): Outcome {
  return withGcos(
    context,
    async (gcos) => {
      if (flags.once) return once(gcos, context, flags);
      const duties = await workUntilInterrupted(gcos, context, flags);
      context.out.result({ duties }, () =>
        tableLines(
          ['DUTY', 'ROUNDS', 'ERRORS'],
          duties.map((each) => [each.duty, formatCount(each.rounds), formatCount(each.errors)]),
        ),
      );
      return undefined;
    },
    { stopsGracefully: true },
  );
}

function statusLines({ duties, watchedAt, unwatched, paused, history }: WorkerStatus): string[] {
  return [
    watchedAt === null
      ? 'never watched'
      : `watched as of ${watchedAt}${unwatched ? ': too long ago, the gate blocks' : ''}`,
    ...(paused ? ['all workers are paused: `gcos resume`'] : []),
    ...tableLines(
      ['duty', 'state', 'last success', 'failing since', 'lag', 'last tick', 'by'],
      duties.map((each) => [
        each.duty,
        each.state.replace('_', ' '),
        each.lastSuccessAt ?? '',
        each.failingSince ?? '',
        each.lagSeconds === null ? '' : `${Math.round(each.lagSeconds)} s`,
        each.lastTickAt ?? '',
        each.holder ?? '',
      ]),
    ),
    ...duties.flatMap(({ duty, error, failingSince }) =>
      error === null || failingSince === null ? [] : [`${duty}: ${error}`],
    ),
    ...tableLines(
      ['history', 'kept for', 'pruned', 'last'],
      history.map((each) => [
        each.kind.replaceAll('_', ' '),
        each.keepDays === null ? 'ever' : `${each.keepDays} days`,
        formatCount(each.pruned),
        each.prunedAt ?? '',
      ]),
    ),
  ];
}

function status(): Command {
  return makeCommand(
    'status',
    'show what the workers do, and as of which time the host is watched; exit 0 watched and nothing fails, 2 not',
  ).action((flags: CommonFlags) =>
    runCommand(flags, (context) =>
      withGcos(context, async (gcos) => {
        const found = await gcos.worker.status();
        context.out.result(found, () => statusLines(found));
        const bad = found.duties.some(({ state }) => state === 'failing' || state === 'silent');
        return bad || found.unwatched ? 2 : undefined;
      }),
    ),
  );
}

export function workerCommand(): Command {
  return new Command('worker')
    .description('the process that follows the host')
    .addCommand(status())
    .addCommand(
      makeCommand(
        'run',
        'take in host changes, scan, audit, send signals and supervise workers until Ctrl-C or SIGTERM; any number of workers may run',
      )
        .option('--only <duties>', `a list from ${DUTIES.join(',')} (default all)`, someOf('--only', DUTIES))
        .addOption(endpointOptions()[0])
        .addOption(endpointOptions()[1])
        .option('--once', 'process the current work, then exit')
        .action((flags: RunFlags) =>
          runCommand(flags, (context) => run(context, flags), { stopIsSuccess: true }),
        ),
    );
}
