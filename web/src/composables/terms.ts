// The terms of the ledger, in the order and the colours in which every screen shows them.
import type { components } from '../api/schema';
import type { Tone } from '../components/StateMark.vue';
import type { Part } from '../components/TermBar.vue';
import type { Count } from './links.js';

export type LedgerTerms = components['schemas']['LedgerTerms'];
export type TermKey =
  | 'covered'
  | 'orphans'
  | 'exceptions'
  | 'unverified'
  | 'deferred_birth'
  | 'retired'
  | 'class_0';

interface Term {
  readonly key: TermKey;
  readonly label: string;
  readonly tone: Part['tone'];
  readonly means: string;
}

export const TERMS: readonly Term[] = [
  { key: 'covered', label: 'covered', tone: 'good', means: 'everything that is required resolves' },
  { key: 'orphans', label: 'orphans', tone: 'bad', means: 'something required is missing' },
  { key: 'exceptions', label: 'exceptions', tone: 'warn', means: 'a gap that is accepted for a time' },
  { key: 'unverified', label: 'unverified', tone: 'unknown', means: 'GCOS does not know, so it is not safe' },
  { key: 'deferred_birth', label: 'deferred', tone: 'rest', means: 'not born, or in future scope' },
  { key: 'retired', label: 'retired', tone: 'rest-2', means: 'its lifecycle has ended' },
  { key: 'class_0', label: 'class 0', tone: 'rest', means: 'technical, governed by no one' },
];

/** The parts of one scope as one bar. */
export const partsOf = (terms: Readonly<Record<TermKey, Count>>): Part[] =>
  TERMS.map(({ key, label, tone }) => ({ key, label, tone, count: terms[key].count }));

/** How a verdict or a coverage outcome reads. */
export function toneOf(state: string | null): Tone {
  if (state === 'covered') return 'good';
  if (state === 'orphan' || state === 'orphans') return 'bad';
  if (state === 'approved_exception' || state === 'exceptions') return 'warn';
  if (state === null || /unknown|stale|needs_input|unverified|not_evaluated/.test(state)) return 'unknown';
  return 'neutral';
}

/** The severity of a finding. */
export function toneOfSeverity(severity: string | null): Tone {
  if (severity === 'critical' || severity === 'high') return 'bad';
  if (severity === 'medium') return 'warn';
  return severity === null ? 'unknown' : 'neutral';
}
