// Owns the payload schema of each signal family: only addresses, references and counts. Unknown keys are
// refused.
import { z } from 'zod';
import { knownType, type Stream } from '../catalogue.js';
import { eventErrors } from '../errors.js';
import { guardPayload } from './guard.js';

const ref = z.string().min(1);
const word = z.string().min(1).max(100);
const time = z.string().min(8).max(40);
/** A count is exact: a safe integer, or a text of digits. */
const count = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,19}$/)]);

const COMMON = {
  scope: word,
  source: ref,
  group_key: ref,
  inventory_key: ref,
  object_class: word,
  run_id: ref,
  count,
  counts: z.record(word, count),
  refs: z.array(ref),
  issue_id: z.union([count, ref]),
  parent_issue_id: z.union([count, ref]),
  severity: word,
  owner: ref,
  worker: ref,
};

const HANDOFF = {
  object_type: word,
  collection_name: ref,
  entity_code: ref,
  change_kind: word,
  occurred_at: time,
  watermark: ref,
  lag_seconds: count,
  event_type: word,
};
const BACKFILL = { batch_range: z.strictObject({ from: ref, to: ref }), phase: word };
const INPUT = { input_quality_state: word, collection_name: ref, entity_code: ref };
const CANDIDATE = {
  candidate_verdict: word,
  ruleset_version: word,
  source_snapshot_ref: ref,
  dirty_reason: word,
  mode: word,
};
const COVERAGE = {
  gap_type: word,
  coalesce_anchor: ref,
  proposed_action_code: ref,
  approval_ref: ref,
  expires_at: time,
  ruleset_version: word,
  event_type: word,
  sample: z.array(ref),
};

const family = (fields: Readonly<Record<string, z.ZodType>>) =>
  z.strictObject({ ...COMMON, ...fields }).partial();

/** For a type that an operator added: any of the fields above. */
const anyFamily = family({ ...HANDOFF, ...BACKFILL, ...INPUT, ...CANDIDATE, ...COVERAGE });

const payloadSchemas: Readonly<Record<Stream, z.ZodType>> = {
  'governance.handoff': family(HANDOFF),
  'governance.backfill': family(BACKFILL),
  'governance.input': family(INPUT),
  'governance.candidate': family(CANDIDATE),
  'governance.coverage': family(COVERAGE),
  'governance.lifecycle': family(COVERAGE),
};

function placeOf(issue: z.core.$ZodIssue): string {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  return ['payload', ...path.map(String)].join('.');
}

/** The payload as GCOS writes it; throws `payload_refused` with the place. */
export function payloadText(type: string, payload: unknown): string {
  const copy = guardPayload(payload);
  const stream = knownType(type)?.stream;
  const parsed = (stream === undefined ? anyFamily : payloadSchemas[stream]).safeParse(copy);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue === undefined ? 'payload' : placeOf(issue);
    const why =
      issue?.code === 'unrecognized_keys'
        ? `is not a field of \`${type}\``
        : (issue?.message ?? 'is not valid');
    throw eventErrors.payload_refused(`\`${path}\`: ${why}`, { facts: { path } });
  }
  const text = JSON.stringify(copy);
  if (Buffer.byteLength(text) > 8_192)
    throw eventErrors.payload_refused(
      `\`payload\` is ${Buffer.byteLength(text)} bytes; at most 8192 are allowed`,
      {
        facts: { path: 'payload' },
      },
    );
  return text;
}
