// Owns the stored form of a snapshot: one immutable JSON document with a fingerprint per inventory group.
// 64-bit numbers are stored as text. The identity covers groups and totals, not the time or the author of the
// capture.
import { z } from 'zod';
import { canonicalJson, domainHash } from '../../kernel/index.js';
import { snapshotErrors } from './errors.js';
import { ALGORITHM, type Fingerprint } from './fingerprint/fingerprint.js';

export const FORMAT = 'gcos-snapshot/1';

const whole = z.string().regex(/^-?\d+$/);

const groupSchema = z.strictObject({
  count: whole,
  grain_count: whole,
  /** Null, like `max_id`: the group is empty. */
  max_born_at: z.string().nullable(),
  max_id: whole.nullable(),
  h1: whole,
  h2: whole,
  object_class: z.string(),
  source_registry: z.string(),
  axis_family: z.string().nullable(),
  lifecycle_status: z.string().nullable(),
  inherits: z.boolean(),
  resolved: z.boolean(),
  unresolved_reason: z.string().nullable(),
  sealed: z.string().optional(),
});

const serverSchema = z.strictObject({
  version_num: z.int(),
  encoding: z.string(),
  endianness: z.string(),
});

/** It was parsed as JSON and needs no further check. */
const anyJson = z.custom<z.core.util.JSONType>(() => true);

const documentSchema = z.strictObject({
  format: z.literal(FORMAT),
  run_id: z.string(),
  ruleset_version: z.string().nullable(),
  phase: z.string(),
  algorithm: z.string(),
  server: serverSchema,
  identity: z.string(),
  totals: z.strictObject({
    objects: whole,
    grain: whole,
    groups: z.int(),
    unresolved_groups: z.int(),
    unresolved_objects: whole,
  }),
  groups: z.record(z.string(), groupSchema),
  /** For a snapshot that closes a run: the proof and the ledger. Not part of its identity. */
  closing: z.record(z.string(), anyJson).optional(),
});

export type SnapshotGroup = z.infer<typeof groupSchema>;
export type SnapshotDocument = z.infer<typeof documentSchema>;
export type ServerFacts = z.infer<typeof serverSchema>;

/** A group with its fingerprint; without maxima if it is empty. */
export type MeasuredGroup = Omit<Fingerprint, 'maxBornAt' | 'maxId'> & {
  readonly maxBornAt: string | null;
  readonly maxId: bigint | null;
};

function asGroup(print: MeasuredGroup, sealed: string | undefined): SnapshotGroup {
  return {
    count: String(print.count),
    grain_count: String(print.grainCount),
    max_born_at: print.maxBornAt,
    max_id: print.maxId === null ? null : String(print.maxId),
    h1: String(print.h1),
    h2: String(print.h2),
    object_class: print.objectClass,
    source_registry: print.sourceRegistry,
    axis_family: print.axisFamily,
    lifecycle_status: print.lifecycleStatus,
    inherits: print.inherits,
    resolved: print.unresolved === null,
    unresolved_reason: print.unresolved,
    ...(sealed === undefined ? {} : { sealed }),
  };
}

const sum = (values: readonly bigint[]): string => String(values.reduce((total, each) => total + each, 0n));

export interface DocumentParts {
  readonly runId: string;
  readonly rulesetVersion: string | null;
  readonly phase: string;
  readonly server: ServerFacts;
  readonly groups: readonly MeasuredGroup[];
  /** Inventory key → sealed digest; only for a sealed snapshot. */
  readonly sealed?: ReadonlyMap<string, string> | undefined;
  readonly closing?: SnapshotDocument['closing'];
}

/** The text whose hash is the identity. */
export function identityText({ groups, totals }: Pick<SnapshotDocument, 'groups' | 'totals'>): string {
  return canonicalJson({ groups, totals });
}

/** Two snapshots with the same identity contain the same fingerprints. */
function identityOf(content: Pick<SnapshotDocument, 'groups' | 'totals'>): string {
  return domainHash('gcos-snapshot', identityText(content));
}

export function makeDocument(parts: DocumentParts): SnapshotDocument {
  const { groups: prints, sealed } = parts;
  const groups = Object.fromEntries(
    prints.map((print) => [print.key, asGroup(print, sealed?.get(print.key))]),
  );
  const open = prints.filter((print) => print.unresolved !== null);
  const totals = {
    objects: sum(prints.map((print) => print.count)),
    grain: sum(prints.map((print) => print.grainCount)),
    groups: prints.length,
    unresolved_groups: open.length,
    unresolved_objects: sum(open.map((print) => print.count)),
  };
  return {
    format: FORMAT,
    run_id: parts.runId,
    ruleset_version: parts.rulesetVersion,
    phase: parts.phase,
    algorithm: ALGORITHM,
    server: parts.server,
    identity: identityOf({ groups, totals }),
    totals,
    groups,
    ...(parts.closing === undefined ? {} : { closing: parts.closing }),
  };
}

/** The document of snapshot `id`, validated. */
export function parseDocument(id: bigint, text: string): SnapshotDocument {
  const parsed = documentSchema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw snapshotErrors.snapshot_malformed(
    `snapshot ${id}: ${issue?.path.join('.')}: ${issue?.message ?? 'wrong form'}`,
  );
}

/** Whether the stored groups and totals still match the stored identity. */
export function isIntact(document: SnapshotDocument): boolean {
  return identityOf(document) === document.identity;
}
