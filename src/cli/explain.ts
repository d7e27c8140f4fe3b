// `gcos explain`: the verdict of one object or group, its reasons and history, and what would change it.
import type { Command } from 'commander';
import type { Explanation, ScopeExplanation } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { alignColumns, type Output } from './output.js';
import { given } from './page.js';

interface ExplainFlags extends CommonFlags {
  readonly group?: string;
  readonly scope?: string;
}

/** How many changes of a verdict are shown; --json has more. */
const SHOWN = 10;

const dataText = (data: unknown): string => JSON.stringify(data);

function lineLines(scope: ScopeExplanation, out: Output): string[] {
  if (scope.lines.length === 0) return [];
  const rows = alignColumns(
    scope.lines.map((line) => [
      `    ${line.decides ? '→' : ' '} ${line.line}`,
      line.applies ? 'applies' : 'no',
      line.verdict,
      `${line.when}: ${dataText(line.data)}`,
    ]),
  );
  const drifted =
    scope.known && scope.wouldBe !== scope.verdict
      ? [
          out.tone(
            'warn',
            `    the current inputs would give ${scope.wouldBe}; the verdict was decided on line ${scope.verdictLine}: ${dataText(scope.evidence)}`,
          ),
        ]
      : [];
  return ['  the lines of precedence with their current inputs', ...rows, ...drifted];
}

function historyLines(scope: ScopeExplanation): string[] {
  if (scope.history.length === 0) return [];
  const text = (verdict: string | null, outcome: string | null) =>
    [verdict ?? 'nothing', outcome].filter((part) => part !== null).join(', ');
  const rest = scope.history.length - SHOWN;
  return [
    '  history, newest first',
    ...alignColumns(
      scope.history
        .slice(0, SHOWN)
        .map((each) => [
          `    ${each.recordedAt}`,
          `${text(each.verdictBefore, each.outcomeBefore)} → ${text(each.verdictAfter, each.outcomeAfter)}`,
          `line ${each.verdictLine}, ${each.cause}, ruleset ${each.rulesetVersion}, snapshot ${each.sourceSnapshotRef}`,
        ]),
    ),
    ...(rest > 0 ? [`    and ${rest} earlier`] : []),
  ];
}

function linkLines(scope: ScopeExplanation, out: Output): string[] {
  const objects = Object.entries(scope.objects ?? {}).map(
    ([outcome, count]) => `${count} ${outcome.replaceAll('_', ' ')}`,
  );
  const exceptions = scope.exceptions.map((each) =>
    out.tone(each.status === 'in_force' ? 'good' : 'warn', `    ${each.sentence}`),
  );
  if (scope.links.length === 0 && objects.length === 0) return exceptions;
  return [
    `  required links in this scope, evaluated by ${scope.coverageRun ?? 'no run'}`,
    ...scope.links.map((each) =>
      out.tone(each.state === 'resolved' ? 'good' : 'warn', `    ${each.sentence}`),
    ),
    ...exceptions,
    ...(objects.length === 0 ? [] : [`    its objects, one by one: ${objects.join(', ')}`]),
  ];
}

function findingLines({ finding, inputFinding }: ScopeExplanation, out: Output): string[] {
  const line = (about: string, found: ScopeExplanation['finding']) =>
    found === null
      ? []
      : [
          out.tone(
            'warn',
            `  ${about}: ${found.code}, ${found.type} (${found.status ?? 'no status'}); see gcos finding show ${found.code}`,
          ),
        ];
  return [...line('finding', finding), ...line('finding about its input', inputFinding)];
}

function scopeLines(scope: ScopeExplanation, out: Output): string[] {
  const tone = scope.valid
    ? scope.verdict === 'unknown' || scope.verdict === 'needs_input'
      ? 'warn'
      : 'good'
    : 'warn';
  return [
    '',
    out.tone(tone, scope.sentence),
    ...(scope.because === null ? [] : [`  represented by ${scope.because}`]),
    ...findingLines(scope, out),
    ...linkLines(scope, out),
    ...lineLines(scope, out),
    ...historyLines(scope),
    ...(scope.dirtiedBy.length === 0
      ? []
      : ['  it is re-evaluated after', ...scope.dirtiedBy.map((each) => `    ${each}`)]),
  ];
}

/** The decision about its collection, unless the collection is simply in scope. */
function decisionLines({ decision }: Explanation, out: Output): string[] {
  if (decision === null || (decision.means === 'in_scope' && decision.reason === null)) return [];
  const { collection, coverageStatus, coverageScopeStatus, means, reason, reviewOwner } = decision;
  const open = means === 'unknown';
  const what = `collection ${collection} is ${coverageStatus ?? 'undecided'}, ${coverageScopeStatus ?? 'no scope'}: ${open ? 'the decision is open' : means.replaceAll('_', ' ')}`;
  const why = reason === null ? '' : `, because of ${reason}`;
  const who = reviewOwner === null ? '' : `; ${reviewOwner} reviews it`;
  return [out.tone(open ? 'warn' : 'dim', `${what}${why}${who}`)];
}

function legacyLines({ legacy }: Explanation, out: Output): string[] {
  if (legacy === null) return [];
  const when = `${legacy.overdue ? 'was to be' : 'to be'} covered until ${legacy.until}`;
  return [out.tone('warn', `legacy, ${when}${legacy.overdue ? ': overdue, a matter for the council' : ''}`)];
}

function explanationLines(found: Explanation, out: Output): string[] {
  const births =
    found.subject.kind === 'group' || found.births.length === 0
      ? []
      : [
          `born ${found.births[0]?.bornAt} (id ${found.births[0]?.id}, status ${found.births[0]?.status ?? 'none'})${
            found.births.length > 1 ? `; ${found.births.length} births of one key, the first counts` : ''
          }; found in ${found.lookupMs} ms`,
        ];
  if (!found.known)
    return [
      ...births,
      ...decisionLines(found, out),
      out.tone('warn', `unknown, in every scope: ${found.whyUnknown ?? 'no reason known'}`),
    ];
  return [
    ...births,
    ...decisionLines(found, out),
    ...legacyLines(found, out),
    ...(found.rulesetSelfApproved === true ? ['the ruleset in force is self-approved'] : []),
    ...found.scopes.flatMap((scope) => scopeLines(scope, out)),
  ];
}

export function explainCommand(): Command {
  return makeCommand(
    'explain',
    'explain the verdict of an object or a group and what would change it; exit 2 if there is none',
  )
    .argument('[collection]', 'the collection of the object')
    .argument('[code]', 'its code; may contain any character, also `:` and `/`')
    .option('--group <key>', 'a group instead, by its key or that of its inventory group')
    .option('--scope <scope>', 'only this scope')
    .action((collection: string | undefined, code: string | undefined, flags: ExplainFlags) =>
      runCommand(flags, async (context) => {
        const { group } = flags;
        const options = given({ scope: flags.scope });
        if (
          (group === undefined) === (collection === undefined || code === undefined) ||
          (group !== undefined && collection !== undefined)
        )
          throw cliErrors.usage_invalid('give a collection and a code, or --group with a key');
        const found = await withGcos(context, (gcos) =>
          group === undefined
            ? gcos.explanations.object(collection ?? '', code ?? '', options)
            : gcos.explanations.group(group, options),
        );
        context.out.result(found, () => explanationLines(found, context.out));
        return found.known ? undefined : 2;
      }),
    );
}
