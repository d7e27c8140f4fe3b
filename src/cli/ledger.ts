// `gcos ledger`: accounts for every object; shows the last closed ledger and counts it again.
import { Command } from 'commander';
import type {
  Caveat,
  Ledger,
  OwnerLedger,
  ScopeChanges,
  ScopeLedger,
  ScopeTerms,
  ShownLedger,
} from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { exportCommand } from './ledger-export.js';
import { formatCount, type Output, TITLE, tableLines } from './output.js';
import { given } from './page.js';

/** How many groups are listed per scope; --json lists more. */
const SHOWN = 20;

interface ScopeFlags extends CommonFlags {
  readonly scope?: string;
}

interface ShowFlags extends ScopeFlags {
  readonly owner?: string;
}

const countText = (n: number, what: string): string => `${formatCount(n)} ${what}${n === 1 ? '' : 's'}`;

/** Rounded down, so that 100 % means all. */
function shareText(share: number | null): string {
  if (share === null) return 'nothing';
  return share === 1 ? '100 %' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

function groupText(group: ScopeLedger['differences'][number]['group']): string {
  const { sourceRegistry, objectClass, axisFamily, lifecycleStatus } = group;
  return [sourceRegistry, objectClass, axisFamily ?? 'no axis', lifecycleStatus ?? 'no status'].join(' / ');
}

/** Sorted by frequency. */
const causeText = (causes: Readonly<Record<string, number>>): string =>
  Object.entries(causes)
    .sort(([, left], [, right]) => right - left)
    .map(([cause, units]) => `${formatCount(units)} ${cause.replaceAll('_', ' ')}`)
    .join(', ');

function openLines(scope: ScopeLedger, out: Output): string[] {
  if (scope.closes) return [];
  const more = scope.differing - Math.min(scope.differences.length, SHOWN);
  return [
    out.tone('bad', `${scope.scope} does not close`),
    ...scope.differences
      .slice(0, SHOWN)
      .map(
        ({ group, left, right, differs }) =>
          `  ${group.inventoryKey}  ${groupText(group)}: ${
            differs === 'count'
              ? `there are ${formatCount(left)}, accounted for ${formatCount(right)}`
              : `${formatCount(left)} on both sides, but not the same objects`
          }`,
      ),
    ...(more > 0 ? [`  and ${countText(more, 'more group')}`] : []),
    ...scope.gone
      .slice(0, SHOWN)
      .map(({ group, collection, rows }) =>
        group === null
          ? `  ${collection}: ${countText(rows, 'deleted row')} of objects since the previous ledger`
          : `  ${group.inventoryKey}  ${groupText(group)}: its row was deleted since the previous ledger`,
      ),
    ...(scope.duplicates === 0 ? [] : [`  ${countText(scope.duplicates, 'row')} too many for one place`]),
  ];
}

const HEAD = [
  'scope',
  'total',
  'covered',
  'orphans',
  'exceptions',
  'retired',
  'unverified',
  'deferred',
  'class 0',
  '| not relevant',
  'verified',
  '',
];

/** One row of cells per scope. */
const termCells = (each: ScopeTerms): string[] => [
  each.scope,
  ...[
    each.total,
    each.covered,
    each.orphans,
    each.exceptions,
    each.retired,
    each.unverified,
    each.deferredBirth,
    each.class_0,
  ].map(formatCount),
  `| ${formatCount(each.notRelevant)}`,
  shareText(each.verifiedShare),
];

const noteLines = (scopes: readonly ScopeTerms[]): string[] =>
  scopes.flatMap((each) => [
    ...(each.unverified === 0 ? [] : [`  ${each.scope}: unverified are ${causeText(each.unverifiedBy)}`]),
    ...(each.deferredBirth === 0 ? [] : [`  ${each.scope}: deferred are ${causeText(each.deferredBy)}`]),
    ...(each.tombstones === 0
      ? []
      : [`  ${each.scope}: of the retired, ${formatCount(each.tombstones)} are tombstones (source gone)`]),
  ]);

export const caveatLines = (caveats: readonly Caveat[], out: Output): string[] =>
  caveats.map(({ objectClass, collection, caveat, units }) => {
    const place = [
      ...(objectClass === null ? [] : [`class ${objectClass}`]),
      ...(collection === null ? [] : [`collection ${collection}`]),
    ].join(', ');
    return out.tone('warn', `caveat, ${countText(units, 'unit')} of ${place}: ${caveat}`);
  });

/** A ledger as a table, one line per scope, followed by the differences and the caveats. */
export function ledgerLines(ledger: Pick<Ledger, 'scopes' | 'caveats'>, out: Output): string[] {
  const { scopes, caveats } = ledger;
  const paint = (line: string, row: number) =>
    row === TITLE ? out.tone('bold', line) : scopes[row]?.closes ? line : out.tone('bad', line);
  const cells = scopes.map((each) => [...termCells(each), each.closes ? 'closes' : 'DOES NOT CLOSE']);
  return [
    ...tableLines(HEAD, cells, paint),
    ...noteLines(scopes),
    ...scopes.flatMap((each) => openLines(each, out)),
    ...caveatLines(caveats, out),
  ];
}

/** The units of one owner in their current state. */
function ownerLines(owned: OwnerLedger, at: string, out: Output): string[] {
  if (owned.scopes.length === 0) return [`${owned.owner} owns no unit at ${at}`];
  return [
    `the units ${owned.owner} owns at ${at}; ${shareText(owned.verifiedShare)} verified`,
    ...tableLines(HEAD.slice(0, -1), owned.scopes.map(termCells), (line, row) =>
      row === TITLE ? out.tone('bold', line) : line,
    ),
    ...noteLines(owned.scopes),
  ];
}

function changeLines(since: readonly ScopeChanges[], out: Output): string[] {
  if (since.length === 0) return ['since then: no known changes'];
  return [
    out.tone('warn', 'since then'),
    ...since.flatMap((each) => [
      ...(Object.keys(each.noLongerValid).length === 0
        ? []
        : [`  ${each.scope}: no longer valid: ${causeText(each.noLongerValid)}`]),
      ...(each.groupsWithoutRow === 0
        ? []
        : [`  ${each.scope}: ${countText(each.groupsWithoutRow, 'group')} not evaluated yet`]),
    ]),
  ];
}

function shownLines(shown: ShownLedger, out: Output): string[] {
  const open =
    shown.notClosedSince === null
      ? []
      : [
          out.tone(
            'bad',
            `run ${shown.notClosedSince.runId} counted at ${shown.notClosedSince.at} and did not close: \`gcos finding list --type governance_schema_drift\` names the groups, \`gcos backfill run\` counts again`,
          ),
        ];
  if (!shown.closed)
    return [
      out.tone('warn', 'no ledger has been closed yet: nothing is accounted for'),
      ...(open.length === 0 ? ['`gcos backfill run` closes the first'] : open),
    ];
  const under =
    shown.rulesetVersion === shown.activeRuleset
      ? `${shown.rulesetVersion}`
      : `${shown.rulesetVersion}; active now is ${shown.activeRuleset ?? 'none'}`;
  return [
    `as of ${shown.closedAt}, ${shown.kind} ${shown.runId}, snapshot ${shown.snapshot ?? 'none'}, ruleset ${under}`,
    ...ledgerLines(shown, out),
    `${shareText(shown.verifiedShare)} of ${formatCount(shown.scopes.reduce((sum, each) => sum + each.total, 0))} verified, over ${countText(shown.scopes.length, 'scope')}`,
    '',
    ...open,
    ...changeLines(shown.since, out),
  ];
}

function show(): Command {
  return makeCommand(
    'show',
    'show the last closed ledger and the changes since; exit 2 if there is none, or a later run did not close',
  )
    .option('--scope <scope>', 'only this scope')
    .option('--owner <code>', 'the current units of this owner')
    .action((flags: ShowFlags) =>
      runCommand(flags, async (context) => {
        const { scope, owner } = flags;
        const shown = await withGcos(context, (gcos) => gcos.ledgers.show(given({ scope, owner })));
        context.out.result(shown, () =>
          shown.owned === null
            ? shownLines(shown, context.out)
            : ownerLines(shown.owned, shown.at, context.out),
        );
        if (shown.owned !== null) return undefined;
        return shown.closed && shown.closes && shown.notClosedSince === null ? undefined : 2;
      }),
    );
}

function verify(): Command {
  return makeCommand('verify', 'count both sides again; if they differ, list the groups and exit 2')
    .option('--scope <scope>', 'only this scope')
    .action((flags: ScopeFlags) =>
      runCommand(flags, async (context) => {
        const found = await withGcos(context, (gcos) => gcos.ledgers.verify(given({ scope: flags.scope })));
        context.out.result(found, () => [
          `counted at ${found.at}: ${
            found.closes
              ? context.out.tone('good', 'every scope closes')
              : context.out.tone(
                  'bad',
                  found.scopes.length === 0
                    ? 'no responsibility scope is active, so there is nothing to add up'
                    : 'it does not close',
                )
          }`,
          ...(found.scopes.length === 0 ? [] : ledgerLines(found, context.out)),
        ]);
        return found.closes ? undefined : 2;
      }),
    );
}

export function ledgerCommand(): Command {
  const group = new Command('ledger').description('accounts for every object, per scope');
  for (const command of [show(), verify(), exportCommand()]) group.addCommand(command);
  return group;
}
