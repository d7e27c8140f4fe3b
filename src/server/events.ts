// The resources `events` and `inbox`: types of signals, signals that are held, and notifications.
import { z } from '@hono/zod-openapi';
import type { Delivery, HeldSignal, RegisteredType } from '../index.js';
import { byKey, byNumber, given, list } from './list.js';
import { id, time } from './schema.js';

const name = z.string().min(1).max(500);

const type = z
  .object({
    event_type: z.string(),
    stream: z.string(),
    host_stream: z.string().openapi({ description: 'the name that the host allows' }),
    lane: z.string(),
    severity: z.string().nullable(),
    active: z.boolean().openapi({ description: 'only signals of active types leave; others are held' }),
    heartbeat: z.boolean(),
    own: z.boolean().openapi({ description: 'GCOS emits it; false: an operator registered it' }),
    description: z.string(),
  })
  .openapi('EventType');

const held = z
  .object({
    order_no: id.openapi({ description: 'signals of one subject leave in this order' }),
    event_type: z.string(),
    subject_table: z.string(),
    subject_ref: z.string(),
    held_at: time,
    dead_lettered: z.boolean(),
    error_count: z.int(),
    last_error: z.string().nullable(),
  })
  .openapi('HeldSignal');

const notification = z
  .object({
    id,
    kind: z.string(),
    event_id: z.string().nullable(),
    event_type: z.string().nullable(),
    canonical_address: z.string().nullable(),
    severity: z.string(),
    signals: z.union([z.int(), id]).openapi({ description: 'how many signals it stands for' }),
    window_start: time,
    delivered_at: time,
    read_at: time.nullable(),
    escalated_at: time.nullable(),
    escalated_from: z.string().nullable(),
  })
  .openapi('Notification');

export const eventRoutes = [
  list({
    path: '/events/types',
    summary: 'Types of signals, and whether they are active',
    name: 'types',
    filters: { stream: name.optional() },
    line: type,
    page: (gcos, filter, place) =>
      byKey(
        place,
        (row: RegisteredType) => row.eventType,
        (page) => gcos.events.types({ ...filter, ...page }),
      ),
  }),
  list({
    path: '/events/held',
    summary: 'Signals that are held until their type is active, in their order',
    name: 'signals',
    filters: { type: name.optional(), dead_lettered: z.enum(['true', 'false']).optional() },
    line: held,
    page: (gcos, { type: of, dead_lettered: dead }, place) => {
      const filter = given({ type: of, deadLettered: dead === undefined ? undefined : dead === 'true' });
      return byNumber(
        place,
        (row: HeldSignal) => row.orderNo,
        (page) => gcos.events.held({ ...filter, ...page }),
      );
    },
  }),
  list({
    path: '/inbox/{recipient}',
    summary: 'Notifications of one recipient, oldest first',
    name: 'notifications',
    params: { recipient: name },
    filters: { all: z.enum(['true']).optional().openapi({ description: 'read ones, too' }) },
    line: notification,
    page: (gcos, { recipient = '', all }, place) =>
      byNumber(
        place,
        (row: Delivery) => row.id,
        (page) => gcos.inbox.list({ recipient, all: all === 'true', ...page }),
      ),
  }),
];
