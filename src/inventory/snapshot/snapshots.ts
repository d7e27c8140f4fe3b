// Owns the commands about snapshots: capture, list, show, compare two, verify one against the current
// inventory, and prune.
import { z } from 'zod';
import { type Database, defineSetting, readSetting, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireId, requireKnown, requireLimit, requireWhole } from '../../kernel/index.js';
import { type Announce, type Captured, captureSnapshot, type ReadRuleset, readDocument } from './capture.js';
import { FORMAT, isIntact, parseDocument, type SnapshotDocument } from './document.js';
import { compareSnapshots, type Drift, parseDrift } from './drift.js';
import { snapshotErrors } from './errors.js';
import { type CapturedKind, kindName, kindOf, SCOPES, type SnapshotKind } from './store.js';
import { isFrozenRow, listRows, pruneRows, readOne } from './store.sql.js';

export interface SnapshotLine {
  readonly id: bigint;
  readonly kind: SnapshotKind;
  readonly at: string;
  readonly rulesetVersion: string | null;
  readonly phase: string | null;
  readonly identity: string | null;
  readonly objects: bigint | null;
  readonly grain: bigint | null;
  readonly groups: number | null;
  readonly unresolvedGroups: number | null;
  readonly drifted: number;
  readonly rebaseline: string | null;
  readonly inUse: boolean;
}

export interface SnapshotPage {
  readonly snapshots: readonly SnapshotLine[];
  readonly next: string | null;
}

export interface Snapshot {
  readonly id: bigint;
  readonly kind: SnapshotKind;
  readonly at: string;
  readonly notes: string | null;
  readonly inUse: boolean;
  readonly document: SnapshotDocument;
  readonly drift: Drift | null;
}

export interface SnapshotVerification {
  readonly id: bigint;
  /** Whether the stored content still matches the stored identity. */
  readonly intact: boolean;
  /** Whether the inventory still has the stored fingerprints. */
  readonly holds: boolean;
  readonly drift: Drift;
}

export interface Pruned {
  readonly dryRun: boolean;
  readonly keep: number;
  readonly snapshots: readonly { readonly id: bigint; readonly kind: string }[];
}

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

/** One complete snapshot of GCOS. */
export async function readSnapshot(tx: Transaction, id: bigint): Promise<Snapshot> {
  const [row] = await tx.run(readOne, { id: requireId('snapshot', id), format: FORMAT });
  if (row === undefined) throw snapshotErrors.snapshot_unknown(`there is no snapshot \`${id}\``);
  return {
    id,
    kind: kindOf(row.scope),
    at: row.snapshot_at,
    notes: row.notes,
    inUse: row.in_use,
    document: parseDocument(id, row.metrics),
    drift: parseDrift(row.delta),
  };
}

/**
 * Whether two readings of the inventory differed. Until a later capture gives equal readings, no ruleset is
 * activated.
 */
export async function isFrozen(tx: Transaction): Promise<boolean> {
  return (await tx.one(isFrozenRow, {})).frozen;
}

/** Only the groups that `other` contains, if it is a delta. */
function withinDelta(document: SnapshotDocument, other: Snapshot): SnapshotDocument {
  if (other.kind !== 'delta') return document;
  const groups = Object.entries(document.groups).filter(([key]) => key in other.document.groups);
  return { ...document, groups: Object.fromEntries(groups) };
}
const keepNumber = z.int().min(0).max(1_000_000);
/** How many of the last snapshots to keep, by kind. */
const keepSetting = z.record(z.string(), keepNumber);
const DEFAULT_KEEP = 12;
export const snapshotKeep = defineSetting({
  key: 'snapshot.keep',
  form: keepSetting,
  default: { default: 12 },
  about:
    'how many of the last snapshots of each kind to keep, besides those in use; default applies to every kind (backfill, full, scan, …) without a number of its own; the last of each kind is always kept',
});

export class Snapshots {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #announce: Announce;
  readonly #activeRuleset: ReadRuleset;

  /** @internal */
  constructor(db: Database, installation: Installation, announce: Announce, activeRuleset: ReadRuleset) {
    this.#db = db;
    this.#installation = installation;
    this.#announce = announce;
    this.#activeRuleset = activeRuleset;
  }

  /** Captures a snapshot; see captureSnapshot. */
  async capture(options: { readonly kind: CapturedKind; readonly sealed?: boolean }): Promise<Captured> {
    return captureSnapshot(this.#db, {
      ...options,
      announce: this.#announce,
      activeRuleset: this.#activeRuleset,
    });
  }

  /** Newest first. */
  async list(
    options: { readonly limit?: number; readonly after?: bigint; readonly kind?: SnapshotKind } = {},
  ): Promise<SnapshotPage> {
    const { kind } = options;
    const limit = requireLimit(options.limit ?? 50);
    const after = options.after === undefined ? null : requireId('after', options.after);
    if (kind !== undefined) requireKnown(kind, { what: 'kind', known: Object.keys(SCOPES) });
    await this.#installation.requireInstalled();
    const rows = await this.#db.transaction(READ_ONLY, (tx) =>
      tx.run(listRows, {
        format: FORMAT,
        limit: BigInt(limit),
        after,
        scope: kind === undefined ? null : SCOPES[kind],
      }),
    );
    const last = rows.at(-1);
    return {
      snapshots: rows.map((row) => ({
        id: row.id,
        kind: kindOf(row.scope),
        at: row.snapshot_at,
        rulesetVersion: row.ruleset_version,
        phase: row.phase,
        identity: row.identity,
        objects: row.objects,
        grain: row.grain,
        groups: row.groups,
        unresolvedGroups: row.unresolved_groups,
        drifted: row.drifted,
        rebaseline: row.rebaseline,
        inUse: row.in_use,
      })),
      next: rows.length < limit || last === undefined ? null : String(last.id),
    };
  }

  async show(id: bigint): Promise<Snapshot> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, (tx) => readSnapshot(tx, id));
  }

  /** The changes from one snapshot to another, of any kind; in the groups of a delta, if one is a delta. */
  async diff(from: bigint, to: bigint): Promise<Drift> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const [before, after] = [await readSnapshot(tx, from), await readSnapshot(tx, to)];
      return compareSnapshots(
        { id: from, document: withinDelta(before.document, after) },
        withinDelta(after.document, before),
      );
    });
  }

  /** Recomputes all fingerprints and compares them with the stored ones. Writes nothing. */
  async verify(id: bigint): Promise<SnapshotVerification> {
    await this.#installation.requireInstalled();
    const limitMs = this.#db.statementTimeoutMs;
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const stored = await readSnapshot(tx, id);
      const { run_id: runId, ruleset_version: rulesetVersion, phase, groups } = stored.document;
      const sealed = Object.values(groups).some((group) => group.sealed !== undefined);
      const now = await readDocument(tx, this.#db.schema, { runId, rulesetVersion, phase, sealed, limitMs });
      const drift = compareSnapshots(stored, withinDelta(now.document, stored));
      const intact = isIntact(stored.document);
      // Hashes that cannot be compared prove nothing.
      return { id, intact, holds: drift.groups.length === 0 && drift.rebaseline === null, drift };
    });
  }

  /**
   * Deletes the snapshots older than the minimum age of the setting `prune.minimum_age`, except those in use,
   * the last of each kind, and the last `keep` of each kind. What was deleted is recorded and audited.
   */
  async prune(options: { readonly keep?: number; readonly dryRun?: boolean } = {}): Promise<Pruned> {
    const { dryRun = false } = options;
    if (options.keep !== undefined) requireWhole('keep', options.keep, 0, 1_000_000);
    await this.#installation.requireInstalled();
    const work = async (tx: Transaction): Promise<Pruned> => {
      const byKind: Readonly<Record<string, number>> = await readSetting(tx, snapshotKeep);
      const keep = options.keep ?? byKind['default'] ?? DEFAULT_KEEP;
      const rows = await tx.run(pruneRows, { keep: options.keep ?? null });
      return { dryRun, keep, snapshots: rows.map((row) => ({ id: row.id, kind: kindName(row.scope) })) };
    };
    const how = { isolation: 'read committed' } as const;
    return dryRun ? this.#db.rehearse(how, work) : this.#db.transaction(how, work);
  }
}
