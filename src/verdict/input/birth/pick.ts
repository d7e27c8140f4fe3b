// Owns judging births: the input problems of each birth, set-based over a list of ids or of keys. The
// statements read the member registries named in the catalogue, so their text is built at run time.
import { fillParts, type Transaction } from '../../../db/index.js';
import { type ClassMap, memberTable } from '../../../inventory/group/index.js';
import { statusRegistries } from '../../../inventory/snapshot/index.js';
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
import { pickIds, pickKeys } from './pick.sql.js';

export interface ObjectKey {
  readonly collection: string;
  readonly code: string;
}

/**
 * The births with these ids, or with these keys. A call holds the judgement of all of them: callers with many
 * divide them.
 */
export type BirthPart = { readonly ids: readonly bigint[] } | { readonly keys: readonly ObjectKey[] };

/** One key of the inventory with its input state. */
export interface JudgedBirth extends ObjectKey {
  /** The lowest id among the births of the key that are in the part. */
  readonly id: bigint;
  readonly species: string | null;
  readonly status: string | null;
  readonly memberStatus: string | null;
  readonly listed: boolean;
  readonly origin: string | null;
  /** The input state in every scope; null: no problem. */
  readonly state: InputState | null;
  readonly cause: string | null;
  /** The scopes in which its source is denied. */
  readonly deniedIn: readonly string[];
  /** Whether an input problem of this key was ever recorded. */
  readonly known: boolean;
}

type Picked = Awaited<ReturnType<typeof pickRows>>[number];

/** The parameters of the statements that select births; `vouched` for those that also check sources. */
export function pickParams({ map, input, at }: JudgeOptions) {
  const {
    code_length: codeLength,
    born_after: bornAfter,
    future_seconds: futureSeconds,
    printable,
  } = input.limits;
  const { strict, knownOrigins: origins, knownCollections: sources } = input;
  const params = { individual: map.individual, codeLength, printable, bornAfter, at, futureSeconds, strict };
  const vouched = { ...params, strict: [...strict, ...input.deniedCollections], origins, sources };
  return { params, vouched };
}

async function pickRows(tx: Transaction, part: BirthPart, options: JudgeOptions) {
  const parts = { members: memberTable(statusRegistries(options.map)) };
  const { params, vouched } = pickParams(options);
  if ('ids' in part) return tx.run(fillParts(pickIds, parts), { ...vouched, ids: part.ids });
  return tx.run(fillParts(pickKeys, parts), {
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

/**
 * Judges a part of the inventory: all births that are evaluated one by one, and all others with an input
 * problem. Only a call by keys reads all births of a key and can find keys with more than one birth.
 */
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
      // If the whole collection is untrusted, its container row represents all members.
      deniedIn:
        denied.length > 0 && inherits
          ? denied.filter((scope) => input.wholeIn(row.collection_name, scope) !== UNTRUSTED)
          : denied,
    };
  });
}
