// `gcos inbox`: subscriptions to signals, and unread notifications. Reading is recorded for the acting
// person.
import { Command } from 'commander';
import type { Delivery, Gcos, SubscriptionChoice } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { formatCount, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, nextOf, parseLimit } from './page.js';
import { idOf, nameOf, position } from './parse.js';

interface RecipientFlags extends CommonFlags {
  readonly recipient: string;
}

interface ListFlags extends RecipientFlags {
  readonly all?: true;
  readonly limit: number;
  readonly after?: bigint;
}

interface SubscribeFlags extends RecipientFlags {
  readonly type?: string;
  readonly any?: true;
  readonly stream?: string;
  readonly table?: string;
  readonly filter?: Readonly<Record<string, unknown>>;
}

interface ChoiceFlags extends RecipientFlags {
  readonly subscription?: string;
  readonly type?: string;
  readonly stream?: string;
}

function forRecipient(name: string, summary: string): Command {
  return makeCommand(name, summary).requiredOption(
    '--recipient <name>',
    'whose inbox: a person, or a body, a code of governance_registry',
  );
}

function subjectOf(each: Delivery): string {
  const what =
    each.kind === 'digest' ? `${formatCount(each.signals)} more signals since ${each.windowStart}` : '';
  const from = each.escalatedFrom === null ? '' : `unread by ${each.escalatedFrom}: `;
  return `${from}${what || (each.canonicalAddress ?? '')}`;
}

function inboxLines(found: readonly Delivery[], next: string | null): string[] {
  if (found.length === 0) return ['no notifications'];
  const rows = found.map((each) => [
    String(each.id),
    each.severity,
    each.eventType ?? each.kind,
    each.deliveredAt,
    each.readAt === null ? 'unread' : 'read',
    subjectOf(each),
  ]);
  return [...tableLines(['id', 'severity', 'type', 'delivered', 'state', 'about'], rows), ...moreLines(next)];
}

function list(): Command {
  return forRecipient('list', 'list the notifications that a recipient has not read')
    .option('--all', 'include read notifications')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <id>', 'continue after this id', position('--after'))
    .action((flags: ListFlags) =>
      runCommand(flags, async (context) => {
        const { recipient, limit, all, after } = flags;
        const found = await withGcos(context, (gcos) =>
          gcos.inbox.list({ recipient, limit, ...given({ all, after }) }),
        );
        const next = nextOf(found, limit, (each) => String(each.id));
        context.out.result({ notifications: found, next }, () => inboxLines(found, next));
        return undefined;
      }),
    );
}

/** The ids of notifications, one after the other. */
const idsOf = (text: string, before: readonly bigint[] = []): bigint[] => [
  ...before,
  idOf('notification')(text),
];

function read(): Command {
  return forRecipient(
    'read',
    'mark notifications as read; recorded as the person the database login is mapped to',
  )
    .argument('[ids...]', 'the notifications, by their id', idsOf)
    .option('--all', 'everything unread')
    .action((ids: bigint[], flags: RecipientFlags & { all?: boolean }) =>
      runCommand(flags, async (context) => {
        if ((ids.length === 0) === (flags.all !== true))
          throw cliErrors.usage_invalid('name the notifications, or give `--all`');
        const { recipient } = flags;
        const marked = await withGcos(context, (gcos) =>
          gcos.inbox.read({ recipient, ...(flags.all === true ? {} : { ids }) }),
        );
        context.out.result({ recipient, marked }, () => [`${formatCount(marked)} marked as read`]);
        return undefined;
      }),
    );
}

function parseFilter(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below, like any text that is not an object.
  }
  throw cliErrors.usage_invalid(`--filter: \`${text}\` is not a JSON object`);
}

function subscribe(): Command {
  return forRecipient(
    'subscribe',
    'subscribe a recipient to signals; without a type or stream, to all of them',
  )
    .option('--type <type>', 'only signals of this type')
    .option(
      '--any',
      'allow a type that is not registered, and a recipient that is neither a person nor a body',
    )
    .option('--stream <name>', 'only signals of this stream, for example governance.coverage')
    .option('--table <name>', 'only signals about rows of this table')
    .option('--filter <json>', 'only signals whose payload contains this object', parseFilter)
    .action((flags: SubscribeFlags) =>
      runCommand(flags, async (context) => {
        const { recipient, type, any, stream, table: subjectTable, filter } = flags;
        const done = await withGcos(context, (gcos) =>
          gcos.inbox.subscribe({ recipient, ...given({ type, any, stream, subjectTable, filter }) }),
        );
        context.out.result({ recipient, ...done }, () => [
          `${done.created ? 'subscribed' : 'was subscribed already'}: ${done.subscription}`,
        ]);
        return undefined;
      }),
    );
}

function subscriptions(): Command {
  return makeCommand('subscriptions', 'list the subscriptions made through gcos')
    .option('--recipient <name>', 'only those of one recipient')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <id>', 'continue after this one', nameOf('--after'))
    .action((flags: CommonFlags & { recipient?: string; limit: number; after?: string }) =>
      runCommand(flags, async (context) => {
        const { recipient, limit, after } = flags;
        const found = await withGcos(context, (gcos) =>
          gcos.inbox.subscriptions({ limit, ...given({ recipient, after }) }),
        );
        const next = nextOf(found, limit, (each) => each.id);
        context.out.result({ subscriptions: found, next }, () => [
          ...tableLines(
            ['id', 'recipient', 'type', 'stream', 'table', 'muted', 'filter'],
            found.map((each) => [
              each.id,
              each.recipientRef,
              each.eventType ?? 'any',
              each.eventStream ?? 'any',
              each.subjectTable ?? 'any',
              each.mute ? 'yes' : 'no',
              each.filter,
            ]),
          ),
          ...moreLines(next),
        ]);
        return undefined;
      }),
    );
}

/** A command that changes subscriptions of one recipient. */
function changing(
  command: Command,
  change: (gcos: Gcos, choice: SubscriptionChoice, flags: { unmute?: true }) => Promise<number>,
  word: (flags: { unmute?: true }) => string,
): Command {
  return command
    .option('--subscription <id>', 'only this subscription')
    .option('--type <type>', 'only subscriptions to this type')
    .option('--stream <name>', 'only subscriptions to this stream')
    .action((flags: ChoiceFlags & { unmute?: true }) =>
      runCommand(flags, async (context) => {
        const { recipient, subscription, type, stream } = flags;
        const choice = { recipient, ...given({ subscription, type, stream }) };
        const changed = await withGcos(context, (gcos) => change(gcos, choice, flags));
        context.out.result({ recipient, changed }, () => [
          `${formatCount(changed)} ${changed === 1 ? 'subscription' : 'subscriptions'} ${word(flags)}`,
        ]);
        return undefined;
      }),
    );
}

export function inboxCommand(): Command {
  const group = new Command('inbox').description(
    'notifications: subscriptions to signals, and what was read',
  );
  const commands = [
    list(),
    read(),
    subscribe(),
    subscriptions(),
    changing(
      forRecipient('unsubscribe', 'end subscriptions of a recipient'),
      (gcos, choice) => gcos.inbox.unsubscribe(choice),
      () => 'ended',
    ),
    changing(
      forRecipient('mute', 'silence notifications of a recipient; findings stay open').option(
        '--unmute',
        'unmute them',
      ),
      (gcos, choice, flags) => (flags.unmute ? gcos.inbox.unmute(choice) : gcos.inbox.mute(choice)),
      (flags) => (flags.unmute ? 'unmuted' : 'muted'),
    ),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
