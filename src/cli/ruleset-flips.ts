// Owns the text form of flips: a summary line and the largest changes on one screen, and each list page by
// page.
import type { FindingFlip, Flips, Plan, UnitFlip } from '../index.js';
import { alignColumns, formatCount } from './output.js';
import { moreLines } from './page.js';

/** How many lines of each kind the screen shows; `--show` lists all. */
const SHOWN = 6;
const BARE = '-';

const plural = (count: number, noun: string): string =>
  `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`;

/** Groups the elements by name, the largest group first; equal sizes keep their order. */
function gather<T>(list: readonly T[], nameOf: (each: T) => string): readonly (readonly T[])[] {
  const lists = new Map<string, T[]>();
  for (const each of list) {
    const found = lists.get(nameOf(each)) ?? [];
    lists.set(nameOf(each), found);
    found.push(each);
  }
  return [...lists.values()].sort((left, right) => right.length - left.length);
}

const stepOf = ({ from, to }: Pick<UnitFlip, 'from' | 'to'>): string => `${from ?? BARE} → ${to ?? BARE}`;

function unitLines(title: string, flips: readonly UnitFlip[]): string[] {
  const kinds = gather(flips, (each) =>
    JSON.stringify([each.sourceRegistry, each.code === null, each.from, each.to]),
  );
  const rows = kinds.slice(0, SHOWN).flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const scopes = [...new Set(same.map((each) => each.scope))].sort();
    const unit = first.code === null ? 'group' : 'object';
    return [
      [
        `  ${formatCount(same.length)}`,
        stepOf(first),
        `${unit}s of ${first.sourceRegistry}`,
        scopes.join(', '),
      ],
    ];
  });
  return listOf(title, rows, kinds.length, 'kinds');
}

function listOf(title: string, rows: string[][], all: number, noun: string): string[] {
  if (rows.length === 0) return [];
  const rest = all > rows.length ? [`  and ${formatCount(all - rows.length)} more ${noun}`] : [];
  return [title, ...alignColumns(rows), ...rest];
}

const VERBS = { raised: 'raise', reopened: 'reopen', resolved: 'resolve' } as const;

function findingLines(findings: readonly FindingFlip[]): string[] {
  const kinds = gather(findings, ({ change, type }) => JSON.stringify([change, type]));
  const rows = kinds.slice(0, SHOWN).flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [[`  ${formatCount(same.length)}`, VERBS[first.change], first.type]];
  });
  return listOf('findings', rows, kinds.length, 'kinds');
}

const signed = (delta: number): string => (delta > 0 ? `+${formatCount(delta)}` : `−${formatCount(-delta)}`);

function ledgerLines({ ledger }: Flips): string[] {
  const rows = ledger
    .slice(0, SHOWN)
    .map(({ scope, term, before, after, delta }) => [
      `  ${scope}`,
      term,
      `${formatCount(before)} → ${formatCount(after)}`,
      signed(delta),
    ]);
  return listOf('ledger', rows, ledger.length, 'terms');
}

/** The changed answers of the gate, by registry and transition. */
function gateLines(gates: Flips['gates']): string[] {
  const kinds = new Map<string, { readonly row: readonly string[]; count: number }>();
  for (const { from, to, sourceRegistry, code } of gates) {
    const row = [`${from} → ${to}`, sourceRegistry, code === null ? 'container' : 'objects'];
    const name = row.join(' ');
    const kind = kinds.get(name) ?? { row, count: 0 };
    kinds.set(name, kind);
    kind.count += 1;
  }
  const rows = [...kinds.values()].map(({ row, count }) => [`  ${formatCount(count)}`, ...row]);
  return listOf('gates', rows.slice(0, SHOWN), rows.length, 'kinds');
}

/** The number of flips in one line. */
function headline({ verdicts, outcomes, findings, ledger, gates }: Flips): string {
  const changed = (change: FindingFlip['change']) => findings.filter((each) => each.change === change).length;
  const counted = [
    ['raise', changed('raised')],
    ['reopen', changed('reopened')],
    ['resolve', changed('resolved')],
  ] as const;
  const parts = [
    `would flip ${plural(verdicts.length, 'verdict')} and ${plural(outcomes.length, 'outcome')}`,
    ...counted.filter(([, count]) => count > 0).map(([verb, count]) => `${verb} ${plural(count, 'finding')}`),
    ...(ledger.length === 0 ? [] : [`move ${plural(ledger.length, 'term')} of the ledger`]),
    ...(gates.length === 0 ? [] : [`change ${plural(gates.length, 'answer')} of the gate`]),
  ];
  return parts.join(', ');
}

/** The flips of a plan on one screen. */
export function flipLines(flips: Flips): string[] {
  const { verdicts, outcomes, findings, gates, notPreviewed, missedCanaries } = flips;
  const unbound = [...verdicts, ...outcomes, ...findings, ...gates].filter((each) => !each.bound).length;
  return [
    headline(flips),
    ...unitLines('verdicts', verdicts),
    ...unitLines('outcomes', outcomes),
    ...ledgerLines(flips),
    ...findingLines(findings),
    ...gateLines(gates),
    ...(unbound === 0
      ? []
      : [
          `${plural(unbound, 'flip')} not caused by this change: they happen with the next scan, and no approval covers them`,
        ]),
    ...(notPreviewed.length === 0
      ? []
      : [
          `${plural(notPreviewed.length, 'detector')} new or changed: not previewed, since queries run only after approval`,
        ]),
    ...(missedCanaries.length === 0
      ? []
      : [`scans would fail: canaries ${missedCanaries.join(', ')} would not be flagged any more`]),
  ];
}

/** Some flips by name, so that a reader sees which objects and groups change. */
export function exampleLines({ verdicts, outcomes, gates }: Flips): string[] {
  const rows = [
    ...verdicts.slice(0, 3).map((each) => ['  verdict', ...unitRow(each)]),
    ...outcomes.slice(0, 3).map((each) => ['  outcome', ...unitRow(each)]),
    ...gates
      .slice(0, 3)
      .map(({ from, to, sourceRegistry, code }) => [
        '  gate',
        `${from} → ${to}`,
        sourceRegistry,
        code ?? 'the group',
      ]),
  ];
  return rows.length === 0 ? [] : ['for example', ...alignColumns(rows).map((line) => line.trimEnd())];
}

export const LISTS = ['verdicts', 'outcomes', 'findings', 'ledger', 'gates'] as const;
export type FlipList = (typeof LISTS)[number];

const unitRow = (each: UnitFlip): string[] => [
  stepOf(each),
  each.sourceRegistry,
  each.code ?? `the group ${each.lifecycleStatus ?? 'without status'}`,
  each.scope,
  each.bound ? '' : 'not bound',
];

function rowsOf(flips: Flips, list: FlipList): readonly string[][] {
  switch (list) {
    case 'findings':
      return flips.findings.map((each) => [
        VERBS[each.change],
        each.type,
        each.severity,
        each.sourceRegistry ?? each.subject,
        each.scope ?? BARE,
        each.bound ? '' : 'not bound',
      ]);
    case 'gates':
      return flips.gates.map((each) => [
        `${each.from} → ${each.to}`,
        each.sourceRegistry,
        each.code ?? `the group ${each.lifecycleStatus ?? 'without status'}`,
        each.bound ? '' : 'not bound',
      ]);
    case 'ledger':
      return flips.ledger.map((each) => [
        each.scope,
        each.term,
        `${formatCount(each.before)} → ${formatCount(each.after)}`,
        signed(each.delta),
      ]);
    default:
      return flips[list].map(unitRow);
  }
}

/** One page of one list of a plan. */
export function listLines(
  { hash, flips }: Plan,
  list: FlipList,
  page: { readonly limit: number; readonly after: number },
): string[] {
  const rows = rowsOf(flips, list);
  const end = page.after + page.limit;
  return [
    `${list}: ${formatCount(rows.length)}, by plan ${hash}`,
    ...alignColumns(rows.slice(page.after, end)).map((line) => `  ${line}`.trimEnd()),
    ...moreLines(end < rows.length ? String(end) : null),
  ];
}
