// How the words of the API look: shape and colour of each state. A word that is not listed is unknown.
import type { Tone } from '../components/StateMark.vue';
import { formatWords } from './format.js';

const TONES: Readonly<Record<string, Tone>> = {
  // requests
  pending: 'warn',
  approved: 'good',
  rejected: 'bad',
  withdrawn: 'neutral',
  foreign: 'unknown',
  altered: 'bad',
  // exceptions and passes
  in_force: 'good',
  waiting: 'warn',
  changed: 'warn',
  expired: 'neutral',
  revoked: 'neutral',
  not_granted: 'bad',
  unratified: 'bad',
  dormant: 'neutral',
  not_yet: 'warn',
  over: 'neutral',
  closed: 'neutral',
  lapsed: 'neutral',
  late: 'bad',
  refused: 'bad',
  // the gate
  allow: 'good',
  block: 'bad',
  allow_and_rescan: 'warn',
  // duties and runs
  working: 'good',
  paused: 'warn',
  stopped: 'bad',
  failing: 'bad',
  silent: 'unknown',
  never_started: 'unknown',
  running: 'warn',
  completed: 'good',
  failed: 'bad',
  throttled: 'warn',
  // rules and sources
  active: 'good',
  draft: 'neutral',
  superseded: 'neutral',
  removed: 'neutral',
};

const toneOf = (word: string): Tone => TONES[word] ?? 'unknown';
export const markOf = (word: string) => ({ tone: toneOf(word), label: formatWords(word) });
