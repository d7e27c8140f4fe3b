// Owns the plan of the traffic: the actions, their subjects and their order. All of it is derived from the
// seed; only the clock is real.

export const KINDS = ['born', 'changed', 'moved', 'retired', 'deleted', 'owner', 'rule'] as const;
export type TrafficKind = (typeof KINDS)[number];

/** The collections with traffic: large containers, and one whose objects are evaluated one by one. */
export const COLLECTIONS = [
  'articles',
  'comments',
  'media_files',
  'orders',
  'pages',
  'publishing_jobs',
  'tickets',
] as const;
const SCOPES = ['policy', 'health', 'execution', 'render', 'approval', 'audit'];
const OWNERS = ['GOV-COUNCIL', 'GOV-SIV', 'GOV-DOT', 'GOV-MOUT', 'GOV-KG-SYS'];
const PROFILES = ['article%', 'order%', 'page%', 'ticket%'];

export interface TrafficObject {
  readonly collection: string;
  readonly code: string;
}

export type TrafficAction =
  | (TrafficObject & { readonly kind: 'born'; readonly seconds: number })
  | (TrafficObject & { readonly kind: 'changed' | 'retired' | 'deleted' })
  | (TrafficObject & { readonly kind: 'moved'; readonly target: string })
  | { readonly kind: 'owner'; readonly collection: string; readonly scope: string; readonly owner: string }
  | { readonly kind: 'rule'; readonly pattern: string; readonly hours: number };

/** A deterministic generator of numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The share of each kind, in percent. */
const SHARES: readonly (readonly [TrafficKind, number])[] = [
  ['born', 60],
  ['changed', 18],
  ['moved', 8],
  ['retired', 6],
  ['deleted', 4],
  ['owner', 3],
  ['rule', 1],
];
/** How many live objects later actions can choose from. */
const REMEMBERED = 50_000;
const [DAY, MONTH] = [86_400, 30 * 86_400];

export const codePrefix = (seed: number): string => `TR-${seed}-`;

/**
 * The endless stream of actions for one seed. `earlier` is the number of its births in earlier runs; they
 * stay unchanged.
 */
export class TrafficPlan {
  readonly #random: () => number;
  readonly #prefix: string;
  readonly #alive: TrafficObject[] = [];
  #born: number;

  constructor(seed: number, earlier: number) {
    this.#random = randomOf(seed * 31 + earlier);
    this.#prefix = codePrefix(seed);
    this.#born = earlier;
  }

  next(): TrafficAction {
    const kind = this.#kind();
    if (kind === 'owner')
      return {
        kind,
        collection: this.#pick(COLLECTIONS),
        scope: this.#pick(SCOPES),
        owner: this.#pick(OWNERS),
      };
    if (kind === 'rule') return { kind, pattern: this.#pick(PROFILES), hours: this.#random() < 0.5 ? 1 : -1 };
    if (kind === 'born' || this.#alive.length === 0) return this.#birth();
    const place = Math.floor(this.#random() * this.#alive.length);
    const object = this.#alive[place] as TrafficObject;
    if (kind === 'moved') {
      const target = this.#pick(COLLECTIONS.filter((each) => each !== object.collection));
      this.#alive[place] = { ...object, collection: target };
      return { kind, ...object, target };
    }
    if (kind !== 'changed') this.#forget(place);
    return { kind, ...object };
  }

  #birth(): TrafficAction {
    this.#born += 1;
    const object = { collection: this.#pick(COLLECTIONS), code: `${this.#prefix}${this.#born}` };
    if (this.#alive.length >= REMEMBERED) this.#forget(Math.floor(this.#random() * this.#alive.length));
    this.#alive.push(object);
    const clock = this.#random();
    const seconds = clock < 0.15 ? -this.#random() * MONTH : clock < 0.18 ? this.#random() * DAY : 0;
    return { kind: 'born', ...object, seconds: Math.round(seconds) };
  }

  #forget(place: number): void {
    const last = this.#alive.pop();
    if (last !== undefined && place < this.#alive.length) this.#alive[place] = last;
  }

  #kind(): TrafficKind {
    let left = this.#random() * 100;
    for (const [kind, share] of SHARES) {
      left -= share;
      if (left < 0) return kind;
    }
    return 'born';
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }
}
