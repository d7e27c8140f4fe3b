// The flips of a plan, as rows that one table shows.
import { formatWords } from '../../composables/format.js';

interface Unit {
  readonly object_class: string;
  readonly source_registry: string;
  readonly inventory_key: string;
  readonly code: string | null;
  readonly scope?: string;
  readonly from: string | null;
  readonly to: string | null;
}
interface FindingFlip {
  readonly key?: string;
  readonly code?: string;
  readonly type?: string;
  readonly subject?: string;
  readonly transition?: string;
  readonly [field: string]: unknown;
}
interface TermFlip {
  readonly scope: string;
  readonly term: string;
  readonly before: number;
  readonly after: number;
  readonly delta: number;
}
export interface Flips {
  readonly verdicts: readonly Unit[];
  readonly outcomes: readonly Unit[];
  readonly ledger: readonly TermFlip[];
  readonly findings: readonly FindingFlip[];
  readonly gates: readonly Unit[];
  readonly not_previewed: readonly string[];
  readonly missed_canaries: readonly string[];
}

export interface FlipRow {
  readonly key: string;
  readonly subject: string;
  readonly scope: string;
  readonly from: string;
  readonly to: string;
}

const word = (value: string | null, none: string): string => (value === null ? none : formatWords(value));
const nameOf = ({ source_registry: registry, code, object_class: type }: Unit): string =>
  code === null ? `group of ${type} in ${registry}` : `${registry} / ${code}`;
const unitRow = (unit: Unit): FlipRow => ({
  key: `${unit.inventory_key} ${unit.code} ${unit.scope}`,
  subject: nameOf(unit),
  scope: unit.scope ?? 'all scopes',
  from: word(unit.from, 'none'),
  to: word(unit.to, 'none'),
});
const field = (flip: FindingFlip, ...names: readonly string[]): string => {
  const found = names.map((name) => flip[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : '';
};

/** The key of a finding about coverage ends with its group, its scope and the code of its object. */
function subjectOf(flip: FindingFlip): string {
  const registry = field(flip, 'source_registry');
  const [, , , , , ...code] = field(flip, 'key').split(':');
  if (registry === '') return field(flip, 'subject', 'key');
  return code.join(':') === '' ? `a group in ${registry}` : `${registry} / ${code.join(':')}`;
}

export const linesOf = {
  units: (list: readonly Unit[]): FlipRow[] => list.map(unitRow),
  gates: (list: readonly Unit[]): FlipRow[] => list.map(unitRow),
  findings: (list: readonly FindingFlip[]): FlipRow[] =>
    list.map((flip, index) => ({
      key: String(index),
      subject: `${formatWords(field(flip, 'type'))}: ${subjectOf(flip)}`,
      scope: field(flip, 'scope') || 'all scopes',
      from: '',
      to: formatWords(field(flip, 'transition', 'change', 'to')),
    })),
};
