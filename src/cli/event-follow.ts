// `gcos event follow`: the feed, as its entries come.
import { setTimeout as timer } from 'node:timers/promises';
import type { Command } from 'commander';
import type { FeedEntry } from '../index.js';
import {
  type CommonFlags,
  type Context,
  makeCommand,
  type Outcome,
  runCommand,
  withGcos,
} from './command.js';
import { position } from './parse.js';

interface FollowFlags extends CommonFlags {
  readonly after?: bigint;
  readonly types?: readonly string[];
  readonly once?: true;
}

const listOf = (text: string): readonly string[] => text.split(',').map((each) => each.trim());

/** How often the command looks for new entries. */
const EVERY_MS = 250;

/** For example `count 3, changes.object_born 3`; lists and long texts stay in --json. */
function payloadText(payload: FeedEntry['payload']): string {
  return Object.entries(payload)
    .flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [`${name} ${value}`]
        : [],
    )
    .join(', ');
}

const lineOf = ({ number, occurredAt, type, subject, payload }: FeedEntry): string =>
  `${number}  ${occurredAt}  ${type}  ${subject}  ${payloadText(payload)}`.trimEnd();

async function follow(context: Context, { after, types = ['*'], once }: FollowFlags): Outcome {
  const { out, signal } = context;
  return withGcos(
    context,
    async ({ feed }) => {
      let from = after ?? (once ? undefined : await feed.last());
      while (!signal.aborted) {
        const page = await feed.read({ types, ...(from === undefined ? {} : { after: from }) });
        if (page.reset) {
          out.line({ reset: true, next: page.next }, () =>
            out.tone(
              'warn',
              `reset: what followed ${from ?? 0n} is not kept; the last number is ${page.next}`,
            ),
          );
        }
        for (const entry of page.entries) out.line(entry, () => lineOf(entry));
        from = page.next;
        if (page.next < page.last) continue;
        if (once) break;
        await timer(EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
      return undefined;
    },
    { stopsGracefully: true },
  );
}

export function followCommand(): Command {
  return makeCommand(
    'follow',
    'print what changes, as it is numbered, until Ctrl-C; with --json one object per line',
  )
    .option('--after <no>', 'begin behind this number (default: what comes from now on)', position('--after'))
    .option('--types <list>', 'only these, for example finding.*,ledger.closed', listOf)
    .option('--once', 'print what is kept, then exit')
    .action((flags: FollowFlags) =>
      runCommand(flags, (context) => follow(context, flags), { stopIsSuccess: true }),
    );
}
