// Owns the signals about owners: who was assigned, revoked or delegated, and whose delegation has ended. The
// intake sees changes of ownership rows and of the owners of axes; a term that begins or ends by the clock is
// noticed in the round after that. A row that only renews another one changes no owner.
import { z } from 'zod';
import type { Transaction } from '../../db/index.js';
import { canonicalJson, domainHash } from '../../kernel/index.js';
import { emitSignals, type Signal } from '../../record/event/index.js';
import { addressOf, shorten } from '../subject.js';
import { isDue, rateTerms, readBoundaries, readNextBoundary } from './ownership.sql.js';
import { collectionsByClass } from './place.js';
import type { Difference, RowFacts } from './watch.js';

const OWNERSHIP = 'governance_object_ownership';
const AXES = 'axis_owner';

/** Until when terms were checked, and when the next one begins or ends; null: none does. */
export const termsSchema = z.object({ until: z.string(), next: z.string().nullable() });
export type Terms = z.infer<typeof termsSchema>;

type Row = RowFacts[number];
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** One owner that began or ceased to answer for a subject. */
interface Turn {
  readonly what: 'began' | 'ended' | 'expired';
  /** The key of the row. */
  readonly key: string;
  readonly row: Row;
  /** What distinguishes this turn from others of the same row. */
  readonly since: string | null;
}

const TYPES: Readonly<Record<string, Readonly<Record<Turn['what'], string>>>> = {
  accountable: { began: 'owner.assigned', ended: 'owner.revoked', expired: 'owner.revoked' },
  delegated: { began: 'authority.delegated', ended: 'authority.revoked', expired: 'authority.expired' },
};

/** Who answers for what: rows that agree in this are one assignment. */
const identityOf = (row: Row): string =>
  JSON.stringify(
    ['owner_kind', 'object_type', 'object_ref', 'scope', 'owner_gov_code'].map((name) => row[name]),
  );

/** The turns in changed rows of ownership. */
async function turnsOf(tx: Transaction, differences: readonly Difference[], at: string): Promise<Turn[]> {
  const rows = differences.flatMap(({ key, before, after }) => [
    ...before.map((row) => ({ key: key.join(':'), row, old: true })),
    ...after.map((row) => ({ key: key.join(':'), row, old: false })),
  ]);
  if (rows.length === 0) return [];
  const rated = await tx.run(rateTerms, { rows: rows.map(({ row }) => JSON.stringify(row)), at });
  const expired: Turn[] = [];
  const began = new Map<string, Turn[]>();
  const ended = new Map<string, Turn[]>();
  for (const [index, { key, row, old }] of rows.entries()) {
    const rating = rated[index];
    // A term that ended before its row was closed: the end is announced once, by the first that notices it.
    if (rating?.is_over === true && row['owner_kind'] === 'delegated')
      expired.push({ what: 'expired', key, row, since: text(row['effective_to']) });
    if (rating?.in_force !== true) continue;
    const list = old ? ended : began;
    const turn: Turn = { what: old ? 'ended' : 'began', key, row, since: at };
    list.set(identityOf(row), [...(list.get(identityOf(row)) ?? []), turn]);
  }
  const changed = (some: ReadonlyMap<string, Turn[]>, other: ReadonlyMap<string, Turn[]>): Turn[] =>
    [...some].flatMap(([identity, turns]) => (other.has(identity) ? [] : turns.slice(0, 1)));
  return [...changed(ended, began), ...expired, ...changed(began, ended)];
}

/** The turns that the clock made since the last check, except in rows that changed. */
async function turnsOfClock(
  tx: Transaction,
  since: string | null,
  at: string,
  changed: ReadonlySet<string>,
): Promise<Turn[]> {
  const rows = await tx.run(readBoundaries, { since, at });
  return rows.flatMap((found): Turn[] => {
    const row = JSON.parse(found.facts) as Row;
    const key = (JSON.parse(found.row_key) as unknown[]).map(String).join(':');
    if (changed.has(key)) return [];
    const what = found.is_over ? 'expired' : 'began';
    return [{ what, key, row, since: text(row[found.is_over ? 'effective_to' : 'effective_from']) }];
  });
}

function signalOf(
  { what, key, row, since }: Turn,
  collections: ReadonlyMap<string, readonly string[]>,
  at: string,
): Signal | undefined {
  const type = TYPES[String(row['owner_kind'])]?.[what];
  const [objectType, objectRef] = [text(row['object_type']), text(row['object_ref'])];
  const owner = text(row['owner_gov_code']);
  if (type === undefined || objectType === null || objectRef === null || owner === null) return undefined;
  const [scope, approval, expires] = ['scope', 'approval_ref', 'effective_to'].map((name) => text(row[name]));
  return {
    type,
    ...addressOf({ type: objectType, code: objectRef, registry: collections.get(objectType)?.[0] ?? null }),
    occurredAt: at,
    dedupeKey: `ownership:${domainHash('gcos-ownership', canonicalJson([key, what, since, identityOf(row)]))}`,
    payload: {
      owner: shorten(owner),
      refs: [shorten(`${OWNERSHIP}:${key}`)],
      ...(scope == null ? {} : { scope: scope.slice(0, 100) }),
      ...(approval == null ? {} : { approval_ref: shorten(approval) }),
      ...(expires == null ? {} : { expires_at: expires.slice(0, 40) }),
    },
  };
}

/** The owners that axes got and lost. */
function signalsOfAxes(differences: readonly Difference[], at: string): Signal[] {
  return differences.flatMap(({ key, before, after }) => {
    const [axis = ''] = key;
    const ownersOf = (rows: RowFacts) =>
      rows.flatMap((row) => [text(row['owner_gov_code'])].filter((owner) => owner !== null));
    const [had, has] = [new Set(ownersOf(before)), new Set(ownersOf(after))];
    const signal = (type: string, owner: string): Signal => ({
      type,
      ...addressOf({ type: 'axis_family', code: axis, registry: null }),
      occurredAt: at,
      dedupeKey: `axis:${domainHash('gcos-axis', canonicalJson([axis, owner, at]))}`,
      payload: { owner: shorten(owner), refs: [shorten(`axis_registry:${axis}`)] },
    });
    return [
      ...[...had].filter((owner) => !has.has(owner)).map((owner) => signal('axis.owner_revoked', owner)),
      ...[...has].filter((owner) => !had.has(owner)).map((owner) => signal('axis.owner_assigned', owner)),
    ];
  });
}

/**
 * Announces the owners that changed in `differences` or by the clock; returns until when terms are checked.
 * `known` is what the last round returned.
 */
export async function announceOwners(
  tx: Transaction,
  differences: readonly Difference[],
  known: Terms | undefined,
  run: { readonly at: string },
): Promise<Terms> {
  const { at } = run;
  const of = (source: string) => differences.filter(({ watched }) => watched.source === source);
  const rows = of(OWNERSHIP);
  const due =
    known === undefined ||
    rows.length > 0 ||
    (known.next !== null && (await tx.one(isDue, { nextAt: known.next, at })).due);
  const turns = due
    ? [
        ...(await turnsOf(tx, rows, at)),
        ...(await turnsOfClock(tx, known?.until ?? null, at, new Set(rows.map(({ key }) => key.join(':'))))),
      ]
    : [];
  const collections =
    turns.length === 0 ? new Map<string, readonly string[]>() : await collectionsByClass(tx);
  const signals = [
    ...turns.flatMap((turn) => signalOf(turn, collections, at) ?? []),
    ...signalsOfAxes(of(AXES), at),
  ];
  await emitSignals(tx, signals);
  return { until: at, next: due ? (await tx.one(readNextBoundary, { at })).next_at : known.next };
}
