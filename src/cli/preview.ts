// `gcos preview`: what a backfill would do, without writing anything.
import type { Command } from 'commander';
import type { BackfillPreview, PreviewProgress } from '../index.js';
import { formatDuration } from '../kernel/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { caveatLines } from './ledger.js';
import { alignColumns, formatCount, type Output, TITLE, tableLines } from './output.js';

/** How many gaps are shown; --json has all. */
const SHOWN = 12;

const STEPS: Readonly<Record<PreviewProgress['step'], string>> = {
  inventory: 'reading all births',
  verdicts: 'judging groups and objects',
  coverage: 'looking for owners and other links',
  gaps: 'counting gaps',
};

const HEAD = [
  'scope',
  'units',
  'relevant',
  '= covered',
  '+ orphans',
  '+ exceptions',
  '+ not evaluated',
  '| not relevant',
  'class 0',
  'deferred',
  'retired',
  'needs input',
  'unknown',
];

function costLines({ cost, first }: BackfillPreview): string[] {
  return alignColumns([
    [
      'births',
      `${formatCount(cost.births)} in ${formatCount(cost.inventoryGroups)} inventory groups, about ${formatCount(cost.estimatedBatches)} batches`,
    ],
    [
      'rows',
      `${formatCount(cost.groupRows)} of groups, ${formatCount(cost.objectRows)} of objects${first ? '' : '; only those that differ would be written'}`,
    ],
    [
      'duration',
      `about ${formatDuration(cost.estimatedMs)}, an estimate: reading all births took ${formatDuration(cost.readMs)} in this run, and a backfill takes about 12 times that; more on a busy host, with --rate, or outside of the window`,
    ],
  ]);
}

function gapLines({ gaps }: BackfillPreview): string[] {
  if (gaps.length === 0) return ['no gap was found'];
  const rest = gaps.length - SHOWN;
  return [
    ...alignColumns(
      gaps
        .slice(0, SHOWN)
        .map((gap) => [
          `  ${formatCount(gap.count)} ${gap.count === 1n ? gap.of.slice(0, -1) : gap.of}`,
          gap.kind.replaceAll('_', ' '),
          gap.what,
        ]),
    ),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more: --json lists them`] : []),
  ];
}

function previewLines(preview: BackfillPreview, out: Output): string[] {
  const scopes = tableLines(
    HEAD,
    preview.scopes.map((each) => [
      each.scope,
      ...[each.units, each.relevant, each.covered, each.orphans, each.exceptions, each.notEvaluated].map(
        formatCount,
      ),
      `| ${formatCount(each.notRelevant)}`,
      ...[each.class_0, each.deferredBirth, each.retired, each.needsInput, each.unknown].map(formatCount),
    ]),
    (line, row) => (row === TITLE ? out.tone('bold', line) : line),
  );
  return [
    `what a backfill would do as of ${preview.at}; nothing was written`,
    preview.inForce
      ? `under ruleset ${preview.rulesetVersion}, in force`
      : out.tone(
          'warn',
          `under ${preview.rulesetVersion}, a draft: until a ruleset is in force, nothing counts as verified`,
        ),
    '',
    out.tone('bold', 'Cost'),
    ...costLines(preview),
    '',
    out.tone('bold', 'Provisional ledger: verdicts of a backfill, coverage of the scan after it'),
    ...(preview.scopes.length === 0 ? ['no responsibility scope is active'] : scopes),
    ...caveatLines(preview.caveats, out),
    '',
    out.tone('bold', 'Largest gaps'),
    ...gapLines(preview),
  ];
}

export function previewCommand(): Command {
  return makeCommand(
    'preview',
    'show what a backfill would do: cost, verdicts, largest gaps; reads only, writes nothing',
  ).action((flags: CommonFlags) =>
    runCommand(flags, (context) =>
      withGcos(context, async (gcos) => {
        const progress = context.out.progress('preview');
        const preview = await gcos.backfills.preview({
          onProgress: ({ step, done, total }) => progress.update(done, total, STEPS[step]),
        });
        progress.finish(
          `${formatCount(preview.cost.births)} births read, ${formatCount(preview.gaps.length)} gaps found`,
        );
        context.out.result(preview, () => previewLines(preview, context.out));
        return undefined;
      }),
    ),
  );
}
