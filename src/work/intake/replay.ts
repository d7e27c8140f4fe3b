// Owns a replay: it marks again all groups affected by changes that were taken in since an id or a time.
// Marks are idempotent. A replay counts nothing and emits no signal: the round that took the changes in has
// announced them.
import type { Transaction } from '../../db/index.js';
import { appendAudit } from '../../host/index.js';
import { readClassMap } from '../../inventory/group/index.js';
import { groupOf } from '../../inventory/snapshot/index.js';
import { requireId, requireTime, valueErrors } from '../../kernel/index.js';
import { advance, readCursor, readCursors } from '../../record/cursor/index.js';
import { BIRTHS } from '../follow/index.js';
import { type Applied, applyChanges, type Change } from './change.js';
import type { IntakeContext } from './context.js';
import { changesOfLogs } from './lines.js';
import { LOGS } from './log.js';
import { placeObjects } from './place.js';
import { readKeys, readLines, readPlaces } from './replay.sql.js';

/** From a birth id on, or from a time on. Only a time replays the logs, too. */
export type ReplayFrom = { readonly id: bigint } | { readonly at: string };

export interface Replay {
  readonly groups: number;
  readonly lines: number;
  readonly applied: Applied;
}

/**
 * Throws if nothing can have been taken in from there on: the id was not given yet, or the time is to come.
 */
export async function requireTakenIn(
  tx: Transaction,
  intake: { readonly worker: string; readonly source: string },
  from: ReplayFrom,
  at: string,
): Promise<void> {
  if ('id' in from) requireId('from', from.id);
  else requireTime('from', from.at);
  const near = (await readCursors(tx, intake)).find((each) => each.round === 'near');
  const last = BigInt(near?.watermark ?? '0');
  if ('id' in from && from.id > last)
    throw valueErrors.value_unknown(`from: no birth with the id ${from.id}, or a later one, was taken in`, {
      help: `the last birth that was taken in has the id ${last}; a time such as 2027-01-31 works, too`,
    });
  if ('at' in from && Date.parse(from.at) > Date.parse(at))
    throw valueErrors.value_invalid(`from: \`${from.at}\` is in the future`);
}

/** Runs in a transaction of the intake. Leaves changes that are not taken in yet to the rounds. */
export async function replay(
  tx: Transaction,
  { lease, db }: IntakeContext,
  from: ReplayFrom,
  at: string,
): Promise<Replay> {
  const near = await readCursor(tx, lease, 'near');
  const last = BigInt(near.watermark ?? '0');
  const map = await readClassMap(tx, db.schema);
  const [id, since] = 'id' in from ? [from.id, null] : [null, from.at];
  const params = { id, at: since, single: map.individual, last };
  const keys = (await tx.run(readKeys, params)).map((row) => ({
    collection: row.collection_name,
    code: row.entity_code,
  }));
  const places = await placeObjects(tx, map, keys);
  const touched = new Set([
    ...(await tx.run(readPlaces, params)).map((row) => groupOf(map, { ...row, member_status: null }).key),
    ...keys.flatMap((key) => places(key) ?? []),
  ]);
  const births = [...touched].map(
    (inventoryKey): Change => ({
      source: BIRTHS,
      action: 'added',
      table: BIRTHS,
      ref: inventoryKey,
      facts: [{ inventoryKey }],
    }),
  );
  const lines = since === null ? [] : await tx.run(readLines, { at: since });
  const logs = await changesOfLogs(
    tx,
    map,
    LOGS.map((log) => ({
      log,
      lines: lines
        .filter((line) => line.source === log.source)
        .map(({ ref, action, kind_of: kindOf, code }) => ({ ref, action, kindOf, code })),
      own: 0,
      more: false,
      lost: null,
    })),
  );
  const applied = await applyChanges(tx, [...births, ...logs], { at, announce: false });
  const detail = {
    from: 'id' in from ? String(from.id) : from.at,
    groups: touched.size,
    lines: lines.length,
    dirtied: applied.dirtied,
  };
  await appendAudit(tx, [
    {
      entityType: 'governance_cursor',
      action: 'replay',
      entityCode: `${lease.worker}:${lease.source}`,
      detail,
    },
  ]);
  await advance(tx, lease, 'near', { summary: { replay: detail } });
  return { groups: touched.size, lines: lines.length, applied };
}
