// The resource `work-orders`: scans and syncs that people order. The request only records the order; a worker
// does the work, and the order shows its run.
import { z } from '@hono/zod-openapi';
import type { WorkOrder, WorkOrderFilter } from '../index.js';
import { byNumber, list } from './list.js';
import { asOfParameter, pin, pinnedFields } from './moment.js';
import { act, read } from './route.js';
import { id, name, time } from './schema.js';

const order = z
  .object({
    id,
    href: z.string().openapi({ description: 'where to follow it' }),
    kind: z.enum(['scan', 'sync']),
    subject: z.string().openapi({ description: 'the mode of a scan, or the name of a source' }),
    ordered_by: z.string(),
    ordered_at: time,
    status: z.enum(['waiting', 'running', 'completed', 'failed', 'throttled']).openapi({
      description:
        'waiting: no worker has begun; otherwise that of the first scan or sync that began after the order',
    }),
    run_id: z.string().nullable().openapi({ description: 'of a scan that has begun; a sync has none' }),
    run: z.string().nullable().openapi({ description: 'the address of that run' }),
    ended_at: time.nullable(),
    error: z.string().nullable(),
  })
  .openapi('WorkOrder');
const ordered = order.extend({
  created: z.boolean().openapi({ description: 'false: the same order waits already' }),
});

const linked = <T extends WorkOrder>(of: T) => ({
  ...of,
  href: `/api/v1/work-orders/${of.id}`,
  run: of.runId === null ? null : `/api/v1/runs/${encodeURIComponent(of.runId)}`,
});

export const workOrderRoutes = [
  act({
    path: '/scans',
    permission: 'operate',
    status: 202,
    summary: 'Order a scan: of all that is dirty or expired, or of everything, which closes the ledger',
    description: 'A worker begins it within half a minute, unless all workers are paused; follow the order.',
    body: z.strictObject({ mode: z.enum(['incremental', 'full']).default('incremental') }),
    answer: ordered,
    handle: async ({ gcos, body }) => linked(await gcos.workOrders.scan(body.mode)),
  }),
  act({
    path: '/sources/{source}/sync',
    permission: 'operate',
    status: 202,
    summary: 'Order that a source be read',
    description:
      'A worker begins it within half a minute, unless all workers are paused; follow the order. ' +
      'Like any sync of a worker, it fails where too much of the source has gone.',
    params: z.object({ source: name }),
    body: z.strictObject({}),
    answer: ordered,
    handle: async ({ gcos, params }) => linked(await gcos.workOrders.sync(params.source)),
  }),
  list({
    path: '/work-orders',
    summary: 'Scans and syncs that people ordered, latest first; kept for 30 days',
    name: 'orders',
    filters: { kind: name.optional(), status: name.optional() },
    line: order,
    page: (gcos, filter, place) =>
      byNumber(
        place,
        (row: WorkOrder) => row.id,
        async (page) =>
          (await gcos.workOrders.list({ ...(filter as WorkOrderFilter), ...page })).orders.map(linked),
      ),
  }),
  read({
    path: '/work-orders/{id}',
    permission: 'read',
    summary: 'One order, and what became of it',
    params: z.object({ id }),
    query: z.object({ as_of: asOfParameter }),
    answer: order.extend(pinnedFields).openapi('WorkOrderDetail'),
    handle: async ({ gcos, params, query }) => {
      const { gcos: pinned, fields } = await pin(gcos, query.as_of);
      return { ...fields, ...linked(await pinned.workOrders.show(BigInt(params.id))) };
    },
  }),
];
