// `gcos demo`: builds a complete host to try GCOS on, generates traffic on it, and drops it.
import { Command, Option } from 'commander';
import {
  buildEstate,
  dropEstate,
  ESTATE_SEED,
  type EstateSummary,
  FULL_SIZE,
  findEstateMarker,
  hashEstate,
  planEstateDrop,
  runTraffic,
  TRAFFIC_KINDS,
} from '../demo/index.js';
import type { Gcos } from '../index.js';
import { formatDuration } from '../kernel/index.js';
import {
  type CommonFlags,
  type Context,
  makeCommand,
  type Outcome,
  runCommand,
  withGcos,
} from './command.js';
import { type ConfirmFlags, confirm, confirmOption } from './confirm.js';
import { cliErrors } from './errors.js';
import { alignColumns, formatCount, type Output } from './output.js';
import { duration, whole } from './parse.js';

interface BuildFlags extends EstateFlags {
  readonly rows?: number;
  readonly replace?: boolean;
  readonly hash?: boolean;
}

/** Flags of all commands that can build an estate. */
export interface EstateFlags extends CommonFlags {
  readonly yes?: boolean;
}

export const embeddedOption = (): Option =>
  new Option('--embedded', 'use the embedded server of GCOS and ignore DATABASE_URL and the libpq variables');
export const yesOption = (): Option =>
  new Option('--yes', 'build the demo estate in the configured database; its schema must be empty');

/** INVARIANT: a demo estate is never built in a configured database without --yes. */
export function requireDemoTarget({ config }: Context, { yes }: EstateFlags): void {
  if (config.target.kind === 'embedded' || yes) return;
  const named =
    config.target.kind === 'url'
      ? 'DATABASE_URL or --database-url names'
      : 'PGHOST, PGPORT, PGDATABASE or PGUSER names';
  throw cliErrors.demo_target_configured(`${named} the database in which the demo estate would be built`);
}

export const parseRows = whole('--rows', 1, 1_000_000_000);

/** Builds the estate with a progress bar. */
export async function buildWithProgress(
  gcos: Gcos,
  out: Output,
  options: { rows?: number; replace?: boolean },
): Promise<EstateSummary & { elapsedMs: number }> {
  const started = performance.now();
  const progress = out.progress('demo estate');
  const summary = await buildEstate(gcos.db, {
    ...options,
    onProgress: ({ step, done, total }) => progress.update(done, total, step),
  });
  progress.finish(
    `${formatCount(summary.tables.reduce((sum, table) => sum + table.rows, 0n))} rows in ${summary.tables.length} tables`,
  );
  return { ...summary, elapsedMs: Math.round(performance.now() - started) };
}

/** Asks before an estate is dropped for its replacement; there may be none. */
async function confirmReplacement(gcos: Gcos, context: Context, flags: BuildFlags): Promise<void> {
  const found = await findEstateMarker(gcos.db);
  if (found === undefined) return;
  const what = `drop the demo estate of ${formatCount(found.rows)} births and build it again`;
  await confirm(context, flags, what, ['All rows in its tables are lost, also those added since.']);
}

function build(): Command {
  return makeCommand(
    'build',
    'build the demo estate: a deterministic host with about a million births, in one transaction',
  )
    .option(
      '--rows <n>',
      `how many births; the other large tables scale with them (default ${FULL_SIZE})`,
      parseRows,
    )
    .option('--replace', 'drop an existing demo estate and build it again; touches nothing else')
    .option('--hash', 'also print a content hash per table')
    .addOption(embeddedOption())
    .addOption(yesOption())
    .action((flags: BuildFlags) =>
      runCommand(flags, async (context) => {
        requireDemoTarget(context, flags);
        const { summary, hashes } = await withGcos(context, async (gcos) => {
          if (flags.replace) await confirmReplacement(gcos, context, flags);
          return {
            summary: await buildWithProgress(gcos, context.out, {
              ...(flags.rows === undefined ? {} : { rows: flags.rows }),
              replace: flags.replace === true,
            }),
            hashes: flags.hash ? await hashEstate(gcos.db) : undefined,
          };
        });
        const byTable = new Map(hashes?.map((each) => [each.name, each.hash]));
        const tables = summary.tables.map((each) =>
          hashes ? { ...each, hash: byTable.get(each.name) } : each,
        );
        context.out.result({ ...summary, tables }, () => [
          ...alignColumns(
            tables.map((each) => [each.name, formatCount(each.rows), byTable.get(each.name) ?? '']),
          ),
          `built in ${formatDuration(summary.elapsedMs)}`,
        ]);
        return undefined;
      }),
    );
}

interface TrafficFlags extends CommonFlags {
  readonly rate: number;
  readonly seed: number;
  readonly for?: number;
  readonly count?: number;
}

function traffic(): Command {
  return makeCommand(
    'traffic',
    'generate traffic on a demo estate: births, changes, moves, retirements, deletions, new owners and rules; until Ctrl-C',
  )
    .option('--rate <n>', 'actions per second', whole('--rate', 1, 10_000), 10)
    .option('--for <duration>', 'stop after this long', duration('--for'))
    .option('--count <n>', 'stop after this many actions', whole('--count', 1, 100_000_000))
    .option(
      '--seed <n>',
      'the same seed repeats the same actions in the same order',
      whole('--seed', 1, 2 ** 31 - 1),
      ESTATE_SEED,
    )
    .action((flags: TrafficFlags) =>
      runCommand(
        flags,
        (context) =>
          withGcos(
            context,
            async (gcos) => {
              const report = await runTraffic(gcos.db, {
                rate: flags.rate,
                seed: flags.seed,
                signal: context.signal,
                ...(flags.for === undefined ? {} : { forMs: flags.for }),
                ...(flags.count === undefined ? {} : { count: flags.count }),
              });
              context.out.result(report, () => [
                ...alignColumns(TRAFFIC_KINDS.map((kind) => [kind, formatCount(report.counts[kind])])),
                `${formatCount(report.actions)} actions in ${formatDuration(report.elapsed_ms)}, seed ${report.seed}`,
              ]);
              return undefined;
            },
            { stopsGracefully: true },
          ),
        { stopIsSuccess: true },
      ),
    );
}

async function dropDemo(context: Context, flags: ConfirmFlags): Outcome {
  return withGcos(context, async (gcos) => {
    const { tables, births } = await planEstateDrop(gcos.db);
    const what = `drop the demo estate, ${tables.length} tables with ${formatCount(births)} births when they were built,`;
    await confirm(context, flags, what, ['All rows in its tables are lost, also those added since.']);
    const dropped = await dropEstate(gcos.db);
    context.out.result({ dropped: dropped.tables, schema_dropped: dropped.schema }, () => [
      `dropped the ${dropped.tables.length} tables of the demo estate${dropped.schema ? `, and the schema \`${gcos.db.schema}\`, which the build had created` : '; nothing else was touched'}`,
    ]);
    return undefined;
  });
}

function drop(): Command {
  return makeCommand('drop', 'drop exactly what `gcos demo build` created; uninstall GCOS first')
    .addOption(embeddedOption())
    .addOption(confirmOption())
    .action((flags: ConfirmFlags) => runCommand(flags, (context) => dropDemo(context, flags)));
}

export function demoCommand(): Command {
  const group = new Command('demo').description('a host to try GCOS on');
  for (const command of [build(), traffic(), drop()]) group.addCommand(command);
  return group;
}
