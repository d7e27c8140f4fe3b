// Random and hostile arguments for calls of functions: words, codes and keys that occur in the estate, lists
// that do not fit together, times, and text that is meant to break out.
import { asHost } from './database.js';

export interface Callable {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
}

/** Numbers that a seed repeats (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const HOSTILE = [
  '',
  ' ',
  "'; drop table governance_actor; --",
  '" or ""="',
  '%s%n%I%L',
  '{}',
  '{"a": 1}',
  '../../etc/passwd',
  'a\u202eb\u001b[31m',
  '𝕏'.repeat(50),
  'x'.repeat(10_000),
  'pg_catalog.pg_authid',
  '$1',
  'null',
  '-1',
  '99999999999999999999',
];

const STAGES = ['design', 'impl', 'route', 'prod'];
const WORDS = [
  'approve',
  'reject',
  'execute',
  'read',
  'object',
  'group',
  'class',
  'open',
  'resolved',
  'clean',
  'trusted',
  'info',
];
const TIMES = [
  'now',
  'now',
  'now',
  'yesterday',
  'tomorrow',
  '2020-01-01',
  '2999-12-31',
  '-infinity',
  'infinity',
  '2020-02-30',
];

/** What occurs in the estate: other people's codes, requests, objects, rulesets. */
export async function readPool(url: string): Promise<readonly string[]> {
  const columns = await asHost(
    url,
    `select c.oid::regclass::text as relation, a.attname::text as name
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'text'::regtype
     where c.relkind = 'r' and pg_get_userbyid(c.relowner) in ('gcos_owner', 'gcos_trust_owner')`,
  );
  const values = new Set<string>();
  for (const { relation, name } of columns)
    for (const row of await asHost(
      url,
      `select distinct left("${name}", 200) as value from ${relation} where "${name}" is not null limit 12`,
    ))
      values.add(String(row['value']));
  for (const row of await asHost(
    url,
    `select unnest(array[collection_name, entity_code]) as value from (select * from birth_registry order by id limit 200) b
     union select code from approval_requests union select code from system_issues limit 500`,
  ))
    values.add(String(row['value']));
  return [...values];
}

/** Makes values for arguments. */
export class Arguments {
  readonly #random: () => number;
  readonly #pool: readonly string[];
  readonly #subjects: readonly { readonly collection: string; readonly code: string }[];

  constructor(
    random: () => number,
    pool: readonly string[],
    subjects: readonly { readonly collection: string; readonly code: string }[],
  ) {
    this.#random = random;
    this.#pool = pool;
    this.#subjects = subjects;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  #text(): string {
    return this.chance(0.6) ? this.pick(this.#pool) : this.pick([...HOSTILE, ...WORDS, ...STAGES]);
  }

  #scalar(type: string): string {
    switch (type) {
      case 'boolean':
        return this.pick(['true', 'false']);
      case 'smallint':
      case 'integer':
      case 'bigint':
      case 'numeric':
      case 'double precision':
      case 'xid8':
        return this.pick([
          '0',
          '1',
          '2',
          '7',
          '-1',
          '100',
          '32767',
          '2147483647',
          '9223372036854775807',
          '18446744073709551616',
          'NaN',
        ]);
      case 'interval':
        return this.pick(['1 minute', '-1 year', '0', '178000000 years', 'soon']);
      case 'jsonb':
        return this.pick([
          '{}',
          '[]',
          'null',
          '1',
          '{"ruleset": "x", "code": "y"}',
          '{"a": {"b": [1, 2]}}',
          '{',
          `{"secret": "x"}`,
        ]);
      case 'uuid':
        return this.pick(['00000000-0000-0000-0000-000000000000', 'x']);
      case 'timestamp with time zone':
        return this.pick(TIMES);
      default:
        return this.#text();
    }
  }

  /** One value as text for a parameter, or null. */
  value(type: string): string | null {
    if (this.chance(0.12)) return null;
    // Every word at once: a list that claims too much.
    if (type === 'text[]' && this.chance(0.25)) return `{${WORDS.map(quoted).join(',')}}`;
    if (type.endsWith('[]')) {
      const size = this.pick([0, 1, 1, 2, 3, 3, 50, 2_000]);
      const element = type.slice(0, -2);
      const items = Array.from({ length: size }, () =>
        this.chance(0.1) ? 'NULL' : quoted(this.#scalar(element)),
      );
      return `{${items.join(',')}}`;
    }
    return this.#scalar(type);
  }

  /** The arguments of one call; arrays of one question mostly fit together. */
  of(fn: Callable): (string | null)[] {
    const subjects = Array.from({ length: this.pick([1, 2, 5]) }, () => this.pick(this.#subjects));
    const list = (items: readonly string[]) => `{${items.map(quoted).join(',')}}`;
    const fits = this.chance(0.7);
    return fn.args.map(({ name, type }) => {
      if (fits && type === 'text[]' && this.#subjects.length > 0) {
        if (name === 'p_collections') return list(subjects.map((each) => each.collection));
        if (name === 'p_codes') return list(subjects.map((each) => each.code));
        if (name.startsWith('p_claimed_')) return `{${subjects.map(() => 'NULL').join(',')}}`;
        if (name === 'p_groups') return `{${subjects.map(() => 'NULL').join(',')}}`;
        if (name === 'p_stages') return list(subjects.map(() => this.pick(STAGES)));
        if (name === 'p_actions') return list(subjects.map(() => this.pick(['execute', 'read', 'write'])));
      }
      return this.value(type);
    });
  }
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
