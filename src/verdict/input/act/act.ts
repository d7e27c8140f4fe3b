// Owns what people decide about input: setting objects aside, releasing them, trusting a source. The database decides whether the
// caller may, and writes the audit row; this file puts its answer into words. Each runs in the caller's transaction.
import type { Transaction } from '../../../db/index.js';
import type { HostMapping } from '../../../host/index.js';
import { activeScopes } from '../../../inventory/group/index.js';
import { currentActor } from '../../../record/approval/index.js';
import type { ObjectKey } from '../birth/pick.js';
import { inputErrors } from '../errors.js';
import type { TrustLevel } from '../policy.js';
import { quarantineRows, releaseRows, trustRow } from './act.sql.js';

export interface InputActOptions {
  readonly mapping: HostMapping;
  readonly at: string;
  /** The person to act for; only for a login that may, and then unverified. */
  readonly as?: string;
  readonly reason?: string;
}

/** Who did it, and how much it changed. */
export interface InputAct {
  readonly person: string;
  readonly verified: boolean;
  readonly changed: number;
}

const LONGEST = 2_000;

function shared({ mapping, at, as, reason }: InputActOptions) {
  const text = reason?.trim() ?? '';
  if (text.length > LONGEST || text.includes('\0'))
    throw inputErrors.input_invalid(`a reason has at most ${LONGEST} characters, and no null character`);
  return {
    reason: text === '' ? null : text,
    as: as ?? null,
    at,
    alertLevel: mapping.wordFor('alert_level', 'info') ?? 'info',
  };
}

async function actOn(
  tx: Transaction,
  act: typeof quarantineRows,
  keys: readonly ObjectKey[],
  options: InputActOptions,
): Promise<InputAct> {
  // Says in its own words who is not known, before anything is touched.
  await currentActor(tx, options.as);
  const row = await tx.one(act, {
    collections: keys.map((key) => key.collection),
    codes: keys.map((key) => key.code),
    ...shared(options),
  });
  const name = JSON.stringify([row.unknown_collection, row.unknown_code]);
  if (row.outcome === 'object_unknown')
    throw inputErrors.input_object_unknown(`nothing was born as \`${name}\``);
  if (row.outcome === 'not_quarantined')
    throw inputErrors.input_not_quarantined(`\`${name}\` is not in quarantine`);
  if (row.outcome !== 'ok') throw inputErrors.input_invalid(`the database refused: ${row.outcome}`);
  return { person: row.person_ref ?? '', verified: row.verified === true, changed: Number(row.changed) };
}

/** Sets objects aside until somebody releases them; those that are already aside stay as they are. */
export async function quarantineObjects(
  tx: Transaction,
  keys: readonly ObjectKey[],
  options: InputActOptions,
): Promise<InputAct> {
  return actOn(tx, quarantineRows, keys, options);
}

/** Lets objects out of quarantine; whatever else is wrong with them stays. */
export async function releaseObjects(
  tx: Transaction,
  keys: readonly ObjectKey[],
  options: InputActOptions,
): Promise<InputAct> {
  return actOn(tx, releaseRows, keys, options);
}

export interface TrustDecision {
  /** Births that name it as their dot_origin; or a collection: its births that name none, and all of them where it is denied. */
  readonly kind: 'origin' | 'collection';
  readonly source: string;
  /** Left out: every scope that has no decision of its own. */
  readonly scope?: string;
  /** `default`: as if nobody had decided. */
  readonly level: TrustLevel | 'default';
}

/** Says how far a source is trusted. */
export async function trustSource(
  tx: Transaction,
  decision: TrustDecision,
  options: InputActOptions,
): Promise<InputAct & { readonly before: string | null }> {
  const { kind, source, scope, level } = decision;
  if (source === '' || source.includes('\0')) throw inputErrors.input_invalid('a source has a name');
  const scopes = await activeScopes(tx);
  if (scope !== undefined && !scopes.includes(scope))
    throw inputErrors.input_invalid(`\`${scope}\` is no active scope`, {
      help: `the scopes are ${scopes.join(', ')}`,
    });
  await currentActor(tx, options.as);
  const row = await tx.one(trustRow, { kind, source, scope: scope ?? '*', level, ...shared(options) });
  if (row.outcome !== 'ok') throw inputErrors.input_invalid(`the database refused: ${row.outcome}`);
  return {
    person: row.person_ref ?? '',
    verified: row.verified === true,
    changed: Number(row.changed),
    before: row.before,
  };
}
