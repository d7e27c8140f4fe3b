// Owns break-glass passes: request, read, close. A pass needs two people and lasts minutes: the requester
// cannot approve it under any login, and its time starts with the approval. Only the database decides whether
// a pass is in force, by its own clock.
import { z } from 'zod';
import { defineSetting, readServerTime, type Transaction } from '../../db/index.js';
import { readRulesInForce, settingIn } from '../../host/index.js';
import { requireForm, requireLimit } from '../../kernel/index.js';
import { currentActor, requireApprovals } from '../../record/approval/index.js';
import { readPlaces } from '../explain/index.js';
import type { Action, Stage } from '../gate/index.js';
import { breakGlassErrors } from './errors.js';
import { closeRow, list, lock, openRow, readSame } from './pass.sql.js';

export type PassSubject =
  | { readonly kind: 'object'; readonly collection: string; readonly code: string }
  | { readonly kind: 'group'; readonly inventoryKey: string };

/**
 * Only `in_force` overrides a block. `lapsed`: a decision relied on it or GCOS noted it, and its approval no
 * longer stands; such a pass never becomes `late`, `refused` or `unratified`.
 */
export type PassStatus =
  | 'waiting'
  | 'in_force'
  | 'over'
  | 'closed'
  | 'lapsed'
  | 'late'
  | 'refused'
  | 'unratified';

export interface Pass {
  readonly code: string;
  readonly subject: PassSubject;
  readonly stage: Stage;
  readonly action: Action;
  readonly minutes: number;
  readonly reason: string;
  readonly requestedBy: string;
  readonly requestedAt: string;
  /** The deadline of the approval. */
  readonly approveBy: string;
  readonly approvalRef: string;
  /** The time of the approval; null: not approved. */
  readonly beganAt: string | null;
  readonly endsAt: string | null;
  readonly status: PassStatus;
  /**
   * When GCOS verified that the subject was re-evaluated after the end of the pass; until then its finding is
   * open.
   */
  readonly verifiedAt: string | null;
}

export interface PassRequest {
  readonly subject: PassSubject;
  readonly stage: Stage;
  readonly action: Action;
  /** Default: from the setting `gate.break_glass`. */
  readonly minutes?: number;
}

export interface RequestedPass {
  readonly pass: Pass;
  /** False: the same pass was requested before, and no new request was opened. */
  readonly opened: boolean;
}

const limits = z.object({
  minutes: z.int().positive(),
  longest_minutes: z.int().positive(),
  approve_within_minutes: z.int().positive().optional(),
});
export const breakGlassLimits = defineSetting({
  key: 'gate.break_glass',
  form: limits,
  default: { minutes: 15, longest_minutes: 60, approve_within_minutes: 60 },
  about:
    'how many minutes a break-glass pass is in force from its approval by default, the maximum, and how long after the request it can be approved',
});

export interface PassPage {
  readonly limit?: number;
  readonly after?: string;
  readonly code?: string;
}

/** Passes with their status at `at`, the latest first. */
export async function readPasses(tx: Transaction, at: string, page: PassPage = {}): Promise<readonly Pass[]> {
  const { after = null, code = null } = page;
  const limit = requireLimit(page.limit ?? 50);
  if (after !== null) requireForm('after', after, /^[A-Z]{1,8}-\d{1,18}$/, 'GBG-0001');
  const rows = await tx.run(list, { at, limit: BigInt(limit), after, code });
  return rows.map((row) => ({
    code: row.pass_code,
    subject:
      row.inventory_key === null
        ? { kind: 'object', collection: row.collection_name ?? '', code: row.entity_code ?? '' }
        : { kind: 'group', inventoryKey: row.inventory_key },
    stage: row.stage as Stage,
    action: row.action as Action,
    minutes: row.minutes,
    reason: row.reason,
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    approveBy: row.approve_by,
    approvalRef: row.approval_ref,
    beganAt: row.began_at,
    endsAt: row.ends_at,
    status: row.status as PassStatus,
    verifiedAt: row.verified_at,
  }));
}

async function requirePass(tx: Transaction, code: string, at: string): Promise<Pass> {
  const [found] = await readPasses(tx, at, { code });
  if (found === undefined) throw breakGlassErrors.break_glass_not_open(`there is no pass \`${code}\``);
  return found;
}

/** The subject as it is stored: a group by its inventory key. */
async function storedSubject(tx: Transaction, subject: PassSubject) {
  if (subject.kind === 'object')
    return { collection: subject.collection, code: subject.code, inventoryKey: null };
  const [found] = (await readPlaces(tx, subject.inventoryKey)).values();
  if (found === undefined)
    throw breakGlassErrors.break_glass_subject_unknown(`no group has the key \`${subject.inventoryKey}\``);
  return { collection: null, code: null, inventoryKey: found.inventoryKey };
}

/** Opens the approval request and records the waiting pass; the transaction must be read committed. */
export async function submitPassRequest(
  tx: Transaction,
  request: PassRequest,
  options: { readonly reason: string; readonly as?: string },
): Promise<RequestedPass> {
  const { as } = options;
  const { stage, action } = request;
  const reason = options.reason.trim();
  if (reason === '') throw breakGlassErrors.break_glass_invalid('a break-glass pass needs a reason');
  await currentActor(tx, as);
  const setting = settingIn(await readRulesInForce(tx), breakGlassLimits);
  const minutes = request.minutes ?? setting.minutes;
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > setting.longest_minutes)
    throw breakGlassErrors.break_glass_invalid(
      `\`${minutes}\` is not a whole number of minutes from 1 to ${setting.longest_minutes}`,
    );
  await requireApprovals(tx);
  await tx.one(lock, {});
  const { inventoryKey, ...object } = await storedSubject(tx, request.subject);
  // After the lock: a session that waited for it must see what the one before it wrote as already requested.
  const at = await readServerTime(tx);
  const [same] = await tx.run(readSame, { ...object, inventoryKey, stage, action, at });
  if (same !== undefined) return { pass: await requirePass(tx, same.pass_code, at), opened: false };
  const row = await tx.one(openRow, {
    ...object,
    ...{ group: inventoryKey, stage, action, minutes, reason, as: as ?? null },
  });
  if (row.outcome === 'subject_unknown')
    throw breakGlassErrors.break_glass_subject_unknown(
      `there is no birth of \`${object.collection} / ${object.code}\``,
    );
  if (row.outcome !== 'ok' || row.pass_code === null)
    throw breakGlassErrors.break_glass_invalid(`the database refused: ${row.outcome}`);
  return { pass: await requirePass(tx, row.pass_code, await readServerTime(tx)), opened: true };
}

/** Ends a pass early, or withdraws a waiting one. */
export async function closePass(
  tx: Transaction,
  code: string,
  options: { readonly as?: string },
): Promise<Pass> {
  const { as } = options;
  await currentActor(tx, as);
  const { outcome } = await tx.one(closeRow, { code, as: as ?? null });
  if (outcome !== 'ok') throw breakGlassErrors.break_glass_not_open(`\`${code}\` is not open`);
  return requirePass(tx, code, await readServerTime(tx));
}
