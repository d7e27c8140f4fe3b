// Owns the decisions of people about input: quarantine objects, release them, trust a source. The database
// functions check whether the caller may act and write the audit row; this file turns their outcome into a
// result or an error. Each decision runs in the caller's transaction.
import type { Transaction } from '../../../db/index.js';
import { activeScopes } from '../../../inventory/group/index.js';
import { requireKnown } from '../../../kernel/index.js';
import { currentActor, type IdentityLevel, levelOf } from '../../../record/approval/index.js';
import type { ObjectKey } from '../birth/pick.js';
import { inputErrors } from '../errors.js';
import type { TrustLevel } from '../policy.js';
import { requireSource } from '../source.js';
import { quarantineRows, releaseRows, trustRow } from './act.sql.js';

export interface InputActOptions {
  /** The person to act for. Only a login with that right may set it, and the identity is then unverified. */
  readonly as?: string;
  readonly reason?: string;
}

/** The acting person, and how many rows changed. */
export interface InputAct {
  readonly person: string;
  readonly verified: boolean;
  readonly identityLevel: IdentityLevel | null;
  readonly changed: number;
}

const LONGEST = 2_000;

function shared({ as, reason }: InputActOptions) {
  const text = reason?.trim() ?? '';
  if (text.length > LONGEST || text.includes('\0'))
    throw inputErrors.input_invalid(`a reason has at most ${LONGEST} characters, and no null character`);
  return { reason: text === '' ? null : text, as: as ?? null };
}

async function actOn(
  tx: Transaction,
  act: typeof quarantineRows,
  keys: readonly ObjectKey[],
  options: InputActOptions,
): Promise<InputAct> {
  // Fails with a specific error for an unknown actor, before anything changes.
  await currentActor(tx, options.as);
  const row = await tx.one(act, {
    collections: keys.map((key) => key.collection),
    codes: keys.map((key) => key.code),
    ...shared(options),
  });
  const name = JSON.stringify([row.unknown_collection, row.unknown_code]);
  if (row.outcome === 'object_unknown') throw inputErrors.input_object_unknown(`\`${name}\` has no birth`);
  if (row.outcome === 'not_quarantined')
    throw inputErrors.input_not_quarantined(`\`${name}\` is not in quarantine`);
  if (row.outcome !== 'ok') throw inputErrors.input_invalid(`the database refused: ${row.outcome}`);
  return {
    person: row.person_ref ?? '',
    verified: row.verified === true,
    identityLevel: levelOf(row.login, row.verified),
    changed: Number(row.changed),
  };
}

/** Quarantines objects until a person releases them. Objects already in quarantine stay unchanged. */
export async function quarantineObjects(
  tx: Transaction,
  keys: readonly ObjectKey[],
  options: InputActOptions,
): Promise<InputAct> {
  return actOn(tx, quarantineRows, keys, options);
}

/** Releases objects from quarantine. Their other input problems stay. */
export async function releaseObjects(
  tx: Transaction,
  keys: readonly ObjectKey[],
  options: InputActOptions,
): Promise<InputAct> {
  return actOn(tx, releaseRows, keys, options);
}

export interface TrustDecision {
  /**
   * An origin covers the births with this dot_origin. A collection covers its births without an origin, and
   * all of its births where it is denied.
   */
  readonly kind: 'origin' | 'collection';
  readonly source: string;
  /** Omitted: every scope without a decision of its own. */
  readonly scope?: string;
  /** `default`: as if no decision had been made. */
  readonly level: TrustLevel | 'default';
}

/** Sets the trust level of a source. */
export async function trustSource(
  tx: Transaction,
  decision: TrustDecision,
  options: InputActOptions,
): Promise<InputAct & { readonly before: string | null }> {
  const { kind, source, scope, level } = decision;
  if (source === '' || source.includes('\0')) throw inputErrors.input_invalid('a source needs a name');
  requireKnown(level, { what: 'trust level', known: ['trusted', 'monitored', 'denied', 'default'] });
  if (scope !== undefined) requireKnown(scope, { what: 'active scope', known: await activeScopes(tx) });
  if (shared(options).reason === null)
    throw inputErrors.input_reason_missing(`a decision about \`${source}\` needs a reason`);
  await currentActor(tx, options.as);
  await requireSource(tx, source, kind);
  const row = await tx.one(trustRow, { kind, source, scope: scope ?? '*', level, ...shared(options) });
  if (row.outcome !== 'ok') throw inputErrors.input_invalid(`the database refused: ${row.outcome}`);
  return {
    person: row.person_ref ?? '',
    verified: row.verified === true,
    identityLevel: levelOf(row.login, row.verified),
    changed: Number(row.changed),
    before: row.before,
  };
}
