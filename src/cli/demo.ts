// `gcos demo build`: makes a whole host to try GCOS on.
import { Command } from 'commander';
import { buildEstate, type EstateSummary, FULL_SIZE, hashEstate } from '../demo/index.js';
import type { Gcos } from '../index.js';
import { formatDuration } from '../kernel/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { alignColumns, formatCount, type Output } from './output.js';

interface BuildFlags extends CommonFlags {
  readonly rows?: number;
  readonly replace?: boolean;
  readonly hash?: boolean;
}

export function parseRows(text: string): number {
  const rows = Number(text.replaceAll(/[,_]/g, ''));
  if (!Number.isInteger(rows)) throw cliErrors.usage_invalid(`--rows: \`${text}\` is not a whole number`);
  return rows;
}

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
    .option('--replace', 'drop a demo estate that is there and build it anew; never touches anything else')
    .option('--hash', 'also print a content hash per table')
    .action((flags: BuildFlags) =>
      runCommand(flags, async (context) => {
        const { summary, hashes } = await withGcos(context, async (gcos) => ({
          summary: await buildWithProgress(gcos, context.out, {
            ...(flags.rows === undefined ? {} : { rows: flags.rows }),
            replace: flags.replace === true,
          }),
          hashes: flags.hash ? await hashEstate(gcos.db) : undefined,
        }));
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

export function demoCommand(): Command {
  return new Command('demo').description('a host to try GCOS on').addCommand(build());
}
