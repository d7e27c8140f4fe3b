// Owns judging births: what is wrong with each of them in itself, set-based over a range of ids, some ids, whole collections or
// some keys. The statements read member registries, which the catalogue names, so their text is written at run time.
import { type Statement, statement, type Transaction } from '../../../db/index.js';
import {
  type ClassMap,
  type MemberRegistry,
  memberTable,
  statusRegistries,
} from '../../../inventory/index.js';
import type { InputRules } from '../policy.js';
import {
  CONFLICT,
  DUPLICATE,
  INCOMPLETE,
  INVALID,
  type InputState,
  QUARANTINED,
  STALE,
  UNTRUSTED,
} from '../states.js';
import pickSql from './pick.sql.js';

export const PICK = {
  individual: 'text[]',
  codeLength: 'int4',
  bornAfter: 'timestamptz',
  at: 'timestamptz',
  futureSeconds: 'int4',
  strict: 'text[]',
} as const;
const RANGE = { ...PICK, first: 'int8', last: 'int8' } as const;
const SOURCES = { origins: 'text[]', sources: 'text[]' } as const;
export const VOUCHED = { ...PICK, ...SOURCES } as const;
const OF_IDS = { ...PICK, ...SOURCES, ids: 'int8[]' } as const;
const OF_COLLECTIONS = { ...PICK, ...SOURCES, collections: 'text[]' } as const;
const OF_KEYS = { ...PICK, collections: 'text[]', codes: 'text[]' } as const;
const PICKED = {
  id: 'int8',
  collection_name: 'text',
  entity_code: 'text',
  species_code: 'text?',
  status: 'text?',
  dot_origin: 'text?',
  invalid: 'text?',
  missing: 'text?',
  old: 'text?',
  member_status: 'text?',
  listed: 'bool',
  quarantined: 'bool',
  known: 'bool',
  births: 'int8',
  contradicting: 'bool',
} as const;

const pick = (births: string, where: string, registries: readonly MemberRegistry[]): string =>
  pickSql
    .replace('{{births}}', () => births)
    .replace('{{where}}', () => where)
    .replace('{{members}}', () => memberTable(registries));

/** A coarse look, cheap enough for every row of a sweep: whatever a contract could object to is in it. */
export const SUSPECT = `(b.collection_name = any ($1::text[]) or b.collection_name = any ($6::text[])
    or b.entity_code = '' or octet_length(b.entity_code) > $2::int4
    or b.entity_code::text collate "C" ~ '[\\u0001-\\u001f\\u007f-\\u009f]'
    or b.born_at < $3::timestamptz or b.born_at > $4::timestamptz + make_interval(secs => $5::int4)
    or (b.species_code <> '') is not true or (b.status <> '') is not true or (b.governance_role <> '') is not true)`;

/** Births from sources that nobody has vouched for; a sweep leaves these to a look at all sources. */
export const UNVOUCHED = `(b.dot_origin <> all ($7::text[]) or b.dot_origin is null and b.collection_name <> all ($8::text[]))`;

/** Births to be looked at among the ids from `first` to `last`. */
const pickRange = (registries: readonly MemberRegistry[]): Statement<typeof RANGE, typeof PICKED> =>
  statement({
    name: 'input.pick_range',
    sql: pick('birth_registry b', `b.id >= $7::bigint and b.id <= $8::bigint and ${SUSPECT}`, registries),
    params: RANGE,
    columns: PICKED,
  });

/** The same among the births with these ids. */
const pickIds = (registries: readonly MemberRegistry[]): Statement<typeof OF_IDS, typeof PICKED> =>
  statement({
    name: 'input.pick_ids',
    sql: pick('birth_registry b', `b.id = any ($9::bigint[]) and (${SUSPECT} or ${UNVOUCHED})`, registries),
    params: OF_IDS,
    columns: PICKED,
  });

/** The same among the births of some collections. */
const pickCollections = (
  registries: readonly MemberRegistry[],
): Statement<typeof OF_COLLECTIONS, typeof PICKED> =>
  statement({
    name: 'input.pick_collections',
    sql: pick(
      'birth_registry b',
      `b.collection_name = any ($9::text[]) and (${SUSPECT} or ${UNVOUCHED})`,
      registries,
    ),
    params: OF_COLLECTIONS,
    columns: PICKED,
  });

/** The births of these keys, whether or not anything is to be said against them. */
const pickKeys = (registries: readonly MemberRegistry[]): Statement<typeof OF_KEYS, typeof PICKED> =>
  statement({
    name: 'input.pick_keys',
    sql: pick(
      `(select distinct k.collection_name, k.code from unnest($7::text[], $8::text[]) as k(collection_name, code)) as k
  join birth_registry b on b.collection_name = k.collection_name and b.entity_code = k.code`,
      '$1::text[] is not null and $6::text[] is not null',
      registries,
    ),
    params: OF_KEYS,
    columns: PICKED,
  });

export const pickStatements = [pickRange([]), pickIds([]), pickCollections([]), pickKeys([])];

export interface ObjectKey {
  readonly collection: string;
  readonly code: string;
}

/** Births with ids from `first` to `last`, births with these ids, births of these collections, or all births of these keys. */
export type BirthPart =
  | { readonly first: bigint; readonly last: bigint }
  | { readonly ids: readonly bigint[] }
  | { readonly collections: readonly string[] }
  | { readonly keys: readonly ObjectKey[] };

/** One key of the inventory, and what the gate says about it. */
export interface JudgedBirth extends ObjectKey {
  /** The lowest id among the births of the key that are in the part. */
  readonly id: bigint;
  readonly species: string | null;
  readonly status: string | null;
  readonly memberStatus: string | null;
  readonly listed: boolean;
  readonly origin: string | null;
  /** What holds for it in every scope; null: nothing. */
  readonly state: InputState | null;
  readonly cause: string | null;
  /** The scopes in which its source is denied. */
  readonly deniedIn: readonly string[];
  /** Whether anything was ever held against it. */
  readonly known: boolean;
}

type Picked = Awaited<ReturnType<typeof pickRows>>[number];

/** What statements that pick births are told of the rules; `vouched` where they also look at sources. */
export function pickParams({ map, input, at }: JudgeOptions) {
  const { code_length: codeLength, born_after: bornAfter, future_seconds: futureSeconds } = input.limits;
  const { strict, knownOrigins: origins, knownCollections: sources } = input;
  const params = { individual: map.individual, codeLength, bornAfter, at, futureSeconds, strict };
  const vouched = { ...params, strict: [...strict, ...input.deniedCollections], origins, sources };
  return { params, vouched };
}

async function pickRows(tx: Transaction, part: BirthPart, options: JudgeOptions) {
  const registries = statusRegistries(options.map);
  const { params, vouched } = pickParams(options);
  if ('first' in part) return tx.run(pickRange(registries), { ...params, ...part });
  if ('ids' in part) return tx.run(pickIds(registries), { ...vouched, ids: part.ids });
  if ('collections' in part)
    return tx.run(pickCollections(registries), { ...vouched, collections: part.collections });
  return tx.run(pickKeys(registries), {
    ...params,
    collections: part.keys.map((key) => key.collection),
    codes: part.keys.map((key) => key.code),
  });
}

function stateOf(row: Picked, sawAllBirths: boolean): { state: InputState | null; cause: string | null } {
  if (row.invalid !== null) return { state: INVALID, cause: row.invalid };
  if (row.missing !== null) return { state: INCOMPLETE, cause: `missing:${row.missing}` };
  if (sawAllBirths && row.births > 1n)
    return row.contradicting
      ? { state: CONFLICT, cause: 'births_contradict' }
      : { state: DUPLICATE, cause: 'born_again' };
  if (row.old !== null) return { state: STALE, cause: row.old };
  if (row.quarantined) return { state: QUARANTINED, cause: 'quarantine' };
  return { state: null, cause: null };
}

export interface JudgeOptions {
  readonly map: ClassMap;
  readonly input: InputRules;
  readonly at: string;
}

/** Judges a part of the inventory: all births that are looked at one by one, and all others against which something holds.
 * Only by keys does it see all births of a key, and know which were born more than once. */
export async function judgeBirths(
  tx: Transaction,
  part: BirthPart,
  options: JudgeOptions,
): Promise<readonly JudgedBirth[]> {
  const { map, input } = options;
  const rows = await pickRows(tx, part, options);
  return rows.map((row) => {
    const { state, cause } = stateOf(row, 'keys' in part);
    const { profile, inherits } = map.classOf(row.collection_name, row.species_code);
    const source = {
      collection: row.collection_name,
      origin: row.dot_origin,
      risk: profile?.riskClass ?? null,
    };
    const denied = input.deniedIn(source);
    return {
      collection: row.collection_name,
      code: row.entity_code,
      id: row.id,
      species: row.species_code,
      status: row.status,
      memberStatus: row.member_status,
      listed: row.listed,
      origin: row.dot_origin,
      state,
      cause,
      known: row.known,
      // Where the whole collection is untrusted, its container says so for all members.
      deniedIn:
        denied.length > 0 && inherits
          ? denied.filter((scope) => input.wholeIn(row.collection_name, scope) !== UNTRUSTED)
          : denied,
    };
  });
}
