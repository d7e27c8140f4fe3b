// `gcos input`: objects and collections that the input gate has not accepted, and decisions about them.
import { Command } from 'commander';
import type { InputFilter, InputPage, TrustDecision, TrustLine } from '../index.js';
import { showPerson } from '../record/approval/index.js';
import { INPUT_STATES } from '../verdict/input/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { formatCount, type Output, TITLE, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, parseLimit } from './page.js';
import { choice, words } from './parse.js';

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
  code.length > LONGEST_CODE ? `${code.slice(0, LONGEST_CODE)}…` : code;

const UNSETTLED = 'waits for the next evaluation';

function listLines({ inputs, counts, next }: InputPage, out: Output): string[] {
  const summary = Object.entries(counts)
    .filter(([, count]) => count > 0n)
    .map(([state, count]) => `${state} ${formatCount(count)}`);
  if (inputs.length === 0)
    return [
      'the input gate has accepted everything here',
      ...(summary.length > 0 ? [summary.join(', ')] : []),
    ];
  const cells = inputs.map((input) => [
    input.state,
    input.collection,
    input.code === null ? '(whole collection)' : shortCode(input.code),
    input.cause,
    input.scopes === null ? 'all scopes' : input.scopes.join(', '),
    [
      ...(input.quarantine === null
        ? []
        : [
            `quarantined by ${input.quarantine.by}${input.quarantine.reason === null ? '' : `: ${input.quarantine.reason}`}`,
          ]),
      ...(input.pending ? [UNSETTLED] : []),
    ].join('; '),
  ]);
  const head = ['state', 'collection', 'code', 'cause', 'where', 'remark'];
  return [
    summary.join(', '),
    ...tableLines(head, cells, (line, row) => (row === TITLE ? out.tone('bold', line) : line)),
    ...moreLines(next),
  ];
}

function list(): Command {
  return makeCommand('list', 'list objects and collections that the input gate has not accepted')
    .addOption(choice('--state <name>', 'only in this state', INPUT_STATES))
    .option('--collection <name>', 'only of this collection')
    .option('--code <code>', 'only objects with this code')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <key>', 'continue after this key')
    .action((flags: ListFlags) =>
      runCommand(flags, async (context) => {
        const { state, collection, code, limit, after } = flags;
        const filter = given({ state, collection, code, limit, after });
        const page = await withGcos(context, (gcos) => gcos.inputs.list(filter));
        context.out.result(page, () => listLines(page, context.out));
        return undefined;
      }),
    );
}

const withActFlags = (command: Command): Command =>
  command
    .option('--reason <text>', 'why; shown to users who read the decision', words('--reason'))
    .option('--as <person>', 'act for this person; requires a login with that right')
    .option('--dry-run', 'run everything, show the result, and roll back');

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
        `${formatCount(result.changed)} of ${formatCount(keys.length)} ${done} by ${showPerson(result.person, result.identityLevel)}${dryRun ? '; rolled back' : ''}`,
        ...(dryRun || result.changed === 0 ? [] : ['the next evaluation updates the verdict']),
      ]);
      return undefined;
    }),
  );
}

function trustLines(lines: readonly TrustLine[]): string[] {
  if (lines.length === 0) return ['no decision about such a source: the risk of the class decides'];
  return tableLines(
    ['source', 'kind', 'scope', 'level', 'by', 'remark'],
    lines.map((line) => [
      line.source,
      line.kind,
      line.scope ?? 'every',
      line.level,
      showPerson(line.setBy, line.identityLevel),
      [line.reason ?? '', ...(line.pending ? [UNSETTLED] : [])].filter((text) => text !== '').join('; '),
    ]),
  );
}

function trust(): Command {
  return withActFlags(
    makeCommand('trust', 'set the trust level of a source, or show the levels if none is given')
      .argument('[source]', 'the dot_origin of births; with --collection a collection')
      .addOption(
        choice('--level <level>', '`default`: removes the decision', [
          'trusted',
          'monitored',
          'denied',
          'default',
        ]),
      )
      .option(
        '--collection',
        'the source is a collection: applies to births without an origin; `denied` applies to all births',
      )
      .option('--scope <code>', 'only in this responsibility scope'),
  ).action((source: string | undefined, flags: TrustFlags) =>
    runCommand(flags, async (context) => {
      const { level, scope, as, reason, dryRun } = flags;
      if (source === undefined && level !== undefined)
        throw cliErrors.usage_invalid(`--level ${level}: the source is missing`);
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
          ? `${decision.kind} ${source} is already ${level}`
          : `${decision.kind} ${source} is ${level} in ${scope ?? 'every scope'} (before: ${result.before ?? 'no decision'}), by ${showPerson(result.person, result.identityLevel)}${dryRun ? '; rolled back' : ''}`,
        ...(dryRun || result.changed === 0 ? [] : ['the next evaluation updates the verdicts']),
      ]);
      return undefined;
    }),
  );
}

export function inputCommand(): Command {
  const group = new Command('input').description(
    'objects the input gate has not accepted, and trust in sources',
  );
  for (const command of [
    list(),
    act('quarantine', 'quarantine objects until they are released', 'quarantined'),
    act('release', 'release objects from quarantine', 'released'),
    trust(),
  ])
    group.addCommand(command);
  return group;
}
