// `gcos deadletter`: items that workers and signals failed to process after all attempts, and retrying them.
import { Command } from 'commander';
import type { DeadLetter, DeadLetterDetail } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { alignColumns, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, parseLimit } from './page.js';
import { nameOf } from './parse.js';

interface ListFlags extends CommonFlags {
  readonly from?: string;
  readonly limit: number;
  readonly after?: string;
}

interface RetryFlags extends CommonFlags {
  readonly from?: string;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

const FROM = 'only from this worker: backfill, intake, event, delivery or another';

const what = (letter: DeadLetter): string => [letter.table, letter.ref].filter(Boolean).join(' ');

function list(): Command {
  return makeCommand('list', 'list the dead letters')
    .option('--from <worker>', FROM)
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <id>', 'continue after this id', nameOf('--after'))
    .action((flags: ListFlags) =>
      runCommand(flags, async (context) => {
        const { from, limit, after } = flags;
        const page = await withGcos(context, (gcos) =>
          gcos.deadLetters.list({
            limit,
            ...given({ origin: from, after }),
          }),
        );
        context.out.result(page, () =>
          page.letters.length === 0
            ? ['no dead letters']
            : [
                ...tableLines(
                  ['id', 'from', 'attempts', 'what', 'last error'],
                  page.letters.map((each) => [
                    each.id,
                    each.origin,
                    String(each.failures),
                    what(each),
                    each.lastError ?? '',
                  ]),
                ),
                ...moreLines(page.next),
              ],
        );
        return undefined;
      }),
    );
}

function detailLines(letter: DeadLetterDetail): string[] {
  return alignColumns([
    ['id', letter.id],
    ['state', letter.completedAt === null ? letter.state : `completed, ${letter.completedAt}`],
    ['from', `${letter.origin} (${letter.hint})`],
    ['what', what(letter)],
    ['address', letter.address ?? ''],
    ['attempts', String(letter.failures)],
    ['dead since', letter.deadLetteredAt ?? ''],
    ['last error', letter.lastError ?? ''],
    ['payload', JSON.stringify(letter.payload)],
  ]);
}

function show(): Command {
  return makeCommand('show', 'show one dead letter')
    .argument('<id>', 'its id')
    .action((id: string, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const letter = await withGcos(context, (gcos) => gcos.deadLetters.show(id));
        context.out.result(letter, () => detailLines(letter));
        return undefined;
      }),
    );
}

function retry(): Command {
  return makeCommand('retry', 'retry dead letters: resets their attempts and makes them due at once')
    .argument('[ids...]', 'the ids; or use --from or --all')
    .option('--from <worker>', FROM)
    .option('--all', 'all dead letters')
    .option('--dry-run', 'list them without retrying')
    .action((ids: string[], flags: RetryFlags) =>
      runCommand(flags, async (context) => {
        const { from, dryRun = false } = flags;
        if (ids.length === 0 && from === undefined && flags.all !== true)
          throw cliErrors.usage_invalid('give ids, --from or --all');
        const retried = await withGcos(context, (gcos) =>
          gcos.deadLetters.retry({
            dryRun,
            ...(ids.length === 0 ? {} : { ids }),
            ...given({ origin: from }),
          }),
        );
        context.out.result({ dryRun, retried }, () => [
          `${retried.length} ${dryRun ? 'would be' : 'are'} retried`,
          ...retried.map((each) => `  ${each.id}  ${each.origin}`),
        ]);
        return undefined;
      }),
    );
}

export function deadLetterCommand(): Command {
  const group = new Command('deadletter').description('items that failed after all attempts');
  for (const command of [list(), show(), retry()]) group.addCommand(command);
  return group;
}
