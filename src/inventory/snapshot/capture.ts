// Owns capturing a snapshot. One repeatable-read transaction reads the inventory, compares it with the
// previous snapshot, and appends the row, its audit row and its groups: all of it or nothing. A failed
// capture raises a finding of its own.
import { randomUUID } from 'node:crypto';
import { type Database, isConnectionLoss, readServerTime, type Transaction } from '../../db/index.js';
import { appendAudit } from '../../host/index.js';
import { hasCode, toWire } from '../../kernel/index.js';
import {
  coalesceKey,
  type FindingContext,
  type Observation,
  resolveFindings,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { type ClassMap, readClassMap, refreshGroups } from '../group/index.js';
import { lockInventory } from './capture.sql.js';
import { noteGroups } from './cite.js';
import { FORMAT, makeDocument, parseDocument, type SnapshotDocument } from './document.js';
import { compareSnapshots, type Drift } from './drift.js';
import { snapshotErrors } from './errors.js';
import { type Inventory, LITTLE_ENDIAN, type ReadOptions, readInventory } from './fingerprint/fingerprint.js';
import { readServerFacts } from './fingerprint/fingerprint.sql.js';
import { readSealedDigests } from './fingerprint/sealed.js';
import { GAP_TYPE, readInventoryGaps } from './gap.js';
import { type CapturedKind, SCOPES } from './store.js';
import { appendRow, readLatest } from './store.sql.js';

/** The time limit of every statement over the inventory, at any size. */
export const STATEMENT_LIMIT_MS = 5_000;

/** Receives the transitions of findings, in the transaction that wrote them. */
export type Announce = (
  tx: Transaction,
  transitions: Transitions,
  context: { readonly runId: string; readonly at: string },
) => Promise<unknown>;

/**
 * Reads the version of the active ruleset. The ruleset module belongs to a higher layer, so the caller passes
 * this function.
 */
export type ReadRuleset = (tx: Transaction) => Promise<string | null>;

export type InventoryReader = (tx: Transaction, map: ClassMap, options: ReadOptions) => Promise<Inventory>;

export interface CaptureOptions {
  readonly kind: CapturedKind;
  readonly announce: Announce;
  /** Reads the active ruleset version in the snapshot's transaction; null or omitted: none. */
  readonly activeRuleset?: ReadRuleset;
  /** The phase of a longer run; `closed` for a stand-alone snapshot. */
  readonly phase?: string;
  readonly sealed?: boolean;
  readonly limitMs?: number;
  /**
   * The independent second reading. Default: through the primary key, and none for kind `scan`. Null: the
   * caller reads everything a second time itself.
   */
  readonly secondReader?: InventoryReader | null;
  /** Whether unknown groups are left to the tail, which counts their members when it creates them. */
  readonly leavesGroups?: boolean;
}

export interface Captured {
  readonly id: bigint;
  readonly kind: CapturedKind;
  readonly at: string;
  readonly document: SnapshotDocument;
  readonly drift: Drift;
  readonly groupsCreated: number;
  readonly ranges: number;
  /** Whether a second reading by another path gave the same result. */
  readonly confirmed: boolean;
}

/**
 * Another path to the same sums: through the primary key, with other ranges and no parallel workers. It
 * detects a damaged index.
 */
export const readInventoryByKey: InventoryReader = (tx, map, options) =>
  tx.withSettings({ enable_seqscan: 'off', max_parallel_workers_per_gather: '0' }, () =>
    readInventory(tx, map, { ...options, parts: 3 }),
  );

/** The current inventory as a document, in the caller's repeatable-read transaction. */
export async function readDocument(
  tx: Transaction,
  schema: string,
  options: {
    readonly runId: string;
    readonly rulesetVersion: string | null;
    readonly phase: string;
    readonly sealed: boolean;
    readonly limitMs: number;
  },
): Promise<{
  readonly map: ClassMap;
  readonly inventory: Inventory;
  readonly document: SnapshotDocument;
}> {
  const { limitMs, ...rest } = options;
  const map = await readClassMap(tx, schema);
  const server = await tx.one(readServerFacts, { littleEndian: LITTLE_ENDIAN });
  const inventory = await readInventory(tx, map, { limitMs });
  const sealed = options.sealed ? await readSealedDigests(tx, map, { limitMs }) : undefined;
  return { map, inventory, document: makeDocument({ ...rest, server, groups: inventory.groups, sealed }) };
}

async function lockCaptures(tx: Transaction): Promise<void> {
  try {
    await tx.run(lockInventory, {});
  } catch (error) {
    if (!hasCode(error, 'lock_timeout')) throw error;
    throw snapshotErrors.snapshot_busy('another process is capturing a snapshot', { cause: error });
  }
}

/** Reads the inventory again by another path. Both readings must be identical. */
async function confirm(
  tx: Transaction,
  options: CaptureOptions,
  read: { readonly map: ClassMap; readonly document: SnapshotDocument },
): Promise<boolean> {
  const byDefault = options.kind === 'scan' ? null : readInventoryByKey;
  const second = options.secondReader === undefined ? byDefault : options.secondReader;
  if (second === null) return false;
  const { groups } = await second(tx, read.map, {
    limitMs: options.limitMs ?? tx.statementTimeoutMs,
  });
  const { run_id: runId, ruleset_version: rulesetVersion, phase, server } = read.document;
  const again = makeDocument({ runId, rulesetVersion, phase, server, groups });
  const { groups: differing } = compareSnapshots({ id: 0n, document: again }, read.document);
  if (differing.length === 0) return true;
  throw snapshotErrors.snapshot_nondeterministic(
    `two readings of the same inventory differ in ${differing.length} of ${read.document.totals.groups} groups`,
    {
      facts: {
        groups: differing
          .slice(0, 20)
          .map((each) => ({ inventory_key: each.inventoryKey, source_registry: each.sourceRegistry })),
      },
    },
  );
}

const failure = (kind: CapturedKind, error: unknown): Observation => ({
  type: 'snapshot_capture_failed',
  subject: kind,
  entityType: 'snapshot_kind',
  entityCode: kind,
  evidence: { error: error instanceof Error ? error.message : String(error) },
});

const nondeterministic = (facts: Readonly<Record<string, unknown>>): Observation => ({
  type: 'snapshot_nondeterministic',
  subject: 'birth_registry',
  entityType: 'table',
  entityCode: 'birth_registry',
  evidence: facts,
});

const keyOf = (observation: Observation): string => coalesceKey(observation, 'snapshot');

async function syncFindings(
  tx: Transaction,
  options: CaptureOptions,
  context: FindingContext,
  gaps: readonly Observation[],
  confirmed: boolean,
): Promise<void> {
  const overcome = [failure(options.kind, ''), ...(confirmed ? [nondeterministic({})] : [])];
  const written = await writeFindings(tx, gaps, {
    ...context,
    evaluated: { types: [GAP_TYPE], subjects: 'all' },
  });
  const resolved = await resolveFindings(tx, overcome.map(keyOf), context);
  for (const transitions of [written, resolved]) await options.announce(tx, transitions, context);
}

/**
 * A previous snapshot that is malformed must not block all later ones: this snapshot is then a new baseline.
 */
function driftSince(
  last: { readonly id: bigint; readonly metrics: string } | undefined,
  document: SnapshotDocument,
): Drift {
  if (last === undefined) return compareSnapshots(undefined, document);
  try {
    return compareSnapshots({ id: last.id, document: parseDocument(last.id, last.metrics) }, document);
  } catch (error) {
    if (!hasCode(error, 'snapshot_malformed')) throw error;
    return { ...compareSnapshots(undefined, document), rebaseline: error.message };
  }
}

/** A reading that is about to become a snapshot. */
interface Reading {
  readonly runId: string;
  readonly at: string;
  readonly map: ClassMap;
  readonly inventory: Inventory;
  readonly document: SnapshotDocument;
  /** Whether a second reading by another path gave the same result. */
  readonly confirmed: boolean;
}

/** Appends the row with its drift, groups and audit row, and writes the findings that follow from it. */
async function store(tx: Transaction, options: CaptureOptions, reading: Reading): Promise<Captured> {
  const { kind, phase = 'closed' } = options;
  const rulesetVersion = reading.document.ruleset_version;
  const { runId, at, map, inventory, document, confirmed } = reading;
  const scope = SCOPES[kind];
  const [last] = await tx.run(readLatest, { scope, format: FORMAT });
  const drift = driftSince(last, document);
  const { id } = await tx.one(appendRow, {
    scope,
    metrics: JSON.stringify(document),
    delta: JSON.stringify(toWire(drift)),
    notes: `phase ${phase}, ${inventory.ranges} ranges`,
  });
  const groupsCreated = options.leavesGroups
    ? 0
    : (await refreshGroups(tx, inventory.groups, at)).groups.created;
  await noteGroups(tx, id, document);
  await appendAudit(tx, [
    {
      entityType: 'governance_snapshot',
      action: 'capture',
      entityCode: String(id),
      detail: {
        kind,
        run_id: runId,
        identity: document.identity,
        objects: document.totals.objects,
        groups: document.totals.groups,
        unresolved_groups: document.totals.unresolved_groups,
        drifted: drift.groups.length,
        rebaseline: drift.rebaseline,
      },
    },
  ]);
  const context = { runId, at, ruleset: rulesetVersion, activeRuleset: rulesetVersion };
  await syncFindings(tx, options, context, await readInventoryGaps(tx, map, inventory), confirmed);
  return { id, kind, at, document, drift, groupsCreated, ranges: inventory.ranges, confirmed };
}

async function captureIn(
  tx: Transaction,
  schema: string,
  runId: string,
  options: CaptureOptions,
): Promise<Captured> {
  const { phase = 'closed', sealed = false } = options;
  const limitMs = options.limitMs ?? tx.statementTimeoutMs;
  await lockCaptures(tx);
  const at = await readServerTime(tx);
  const rulesetVersion = (await options.activeRuleset?.(tx)) ?? null;
  const read = await readDocument(tx, schema, { runId, rulesetVersion, phase, sealed, limitMs });
  const confirmed = await confirm(tx, options, read);
  return store(tx, options, { runId, at, ...read, confirmed });
}

export interface ClosingReading {
  readonly runId: string;
  readonly at: string;
  readonly map: ClassMap;
  /** The result of an independent reading that matched the running fingerprints. */
  readonly inventory: Inventory;
  /** The proof and the ledger. */
  readonly closing: NonNullable<SnapshotDocument['closing']>;
}

/**
 * Stores the reading and the proof of a closing run as a snapshot, in the caller's transaction. Nothing is
 * read again.
 */
export async function keepSnapshot(
  tx: Transaction,
  options: CaptureOptions,
  reading: ClosingReading,
): Promise<Captured> {
  const { phase = 'closed' } = options;
  await lockCaptures(tx);
  const rulesetVersion = (await options.activeRuleset?.(tx)) ?? null;
  const server = await tx.one(readServerFacts, { littleEndian: LITTLE_ENDIAN });
  const { runId, inventory, closing } = reading;
  const document = makeDocument({ runId, rulesetVersion, phase, server, groups: inventory.groups, closing });
  // A closing run has already compared these groups with the stored ones: none is new.
  return store(tx, { ...options, leavesGroups: true }, { ...reading, document, confirmed: true });
}

/** Another session is capturing, or the caller cancelled: the inventory is not at fault. */
const isNoFailure = (error: unknown): boolean =>
  hasCode(error, 'snapshot_busy') || hasCode(error, 'operation_cancelled');

async function reportFailure(
  db: Database,
  runId: string,
  options: CaptureOptions,
  error: unknown,
): Promise<void> {
  const observation = hasCode(error, 'snapshot_nondeterministic')
    ? nondeterministic(error.facts)
    : failure(options.kind, error);
  await db.transaction({ isolation: 'read committed', retries: 5 }, async (tx) => {
    const at = await readServerTime(tx);
    const ruleset = (await options.activeRuleset?.(tx)) ?? null;
    const context = { runId, at, ruleset, activeRuleset: ruleset };
    await options.announce(tx, await writeFindings(tx, [observation], context), context);
  });
}

/** Captures a snapshot. On failure nothing of it remains, and a separate transaction raises a finding. */
export async function captureSnapshot(db: Database, options: CaptureOptions): Promise<Captured> {
  const runId = `snapshot-${randomUUID()}`;
  const statementTimeoutMs = options.limitMs ?? db.statementTimeoutMs;
  try {
    return await db.transaction({ isolation: 'repeatable read', statementTimeoutMs, retries: 3 }, (tx) =>
      captureIn(tx, db.schema, runId, options),
    );
  } catch (error) {
    if (isNoFailure(error)) throw error;
    try {
      await reportFailure(db, runId, options, error);
    } catch (second) {
      // The report fails for the same cause when the connection is lost or the login may not capture. Then
      // the first error is the relevant one.
      const isReported =
        isConnectionLoss(second) || isNoFailure(second) || hasCode(second, 'privilege_missing');
      if (!isReported) throw second;
    }
    throw error;
  }
}
