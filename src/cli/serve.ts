// `gcos serve`: the API over HTTP, until Ctrl-C or SIGTERM. Running requests end first; with --worker this
// process also follows the host.
import { type Command, Option } from 'commander';
import { type Gcos, openGcos } from '../index.js';
import type { Config } from '../kernel/index.js';
import type { RunningServer } from '../server/index.js';
import { type CommonFlags, type Context, makeCommand, runCommand, withGcos } from './command.js';
import { address, words } from './parse.js';
import { logOf, parsePort, workUntilInterrupted } from './worker.js';

/** The default port of the API. */
const SERVER_PORT = 7_373;

export interface ServeFlags {
  readonly quiet?: boolean;
  readonly port?: number | 'off';
  readonly host?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: boolean;
  readonly allowHost?: readonly string[];
  readonly corsOrigin?: readonly string[];
}

const list =
  (name: string) =>
  (text: string): readonly string[] =>
    words(name)(text)
      .split(',')
      .map((each) => each.trim());

export const serverPortOption = (): Option =>
  new Option(
    '--port <port>',
    `port of the API; 0 for any free port, off for none (default ${SERVER_PORT})`,
  ).argParser(parsePort);

export const serverHostOption = (): Option =>
  new Option('--host <address>', 'address of the API (default loopback)').argParser(address('--host'));

/** The server has a login of its own, which has no rights beyond those of the credentials it presents. */
const serverConfig = (config: Config): Config =>
  config.serverUrl === undefined ? config : { ...config, target: { kind: 'url', url: config.serverUrl } };

async function open(gcos: Gcos, flags: ServeFlags, port: number): Promise<RunningServer> {
  // Loaded only here: other commands start without it.
  const { openServer } = await import('../server/index.js');
  const { host, tlsCert, tlsKey } = flags;
  return openServer({
    gcos,
    port,
    log: logOf(flags.quiet === true),
    ...(host === undefined ? {} : { host }),
    ...(tlsCert === undefined && tlsKey === undefined ? {} : { tls: { cert: tlsCert, key: tlsKey } }),
    behindProxy: flags.behindProxy === true,
    hostNames: flags.allowHost ?? [],
    corsOrigins: flags.corsOrigin ?? [],
  });
}

/** On the default port, if it is free and none was asked for; `anyPort`: otherwise on another one. */
async function openAt(gcos: Gcos, flags: ServeFlags, anyPort: boolean): Promise<RunningServer> {
  if (typeof flags.port === 'number') return open(gcos, flags, flags.port);
  return open(gcos, flags, SERVER_PORT).catch((error: unknown) =>
    anyPort ? open(gcos, flags, 0) : Promise.reject(error),
  );
}

const interrupted = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

export interface Serving {
  readonly worker: boolean;
  /** Whether another port than the default one will do. */
  readonly anyPort: boolean;
  /** Called once the server listens. */
  readonly onListening: (url: string) => Promise<void> | void;
}

/** Serves, and works if requested, until the command is interrupted; everything ends within seconds. */
export async function serveUntilInterrupted(
  context: Context,
  flags: ServeFlags,
  { worker, anyPort, onListening }: Serving,
): Promise<void> {
  const { config, signal } = context;
  const gcos = await openGcos(serverConfig(config), { role: 'server' });
  try {
    // Fails at once if GCOS is not installed or has another version, instead of with every request.
    await gcos.installation.requireInstalled();
    const server = await openAt(gcos, flags, anyPort);
    const closed = interrupted(signal).then(() => server.close());
    try {
      await onListening(server.url);
      if (worker)
        await withGcos(
          context,
          (own) => workUntilInterrupted(own, context, { ...quietly(flags), port: 'off' }),
          { stopsGracefully: true },
        );
      else await interrupted(signal);
    } finally {
      await server.close();
      if (signal.aborted) await closed;
    }
  } finally {
    await gcos.close();
  }
}

const quietly = ({ quiet }: ServeFlags) => (quiet === undefined ? {} : { quiet });

export function serveCommand(): Command {
  return makeCommand(
    'serve',
    'serve the API over HTTP until Ctrl-C or SIGTERM; any number of servers may run',
  )
    .addOption(serverPortOption())
    .addOption(serverHostOption())
    .option(
      '--tls-cert <file>',
      'certificate chain in PEM; with --tls-key, another address than loopback is allowed',
    )
    .option('--tls-key <file>', 'key of the certificate in PEM')
    .option('--behind-proxy', 'a proxy in front speaks HTTPS with the clients')
    .option(
      '--allow-host <names>',
      'more names by which clients reach the server, as in their header Host',
      list('--allow-host'),
    )
    .option(
      '--cors-origin <origins>',
      'origins whose pages may call the API (default none)',
      list('--cors-origin'),
    )
    .option('--worker', 'also do the duties of a worker in this process')
    .action((flags: ServeFlags & CommonFlags & { readonly worker?: boolean }) =>
      runCommand(
        flags,
        async (context) => {
          await serveUntilInterrupted(context, flags, {
            worker: flags.worker === true,
            anyPort: false,
            onListening: (url) => context.out.result({ url }, () => [`serving ${url}/api/v1`]),
          });
          return undefined;
        },
        { stopIsSuccess: true },
      ),
    );
}
