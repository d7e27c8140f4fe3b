// `gcos input`: what the input gate has not accepted, and what people decide about it.
import { Command, Option } from 'commander';
import type { InputFilter, InputPage, InputState, TrustDecision, TrustLine } from '../index.js';
import { showPerson } from '../record/approval/index.js';
import { INPUT_STATES } from '../verdict/input/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { alignColumns, formatCount, type Output } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, parseLimit, printable } from './page.js';

interface ListFlags extends CommonFlags, InputFilter {}

interface ActFlags extends CommonFlags {
  readonly as?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

interface TrustFlags extends ActFlags {
  readonly collection?: boolean;
  readonly scope?: string;
  readonly level?: TrustDecision['level'];
}

const LONGEST_CODE = 60;
const shortCode = (code: string): string =>
  printable(code.length > LONGEST_CODE ? `${code.slice(0, LONGEST_CODE)}…` : code);

const UNSETTLED = 'waits for the next evaluation';

function listLines({ inputs, counts, next }: InputPage, out: Output): string[] {
  const summary = Object.entries(counts)
    .filter(([, count]) => count > 0n)
    .map(([state, count]) => `${state} ${formatCount(count)}`);
  if (inputs.length === 0)
    return [
      'nothing here is held back by the input gate',
      ...(summary.length > 0 ? [summary.join(', ')] : []),
    ];
  const cells = inputs.map((input) => [
    input.state,
    printable(input.collection),
    input.code === null ? '(all of it)' : shortCode(input.code),
    printable(input.cause),
    input.scopes === null ? 'all scopes' : input.scopes.join(', '),
    [
      ...(input.quarantine === null
        ? []
        : [
            `set aside by ${input.quarantine.by}${input.quarantine.reason === null ? '' : `: ${input.quarantine.reason}`}`,
          ]),
      ...(input.pending ? [UNSETTLED] : []),
    ].join('; '),
  ]);
  const [title = '', ...lines] = alignColumns([
    ['state', 'collection', 'code', 'cause', 'where', 'remark'],
    ...cells,
  ]);
  return [summary.join(', '), out.tone('bold', title), ...lines.map(printable), ...moreLines(next)];
}

function list(): Command {
  return makeCommand('list', 'list objects and collections that the input gate has not accepted')
    .addOption(new Option('--state <name>', 'only in this state').choices(INPUT_STATES))
    .option('--collection <name>', 'only of this collection')
    .option('--code <code>', 'only objects with this code')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <key>', 'go on after this one')
    .action((flags: ListFlags) =>
      runCommand(flags, async (context) => {
        const { state, collection, code, limit, after } = flags;
        const filter = given({ state: state as InputState | undefined, collection, code, limit, after });
        const page = await withGcos(context, (gcos) => gcos.inputs.list(filter));
        context.out.result(page, () => listLines(page, context.out));
        return undefined;
      }),
    );
}

const withActFlags = (command: Command): Command =>
  command
    .option('--reason <text>', 'why, for whoever meets it')
    .option('--as <person>', 'act for this person; only for a login that may')
    .option('--dry-run', 'do everything, show the result, and roll it back');

function act(name: 'quarantine' | 'release', summary: string, done: string): Command {
  return withActFlags(
    makeCommand(name, summary)
      .argument('<collection>', 'the collection of the objects')
      .argument('<code...>', 'their codes'),
  ).action((collection: string, codes: string[], flags: ActFlags) =>
    runCommand(flags, async (context) => {
      const { as, reason, dryRun } = flags;
      const keys = codes.map((code) => ({ collection, code }));
      const result = await withGcos(context, (gcos) =>
        gcos.inputs[name](keys, given({ as, reason, dryRun })),
      );
      context.out.result({ ...result, dry_run: dryRun === true }, () => [
        `${formatCount(result.changed)} of ${formatCount(keys.length)} ${done} by ${showPerson(result.person, result.verified)}${dryRun ? '; rolled back' : ''}`,
        ...(dryRun || result.changed === 0 ? [] : ['the verdict follows with the next evaluation']),
      ]);
      return undefined;
    }),
  );
}

function trustLines(lines: readonly TrustLine[]): string[] {
  if (lines.length === 0) return ['nobody has decided about such a source: the risk of the class decides'];
  return alignColumns([
    ['source', 'kind', 'scope', 'level', 'by', 'remark'],
    ...lines.map((line) => [
      printable(line.source),
      line.kind,
      line.scope ?? 'every',
      line.level,
      showPerson(line.setBy, line.verified),
      [line.reason ?? '', ...(line.pending ? [UNSETTLED] : [])].filter((text) => text !== '').join('; '),
    ]),
  ]).map(printable);
}

function trust(): Command {
  return withActFlags(
    makeCommand('trust', 'say how far a source is trusted, or with no level show who is trusted')
      .argument('[source]', 'the dot_origin of births; with --collection a collection')
      .addOption(
        new Option('--level <level>', '`default`: as if nobody had decided').choices([
          'trusted',
          'monitored',
          'denied',
          'default',
        ]),
      )
      .option(
        '--collection',
        'the source is a collection: its births that name no origin, and all of them where it is denied',
      )
      .option('--scope <code>', 'only in this responsibility scope'),
  ).action((source: string | undefined, flags: TrustFlags) =>
    runCommand(flags, async (context) => {
      const { level, scope, as, reason, dryRun } = flags;
      if (source === undefined && level !== undefined)
        throw cliErrors.usage_invalid(`--level ${level}: of which source is missing`);
      if (source === undefined || level === undefined) {
        const lines = await withGcos(context, (gcos) => gcos.inputs.trustList(given({ source })));
        context.out.result({ sources: lines }, () => trustLines(lines));
        return undefined;
      }
      const decision = {
        kind: flags.collection ? 'collection' : 'origin',
        source,
        level,
        ...given({ scope }),
      } as const;
      const result = await withGcos(context, (gcos) =>
        gcos.inputs.trust(decision, given({ as, reason, dryRun })),
      );
      context.out.result({ ...decision, ...result, dry_run: dryRun === true }, () => [
        result.changed === 0
          ? `${decision.kind} ${printable(source)} was ${level} already`
          : `${decision.kind} ${printable(source)} is ${level} in ${scope ?? 'every scope'} (before: ${result.before ?? 'nobody had decided'}), by ${showPerson(result.person, result.verified)}${dryRun ? '; rolled back' : ''}`,
        ...(dryRun || result.changed === 0 ? [] : ['the verdicts follow with the next evaluation']),
      ]);
      return undefined;
    }),
  );
}

export function inputCommand(): Command {
  const group = new Command('input').description('what the input gate has not accepted, and who is trusted');
  for (const command of [
    list(),
    act('quarantine', 'set objects aside until somebody releases them', 'set aside'),
    act('release', 'let objects out of quarantine', 'released'),
    trust(),
  ])
    group.addCommand(command);
  return group;
}
