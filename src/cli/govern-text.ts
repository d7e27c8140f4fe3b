// Owns the report of `gcos govern`: what there is, what is accounted for, what changed since the last run,
// and what would help most, with the statements as they are to be executed.
import type { EstateFlaw, EstateGap, EstateReport, Ledger } from '../index.js';
import type { Governed } from './govern-run.js';
import { alignColumns, formatCount, type Output } from './output.js';

/** How many kinds of help are shown; `--json` has every object. */
const SHOWN = 8;

const NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  personal_column: ['column', 'columns'],
  materialized_view: ['materialized view', 'materialized views'],
  foreign_table: ['foreign table', 'foreign tables'],
  policy: ['policy', 'policies'],
  personal_field: ['field', 'fields'],
  code_flow: ['flow that runs code', 'flows that run code'],
};
function counted(objects: number, objectClass: string): string {
  const noun = objectClass.replace(/^directus_/, '');
  const [one, many] = NOUNS[noun] ?? [noun.replaceAll('_', ' '), `${noun.replaceAll('_', ' ')}s`];
  return `${formatCount(objects)} ${objects === 1 ? one : many}`;
}

/** What most people ask for; the other classes are in `--json` and in `gcos source sync`. */
const HEAD = [
  ...['table', 'column', 'view', 'function', 'role', 'extension'],
  ...['collection', 'field', 'flow', 'operation', 'role', 'policy', 'permission'].map(
    (each) => `directus_${each}`,
  ),
];
/** Classes of their own for reasons of governance, and the class that people would call them. */
const ALSO: Readonly<Record<string, string>> = {
  personal_column: 'column',
  directus_personal_field: 'directus_field',
  directus_public_permission: 'directus_permission',
  directus_code_flow: 'directus_flow',
};

function headText({ classes }: EstateReport): string {
  const numbers = new Map<string, number>();
  for (const { class: name, objects } of classes)
    numbers.set(ALSO[name] ?? name, (numbers.get(ALSO[name] ?? name) ?? 0) + objects);
  return HEAD.filter((each) => (numbers.get(each) ?? 0) > 0)
    .map((each) => counted(numbers.get(each) ?? 0, each))
    .join(', ');
}

/** Rounded down, so that 100 % means all. */
const percent = (part: number, whole: number): string =>
  part === whole ? '100 %' : `${Math.floor((part / whole) * 100)} %`;

function shareText({ scopes }: Pick<Ledger, 'scopes'>): string {
  const sum = (pick: (each: Ledger['scopes'][number]) => number) =>
    scopes.reduce((total, each) => total + pick(each), 0);
  const total = sum((each) => each.total);
  if (total === 0) return 'nothing is required of anything';
  return `verified ${percent(total - sum((each) => each.unverified), total)}, covered ${percent(
    sum((each) => each.covered),
    total,
  )}`;
}

const CHANGES = ['created', 'changed', 'renamed', 'returned', 'gone'] as const;

function sinceLines({ sync, scan, before, ruleset }: Governed): string[] {
  if (before === null) return [];
  const changes = sync.classes.flatMap((counts) =>
    CHANGES.filter((each) => counts[each] > 0).map(
      (each) => `${counted(counts[each], counts.class)} ${each}`,
    ),
  );
  const owners = sync.owners.begun + sync.owners.ended;
  const what = [
    ...changes,
    ...(owners > 0
      ? [`owners: ${formatCount(sync.owners.begun)} began, ${formatCount(sync.owners.ended)} ended`]
      : []),
    ...(ruleset.activated ? [`the rules are ${ruleset.version}`] : []),
  ];
  const was = `before: ${shareText(before)}`;
  const evaluated = `${formatCount(scan.evaluated)} groups evaluated`;
  if (what.length > 0) return [`since the last run: ${what.join(', ')}; ${evaluated} (${was})`];
  // What an earlier run could not end, or what was due: the estate itself is as it was.
  const done = scan.changed === 0 ? '' : `${evaluated}, `;
  return [`since the last run: nothing changed; ${done}${formatCount(scan.changed)} rows written`];
}

interface Help {
  readonly objects: number;
  readonly text: string;
  readonly statement: string;
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return [...groups.values()];
}

/** One line per class and act: how many objects, and the statement for the first one. */
function helpOf(gaps: readonly EstateGap[]): readonly Help[] {
  return grouped(gaps, (each) => `${each.class} ${each.what}`).map((same) => ({
    objects: same.length,
    text: `${counted(same.length, same[0]?.class ?? '')}: ${same[0]?.what}`,
    statement: same.find((each) => each.statement !== null)?.statement ?? '',
  }));
}

const flawHelp = (flaws: readonly EstateFlaw[]): readonly Help[] =>
  grouped(flaws, (each) => each.detector).map((same) => ({
    objects: same.length,
    text: `${counted(same.length, same[0]?.class ?? '')}, ${same[0]?.severity}: ${same[0]?.detector.replace(/^.*:/, '').replaceAll('_', ' ')}`,
    statement: same[0]?.statement ?? '',
  }));

function helpLines(estate: EstateReport, out: Output): string[] {
  const most = [...helpOf(estate.gaps)].sort((left, right) => right.objects - left.objects);
  const help = [...most.slice(0, SHOWN), ...flawHelp(estate.flaws).slice(0, SHOWN)];
  const notListed =
    estate.notListed === 0
      ? []
      : [
          `${formatCount(estate.notListed)} detectors could not run: set GCOS_READER_URL, a login that only reads this home`,
        ];
  if (help.length === 0) return ['nothing is missing', ...notListed];
  return [
    out.tone('bold', 'What would help most'),
    ...alignColumns(help.map(({ text, statement }) => [`  ${text}`, statement])),
    ...notListed,
  ];
}

/** What waits for another person, and how it goes on. */
function waitingLines({ ruleset, waiting }: Governed): string[] {
  const { waits, version } = ruleset;
  const all = [
    ...(waits === null
      ? []
      : [{ ...waits.request, what: `the rules ${waits.version}: until then ${version} stays in force` }]),
    ...waiting.map((each) => ({ ...each, what: 'exceptions: until then they do not hold' })),
  ];
  if (all.length === 0) return [];
  return [
    ...all.map(
      ({ code, what, missing, proposer }) =>
        `waits: ${code}, ${what}; missing: ${missing.join(' and ')}, other than ${proposer}`,
    ),
    `  with the login of another person: ${all.map(({ code }) => `\`gcos request approve ${code}\``).join(', ')}; then repeat this command (\`gcos person add\` maps a login to a person)`,
  ];
}

/** `location`: as it is stored, so without a password. */
export function estateLines(done: Governed, location: string, out: Output): string[] {
  const { estate, ledger, seconds } = done;
  const closing = ledger.scopes.filter((each) => each.closes).length;
  const open = ledger.scopes.length - closing;
  return [
    `${estate.source}: ${headText(estate)} (read only, ${seconds.toFixed(1)} s; nothing was written to ${estate.source})`,
    `ledger closes in ${formatCount(closing)} ${closing === 1 ? 'scope' : 'scopes'}${open === 0 ? '' : `, and not in ${formatCount(open)}`}; ${shareText(ledger)} (as of ${estate.readAt})`,
    ...estate.notRead.map(({ part, reason }) => `not read: ${part} (${reason})`),
    ...sinceLines(done),
    ...helpLines(estate, out),
    ...waitingLines(done),
    `Next: in a pipeline, \`gcos govern ${location} --check\` blocks a migration that adds an unowned table; \`gcos worker run\` keeps this up to date.`,
  ];
}
