// `gcos db`: the embedded server, and sessions on the database.
import { Command } from 'commander';
import { EmbeddedServer, embeddedErrors } from '../db/index.js';
import type { Config } from '../kernel/index.js';
import { type CommonFlags, makeCommand, runCommand } from './command.js';
import { psqlCommand } from './db-psql.js';
import { alignColumns } from './output.js';

function embeddedOf(config: Config): EmbeddedServer {
  if (config.target.kind === 'embedded') return new EmbeddedServer(config.target.home);
  throw embeddedErrors.embedded_not_used(
    'another database is configured, so the embedded server is not used',
  );
}

function start(): Command {
  return makeCommand('start', 'start the embedded server and keep it running until `gcos db stop`').action(
    (flags: CommonFlags) =>
      runCommand(flags, async ({ config, out }) => {
        const server = embeddedOf(config);
        await server.enter();
        await server.pin();
        const status = server.status();
        await server.leave();
        out.result(status, () => [
          `running on 127.0.0.1:${status?.port}, process ${status?.pid}; \`gcos db stop\` stops it`,
        ]);
        return undefined;
      }),
  );
}

function stop(): Command {
  return makeCommand('stop', 'stop the embedded server')
    .option('--force', 'stop it even while other commands use it')
    .action((flags: CommonFlags & { force?: boolean }) =>
      runCommand(flags, async ({ config, out }) => {
        const done = await embeddedOf(config).stop({ force: flags.force === true });
        out.result(done, () => [done.wasRunning ? 'stopped' : 'it was not running']);
        return undefined;
      }),
    );
}

function status(): Command {
  return makeCommand(
    'status',
    'show whether the embedded server runs, its address, and the processes that use it; starts nothing',
  ).action((flags: CommonFlags) =>
    runCommand(flags, async ({ config, out }) => {
      const found = embeddedOf(config).status();
      out.result(found ?? { running: false }, () =>
        found === undefined
          ? ['no embedded server has been created here yet; any command creates it']
          : alignColumns([
              ['running', found.running ? `yes, 127.0.0.1:${found.port}, process ${found.pid}` : 'no'],
              ['kept', found.pinned ? 'until `gcos db stop`' : 'until the last command leaves'],
              ['version', found.version],
              ['users', found.clients.length === 0 ? 'none' : found.clients.join(', ')],
              ['files', found.folder],
              ['log', found.log],
            ]),
      );
      return undefined;
    }),
  );
}

function url(): Command {
  return makeCommand(
    'url',
    'print the connection URL; starts the embedded server and keeps it running',
  ).action((flags: CommonFlags) =>
    runCommand(flags, async ({ config, out }) => {
      if (config.target.kind === 'url') {
        const { url: configured } = config.target;
        out.result({ url: configured }, () => [configured]);
        return undefined;
      }
      const server = embeddedOf(config);
      const found = await server.enter();
      if (server.status()?.pinned !== true) {
        await server.pin();
        out.note('the server keeps running until `gcos db stop`');
      }
      await server.leave();
      out.result({ url: found }, () => [found]);
      return undefined;
    }),
  );
}

export function dbCommand(): Command {
  const group = new Command('db').description('the embedded PostgreSQL server, and psql on the database');
  for (const command of [start(), stop(), status(), url(), psqlCommand()]) group.addCommand(command);
  return group;
}
