// The resources of operating GCOS: runs, snapshots, workers, dead letters, sources, settings, inputs.
import { z } from '@hono/zod-openapi';
import type { InputFilter, RunListFilter, SnapshotLine } from '../index.js';
import { byNext, byNumber, given, list, ofAll } from './list.js';
import { asOfParameter, count, counted, pin, pinnedFields } from './moment.js';
import { read } from './route.js';
import { id, time } from './schema.js';

const name = z.string().min(1).max(500);

const run = z
  .object({
    run_id: z.string(),
    kind: z.enum(['backfill', 'scan']),
    mode: z.enum(['event', 'incremental', 'full']).nullable(),
    status: z.enum(['running', 'completed', 'failed', 'throttled']),
    started_at: time,
    finished_at: time.nullable(),
    snapshot_ref: id.nullable(),
    closing_snapshot_ref: id.nullable(),
    ruleset_version: z.string().nullable(),
    phase: z.string().nullable(),
    counts: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'what the run did: a record, no list has it' }),
    proof: z.unknown(),
    ledger: z.unknown().openapi({ description: 'the ledger that it counted, as it was stored' }),
    error: z.string().nullable(),
  })
  .openapi('Run');

const snapshot = z
  .object({
    id,
    kind: z.string(),
    at: time,
    ruleset_version: z.string().nullable(),
    phase: z.string().nullable(),
    identity: z.string().nullable().openapi({ description: 'a hash of its content' }),
    objects: id.nullable().openapi({ description: 'how many births it has' }),
    grain: id.nullable(),
    groups: z.int().nullable(),
    unresolved_groups: z.int().nullable(),
    drifted: z.int().openapi({ description: 'groups that differ from the snapshot before' }),
    rebaseline: z.string().nullable(),
    in_use: z.boolean().openapi({ description: 'a verdict refers to it, so it cannot be pruned' }),
  })
  .openapi('SnapshotLine', { description: 'its numbers are those of a stored document' });

const letter = z
  .object({
    id: z.string(),
    origin: z.string(),
    hint: z.string(),
    table: z.string().nullable(),
    ref: z.string().nullable(),
    failures: z.int(),
    last_error: z.string().nullable(),
    dead_lettered_at: time.nullable(),
    lost: z.boolean().openapi({ description: 'its reader no longer exists, so it cannot be retried' }),
  })
  .openapi('DeadLetterLine');

const source = z
  .object({
    name: z.string(),
    kind: z.string(),
    config: z.unknown().openapi({ description: 'without secrets' }),
    status: z.enum(['active', 'removed']),
    added_at: time,
    added_by: z.string(),
    read_at: time.nullable(),
    synced_at: time.nullable(),
    failure: z.unknown().nullable(),
    objects: id.openapi({ description: 'what the last sync listed' }),
    gone: id,
  })
  .loose()
  .openapi('Source');

const setting = z
  .object({
    key: z.string(),
    value: z.unknown(),
    default: z.unknown(),
    is_default: z.boolean(),
    type: z.string(),
    about: z.string(),
    changed_by: z.string().openapi({ description: 'who may change it' }),
    updated_at: time,
    updated_by: z.string(),
  })
  .openapi('Setting');

const input = z
  .object({
    key: z.string(),
    collection: z.string(),
    code: z.string().nullable(),
    state: z.string(),
    cause: z.string(),
    scopes: z.array(z.string()).nullable(),
    since: time,
    relapses: z.int(),
    quarantine: z.object({ at: time, by: z.string(), reason: z.string().nullable() }).nullable(),
    pending: z.boolean(),
  })
  .openapi('Input');

const duty = z.object({
  duty: z.string(),
  state: z.enum(['working', 'paused', 'stopped', 'failing', 'silent', 'never_started']),
  holder: z.string().nullable(),
  last_tick_at: time.nullable(),
  last_success_at: time.nullable(),
  failing_since: time.nullable(),
  lag_seconds: z.number().nullable(),
  error: z.string().nullable(),
});

/** How many lines a short list has, over all its pages. */
async function countAll(
  page: (after: string | undefined) => Promise<{ readonly rows: number; readonly next: string | null }>,
): Promise<number> {
  let total = 0;
  for (let after: string | undefined; ; ) {
    const { rows, next } = await page(after);
    total += rows;
    if (next === null) return total;
    after = next;
  }
}

export const operationRoutes = [
  list({
    path: '/runs',
    summary: 'Backfills and scans, latest first',
    name: 'runs',
    filters: {
      kind: name.optional(),
      mode: name.optional(),
      status: name.optional(),
      closings: z.enum(['true']).optional().openapi({ description: 'only runs that can close a ledger' }),
    },
    line: run,
    page: async (gcos, { closings, ...filter }, place) => {
      const asked = { ...filter, closings: closings === 'true', ...place } as RunListFilter;
      const { runs, next } = await gcos.scans.runs(asked);
      return { rows: runs, next };
    },
  }),
  read({
    path: '/runs/{id}',
    permission: 'read',
    summary: 'One backfill or scan',
    params: z.object({ id: name }),
    query: z.object({ as_of: asOfParameter }),
    answer: run.extend(pinnedFields).openapi('RunDetail'),
    handle: async ({ gcos, params, query }) => {
      const { gcos: pinned, fields } = await pin(gcos, query.as_of);
      return { ...fields, ...(await pinned.scans.show(params.id)) };
    },
  }),
  list({
    path: '/snapshots',
    summary: 'Snapshots of the inventory, newest first',
    name: 'snapshots',
    filters: { kind: name.optional() },
    line: snapshot,
    page: (gcos, filter, place) =>
      byNumber(
        place,
        (row: SnapshotLine) => row.id,
        async (page) => {
          const kind = filter.kind as SnapshotLine['kind'] | undefined;
          return (await gcos.snapshots.list({ ...given({ kind }), ...page })).snapshots;
        },
      ),
  }),
  read({
    path: '/workers',
    permission: 'read',
    summary: 'The duties of the workers, and as of when the host is watched',
    query: z.object({ as_of: asOfParameter }),
    answer: z
      .object({
        ...pinnedFields,
        watched_at: time.nullable().openapi({ description: 'what the host committed before is taken in' }),
        unwatched: z.boolean(),
        paused: z.boolean(),
        duties: z.array(duty),
        history: z.array(z.unknown()),
        dead_letters: z.array(z.object({ origin: z.string(), letters: count })),
      })
      .openapi('Workers'),
    handle: async ({ gcos, query }) => {
      const { gcos: pinned, asOf, fields } = await pin(gcos, query.as_of);
      const { at: _, ...status } = await pinned.worker.status();
      const origins = new Map<string, number>();
      await countAll(async (after) => {
        const { letters, next } = await pinned.deadLetters.list({
          limit: 10_000,
          ...given({ after }),
        });
        for (const { origin } of letters) origins.set(origin, (origins.get(origin) ?? 0) + 1);
        return { rows: letters.length, next };
      });
      return {
        ...fields,
        ...status,
        deadLetters: [...origins].map(([origin, number]) => ({
          origin,
          letters: counted(number, '/dead-letters', { origin }, asOf),
        })),
      };
    },
  }),
  list({
    path: '/dead-letters',
    summary: 'Items that failed after all attempts',
    name: 'letters',
    filters: { origin: name.optional() },
    line: letter,
    page: (gcos, filter, place) =>
      byNext(place, async (page) => {
        const { letters, next } = await gcos.deadLetters.list({ ...filter, ...page });
        return { rows: letters, next };
      }),
  }),
  list({
    path: '/sources',
    summary: 'The estates that are read, removed ones included',
    name: 'sources',
    filters: {},
    line: source,
    page: async (gcos, _, place) => ofAll(place, await gcos.sources.list()),
  }),
  list({
    path: '/settings',
    summary: 'Settings, with their meaning and who may change them',
    name: 'settings',
    filters: {},
    line: setting,
    page: async (gcos, _, place) => ofAll(place, await gcos.settings.list()),
  }),
  list({
    path: '/inputs',
    summary: 'Objects that the input gate has not accepted',
    name: 'inputs',
    filters: { state: name.optional(), collection: name.optional(), code: name.optional() },
    line: input,
    page: (gcos, filter, place) =>
      byNext(place, async (page) => {
        const { inputs, next } = await gcos.inputs.list({ ...filter, ...page } as InputFilter);
        return { rows: inputs, next };
      }),
  }),
  read({
    path: '/inputs/summary',
    permission: 'read',
    summary: 'Objects that the input gate has not accepted, counted by state',
    query: z.object({ as_of: asOfParameter }),
    answer: z
      .object({ ...pinnedFields, by_state: z.array(z.object({ state: z.string(), inputs: count })) })
      .openapi('InputSummary'),
    handle: async ({ gcos, query }) => {
      const { gcos: pinned, asOf, fields } = await pin(gcos, query.as_of);
      const { counts } = await pinned.inputs.list({ limit: 1 });
      return {
        ...fields,
        byState: Object.entries(counts).map(([state, number]) => ({
          state,
          inputs: counted(number, '/inputs', { state }, asOf),
        })),
      };
    },
  }),
];
