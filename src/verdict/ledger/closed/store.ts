// Owns the stored ledgers: the last closed one, the rows it accounted for, and the changes since.
import type { Transaction } from '../../../db/index.js';
import type { GoneRows, GroupName } from '../ledger.js';
import { type Accounted, groupNameOf, type LedgerDocument, parseDocument } from './document.js';
import { readAccountedRows, readChangeRows, readLast, readNames } from './store.sql.js';

export interface ClosedLedger {
  readonly runId: string;
  readonly kind: string;
  readonly mode: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly rulesetVersion: string | null;
  readonly snapshotRef: bigint | null;
  readonly closingSnapshotRef: bigint | null;
  readonly document: LedgerDocument;
}

/** The ledger of the last completed closing run; with `any`, of the last run that counted. */
export async function readClosed(
  tx: Transaction,
  options: { readonly except?: string; readonly any?: boolean } = {},
): Promise<ClosedLedger | undefined> {
  const [row] = await tx.run(readLast, { except: options.except ?? '', any: options.any ?? false });
  if (row === undefined) return undefined;
  return {
    runId: row.run_id,
    kind: row.kind,
    mode: row.mode,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    rulesetVersion: row.ruleset_version,
    snapshotRef: row.source_snapshot_ref,
    closingSnapshotRef: row.closing_snapshot_ref,
    document: parseDocument(row.run_id, row.ledger),
  };
}

export interface AccountedSince {
  /** The rows that exist now, to store with a ledger. */
  readonly accounted: Accounted;
  /** Scope → rows that the previous ledger accounted for and that no longer exist. */
  readonly gone: ReadonlyMap<string, readonly GoneRows[]>;
}

/**
 * The rows that exist, and those deleted since `before`. INVARIANT: rows written since do not offset deleted
 * rows.
 */
export async function readAccounted(tx: Transaction, before: Accounted | undefined): Promise<AccountedSince> {
  const rows = await tx.run(readAccountedRows, { lastRow: BigInt(before?.last_row ?? 0) });
  const last = rows.reduce((highest, row) => (row.last_row > highest ? row.last_row : highest), 0n);
  return {
    accounted: {
      last_row: String(last),
      rows: rows.map((row) => [row.kind as 'group' | 'object', row.scope, row.place, Number(row.rows)]),
    },
    gone: before === undefined ? new Map() : await nameGone(tx, before, rows),
  };
}

async function nameGone(
  tx: Transaction,
  before: Accounted,
  rows: readonly { kind: string; scope: string; place: string; rows_before: bigint }[],
): Promise<ReadonlyMap<string, readonly GoneRows[]>> {
  const placeOf = (kind: string, scope: string, place: string) => JSON.stringify([kind, scope, place]);
  const now = new Map(rows.map((row) => [placeOf(row.kind, row.scope, row.place), Number(row.rows_before)]));
  const lost = before.rows.flatMap(([kind, scope, place, count]) => {
    const missing = count - (now.get(placeOf(kind, scope, place)) ?? 0);
    return missing > 0 ? [{ kind, scope, place, missing }] : [];
  });
  const keys = lost.flatMap(({ kind, place }) => (kind === 'group' ? [place] : []));
  const names = new Map<string, GroupName>(
    keys.length === 0
      ? []
      : (await tx.run(readNames, { keys })).map((row) => [row.inventory_key, groupNameOf(row)]),
  );
  const gone = new Map<string, GoneRows[]>();
  for (const { kind, scope, place, missing } of lost) {
    const group = kind === 'group' ? (names.get(place) ?? null) : null;
    const list = gone.get(scope) ?? [];
    gone.set(scope, list);
    list.push({ group, collection: group?.sourceRegistry ?? place, rows: missing });
  }
  return gone;
}

export interface ScopeChanges {
  readonly scope: string;
  /** Reason → live rows that are no longer valid. */
  readonly noLongerValid: Readonly<Record<string, number>>;
  /** The same, counted in units of the ledger. */
  readonly unitsNoLongerValid: number;
  /** Groups without a verdict. */
  readonly groupsWithoutRow: number;
}

/** The verdicts that are no longer valid at `at`, by scope. Scopes without such verdicts are omitted. */
export async function readChanges(tx: Transaction, at: string): Promise<readonly ScopeChanges[]> {
  const rows = await tx.run(readChangeRows, { at });
  return [...new Set(rows.map((row) => row.scope))].map((scope) => {
    const own = rows.filter((row) => row.scope === scope);
    const invalid = own.filter((row) => row.reason !== 'no_row');
    return {
      scope,
      noLongerValid: Object.fromEntries(invalid.map((row) => [row.reason, Number(row.rows)])),
      unitsNoLongerValid: invalid.reduce((sum, row) => sum + Number(row.units), 0),
      groupsWithoutRow: Number(own.find((row) => row.reason === 'no_row')?.rows ?? 0n),
    };
  });
}
