// Owns the difference between two snapshots: per inventory group, whether it was added, removed or changed.
// Fingerprints computed by different algorithms or on different servers cannot be compared. That is reported
// as a new baseline, not as drift of every group.
import type { ServerFacts, SnapshotDocument, SnapshotGroup } from './document.js';

export interface GroupDrift {
  readonly inventoryKey: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly countDelta: string;
  readonly grainDelta: string;
  /** The highest id now; null when the group is gone. */
  readonly newMaxId: string | null;
  readonly objectClass: string;
  readonly sourceRegistry: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
}

export interface Drift {
  /** The snapshot compared with; null for the first of its kind, and when the previous one cannot be read. */
  readonly previous: string | null;
  /**
   * Why hashes are not compared: something they depend on has changed or is unknown. Null: they are compared.
   */
  readonly rebaseline: string | null;
  readonly unchanged: number;
  readonly groups: readonly GroupDrift[];
}

const MAJOR = 10_000;

/** The reason why hashes cannot be compared, as text; undefined when they can. */
function rebaselineReason(before: SnapshotDocument, after: SnapshotDocument): string | undefined {
  if (before.algorithm !== after.algorithm) return `algorithm ${before.algorithm} → ${after.algorithm}`;
  const facts = (server: ServerFacts) => ({
    server: String(Math.floor(server.version_num / MAJOR)),
    encoding: server.encoding,
    'byte order': server.endianness,
  });
  const [old, now] = [facts(before.server), facts(after.server)];
  const changed = (Object.keys(old) as (keyof typeof old)[]).filter((name) => old[name] !== now[name]);
  return changed.length === 0
    ? undefined
    : changed.map((name) => `${name} ${old[name]} → ${now[name]}`).join(', ');
}

/**
 * The fields that can be compared even when hashes cannot. The key contains the dimensions, so together they
 * cover the whole group.
 */
const PLAIN = ['count', 'grain_count', 'max_id', 'max_born_at', 'inherits', 'unresolved_reason'] as const;

function differs(before: SnapshotGroup, after: SnapshotGroup, hashesCount: boolean): boolean {
  const plain = PLAIN.some((name) => before[name] !== after[name]);
  if (plain || !hashesCount) return plain;
  const sealed = before.sealed !== undefined && after.sealed !== undefined && before.sealed !== after.sealed;
  return sealed || before.h1 !== after.h1 || before.h2 !== after.h2;
}

function driftOf(
  key: string,
  before: SnapshotGroup | undefined,
  after: SnapshotGroup | undefined,
): GroupDrift[] {
  const known = after ?? before;
  if (known === undefined) return [];
  const delta = (pick: (group: SnapshotGroup) => string) =>
    String((after ? BigInt(pick(after)) : 0n) - (before ? BigInt(pick(before)) : 0n));
  const { object_class, source_registry, axis_family, lifecycle_status } = known;
  return [
    {
      inventoryKey: key,
      change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
      countDelta: delta((group) => group.count),
      grainDelta: delta((group) => group.grain_count),
      newMaxId: after?.max_id ?? null,
      objectClass: object_class,
      sourceRegistry: source_registry,
      axisFamily: axis_family,
      lifecycleStatus: lifecycle_status,
    },
  ];
}

/** The changes from `before` to `after`. */
export function compareSnapshots(
  before: { readonly id: bigint; readonly document: SnapshotDocument } | undefined,
  after: SnapshotDocument,
): Drift {
  if (before === undefined) return { previous: null, rebaseline: null, unchanged: 0, groups: [] };
  const rebaseline = rebaselineReason(before.document, after);
  const [old, now] = [before.document.groups, after.groups];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  const changed = keys.filter((key) => {
    const [left, right] = [old[key], now[key]];
    return left === undefined || right === undefined || differs(left, right, rebaseline === undefined);
  });
  return {
    previous: String(before.id),
    rebaseline: rebaseline ?? null,
    unchanged: keys.length - changed.length,
    groups: changed.flatMap((key) => driftOf(key, old[key], now[key])),
  };
}

/** The drift as it was stored with a snapshot; null if the row has none. */
export function parseDrift(stored: string): Drift | null {
  const drift = JSON.parse(stored) as Partial<Omit<Drift, 'groups'>> & {
    groups?: readonly Record<string, never>[];
  };
  if (drift.groups === undefined) return null;
  return {
    previous: drift.previous ?? null,
    rebaseline: drift.rebaseline ?? null,
    unchanged: drift.unchanged ?? 0,
    groups: drift.groups.map((group) => ({
      inventoryKey: group['inventory_key'] ?? '',
      change: group['change'] ?? 'changed',
      countDelta: group['count_delta'] ?? '0',
      grainDelta: group['grain_delta'] ?? '0',
      newMaxId: group['new_max_id'] ?? null,
      objectClass: group['object_class'] ?? '',
      sourceRegistry: group['source_registry'] ?? '',
      axisFamily: group['axis_family'] ?? null,
      lifecycleStatus: group['lifecycle_status'] ?? null,
    })),
  };
}
