// `gcos event`: signal types, held signals, and their promotion.
import { Command } from 'commander';
import type { HeldSignal, Promotion } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { followCommand } from './event-follow.js';
import { formatCount, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, nextOf, parseLimit } from './page.js';
import { nameOf, oneOf, position, words } from './parse.js';

const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
type Severity = (typeof SEVERITIES)[number];

interface TypesFlags extends CommonFlags {
  readonly stream?: string;
  readonly limit: number;
  readonly after?: string;
}

interface HeldFlags extends CommonFlags {
  readonly type?: string;
  readonly deadLettered?: true;
  readonly limit: number;
  readonly after?: bigint;
}

function types(): Command {
  return makeCommand('types', 'list the signal types of the governance domain')
    .option('--stream <name>', 'only those of one stream, for example governance.coverage')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <type>', 'continue after this type', nameOf('--after'))
    .action((flags: TypesFlags) =>
      runCommand(flags, async (context) => {
        const { stream, after, limit } = flags;
        const found = await withGcos(context, (gcos) =>
          gcos.events.types({ limit, ...given({ stream, after }) }),
        );
        const next = nextOf(found, limit, (each) => each.eventType);
        context.out.result({ types: found, next }, () => [
          ...tableLines(
            ['type', 'stream', 'severity', 'active', 'what'],
            found.map((each) => [
              each.eventType,
              each.stream,
              each.severity ?? '-',
              each.active ? 'yes' : 'no',
              each.description,
            ]),
          ),
          ...moreLines(next),
        ]);
        return undefined;
      }),
    );
}

function register(): Command {
  return makeCommand('register', 'register a signal type of your own, inactive')
    .argument('<type>', 'lower-case words joined by dots, for example coverage.licence_gap')
    .requiredOption('--stream <name>', 'one of the six streams, for example governance.coverage')
    .requiredOption('--severity <level>', 'critical, high, medium or low', oneOf('--severity', SEVERITIES))
    .requiredOption('--description <text>', 'what the signal says, in one line', words('--description'))
    .action(
      (type: string, flags: CommonFlags & { stream: string; severity: Severity; description: string }) =>
        runCommand(flags, async (context) => {
          const { stream, severity, description } = flags;
          const registered = await withGcos(context, (gcos) =>
            gcos.events.register({ type, stream, severity, description }),
          );
          context.out.result({ type, registered }, () => [
            registered
              ? `registered \`${type}\`, inactive; \`gcos event activate ${type}\` sends its signals`
              : `\`${type}\` is already registered and was not changed`,
          ]);
          return undefined;
        }),
    );
}

function switching(verb: 'activate' | 'deactivate', summary: string): Command {
  return makeCommand(verb, summary)
    .argument('[types...]', 'type names or patterns such as handoff.*')
    .option('--all', 'every type registered through gcos')
    .option('--dry-run', 'show the changes without applying them')
    .action((names: string[], flags: CommonFlags & { all?: boolean; dryRun?: boolean }) =>
      runCommand(flags, async (context) => {
        if ((names.length === 0) === (flags.all !== true))
          throw cliErrors.usage_invalid('name the types, or give `--all`');
        const dryRun = flags.dryRun === true;
        const changed = await withGcos(context, (gcos) =>
          gcos.events[verb](flags.all === true ? ['*'] : names, { dryRun }),
        );
        const word = `${dryRun ? 'would be ' : ''}${verb}d`;
        context.out.result({ changed, dryRun }, () => [
          ...changed,
          `${formatCount(changed.length)} ${changed.length === 1 ? 'type' : 'types'} ${word}`,
        ]);
        return undefined;
      }),
    );
}

function heldLines(found: readonly HeldSignal[], next: string | null): string[] {
  if (found.length === 0) return ['no held signals'];
  const rows = found.map((each) => [
    String(each.orderNo),
    each.eventType,
    [each.subjectTable, each.subjectRef].filter((part) => part !== '').join(':'),
    each.heldAt,
    String(each.errorCount),
    `${each.deadLettered ? 'dead-lettered' : 'waiting'}${each.lastError === null ? '' : `: ${each.lastError}`}`,
  ]);
  return [...tableLines(['no', 'type', 'subject', 'since', 'errors', 'state'], rows), ...moreLines(next)];
}

function held(): Command {
  return makeCommand('held', 'list held signals in order')
    .option('--type <type>', 'only those of one type')
    .option('--dead-lettered', 'only dead letters, which the host refused too often')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <no>', 'continue after this number', position('--after'))
    .action((flags: HeldFlags) =>
      runCommand(flags, async (context) => {
        const { limit, type, deadLettered, after } = flags;
        const found = await withGcos(context, (gcos) =>
          gcos.events.held({ limit, ...given({ type, deadLettered, after }) }),
        );
        const next = nextOf(found, limit, (each) => String(each.orderNo));
        context.out.result({ held: found, next }, () => heldLines(found, next));
        return undefined;
      }),
    );
}

function promotionLines(result: Promotion): string[] {
  const refused = result.failed === 0 ? '' : `, ${formatCount(result.failed)} refused by the host`;
  const dead = result.deadLettered === 0 ? '' : `, ${formatCount(result.deadLettered)} dead-lettered`;
  return [
    `${formatCount(result.promoted)} promoted${refused}${dead}; ${formatCount(result.remaining)} still wait`,
    ...(result.undelivered === 0
      ? []
      : [
          `${formatCount(result.undelivered)} were sent, but their subscribers could not be notified: ${result.deliveryError ?? ''}`,
        ]),
    ...result.heldTypes.map(
      (each) =>
        `  ${each.type}: ${formatCount(each.count)}, ${!each.registered ? 'not registered' : each.active ? 'active' : 'registered, not active'}`,
    ),
  ];
}

function promote(): Command {
  return makeCommand('promote', 'send held signals whose type has become active').action(
    (flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const result = await withGcos(context, (gcos) => gcos.promoteSignals());
        context.out.result(result, () => promotionLines(result));
        return undefined;
      }),
  );
}

export function eventCommand(): Command {
  const group = new Command('event').description('signal types and held signals');
  const commands = [
    types(),
    register(),
    switching('activate', 'send signals of these types; audited'),
    switching('deactivate', 'hold signals of these types from now on; audited'),
    held(),
    promote(),
    followCommand(),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
