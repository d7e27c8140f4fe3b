// Owns the verbs about work that people order from the workers: a scan, or a sync of a source. INVARIANT: an
// order says nothing about its result. Workers find what was ordered and has not begun, and the first scan or
// sync that began after an order is its result, whichever process ran it.
import type { Database, ParamsOf, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireId, requireKnown, requireLimit } from '../../kernel/index.js';
import { actorProblem, currentActor } from '../../record/approval/index.js';
import { type DueSource, type SourceConfig, type Sources, sourceErrors } from '../../source/object/index.js';
import { requireEvaluationBasis } from '../scan/index.js';
import { orderErrors } from './errors.js';
import { orderWork, readOrderedScans, readOrderedSyncs, readOrders } from './order.sql.js';

const KINDS = ['scan', 'sync'] as const;
const STATUSES = ['waiting', 'running', 'completed', 'failed', 'throttled'] as const;
/** Modes that can be ordered: what was just marked is evaluated within a second anyway. */
const MODES = ['incremental', 'full'] as const;

export interface WorkOrder {
  readonly id: bigint;
  readonly kind: (typeof KINDS)[number];
  /** The mode of a scan, or the name of a source. */
  readonly subject: string;
  readonly orderedBy: string;
  readonly orderedAt: string;
  readonly status: (typeof STATUSES)[number];
  /** The scan that answers the order; null: none began yet, or it is a sync. */
  readonly runId: string | null;
  readonly endedAt: string | null;
  readonly error: string | null;
}

export interface WorkOrderFilter {
  readonly kind?: WorkOrder['kind'];
  readonly status?: WorkOrder['status'];
}

export interface WorkOrderPage {
  readonly orders: readonly WorkOrder[];
  readonly next: bigint | null;
}

const READ = { isolation: 'repeatable read', readOnly: true } as const;
const WRITE = { isolation: 'read committed', retries: 3 } as const;

const EVERY: Omit<ParamsOf<typeof readOrders>, 'limit'> = {
  orderId: null,
  kind: null,
  subject: null,
  status: null,
  before: null,
};

async function ordersOf(
  tx: Transaction,
  filter: Partial<ParamsOf<typeof readOrders>>,
): Promise<readonly WorkOrder[]> {
  const rows = await tx.run(readOrders, { ...EVERY, limit: 1n, ...filter });
  return rows.map((row) => ({
    id: row.order_id,
    kind: row.kind as WorkOrder['kind'],
    subject: row.subject,
    orderedBy: row.ordered_by,
    orderedAt: row.ordered_at,
    status: row.status as WorkOrder['status'],
    runId: row.run_id,
    endedAt: row.ended_at,
    error: row.error,
  }));
}

/** The modes of scans that people ordered, and that no process has begun. */
export const readOrderedScanModes = async (tx: Transaction): Promise<readonly string[]> =>
  (await tx.run(readOrderedScans, {})).map((row) => row.mode);

/** The sources that people ordered to be read, and that no process has tried since. */
export async function readOrderedSources(tx: Transaction): Promise<readonly DueSource[]> {
  const rows = await tx.run(readOrderedSyncs, {});
  return rows.map((row) => ({
    name: row.name,
    kind: row.kind,
    config: JSON.parse(row.config) as SourceConfig,
    overdueSeconds: row.overdue_seconds,
  }));
}

export class WorkOrders {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #sources: Sources;

  /** @internal */
  constructor(db: Database, installation: Installation, sources: Sources) {
    this.#db = db;
    this.#installation = installation;
    this.#sources = sources;
  }

  /** Orders a scan from the workers, as the acting person. An order that waits already is returned again. */
  async scan(mode: 'incremental' | 'full'): Promise<WorkOrder & { readonly created: boolean }> {
    requireKnown(mode, { what: 'mode', known: MODES });
    return this.#order('scan', mode, async (tx) => void (await requireEvaluationBasis(tx)));
  }

  /** Orders a source to be read, in the same way. */
  async sync(name: string): Promise<WorkOrder & { readonly created: boolean }> {
    const active = (await this.#sources.list()).filter((each) => each.status === 'active');
    const known = active.map((each) => each.name);
    requireKnown(name, { what: 'source', known, error: sourceErrors.source_unknown });
    return this.#order('sync', name, async () => undefined);
  }

  /** Orders, the latest first. */
  async list(
    filter: WorkOrderFilter & { readonly limit?: number; readonly after?: bigint } = {},
  ): Promise<WorkOrderPage> {
    const { kind, status, after, limit: given = 50 } = filter;
    if (kind !== undefined) requireKnown(kind, { what: 'kind', known: KINDS });
    if (status !== undefined) requireKnown(status, { what: 'status', known: STATUSES });
    const limit = requireLimit(given);
    await this.#installation.requireInstalled();
    const asked = {
      kind: kind ?? null,
      status: status ?? null,
      before: after === undefined ? null : requireId('after', after),
      limit: BigInt(limit) + 1n,
    };
    const found = await this.#db.transaction(READ, (tx) => ordersOf(tx, asked));
    const orders = found.slice(0, limit);
    return { orders, next: found.length > limit ? (orders.at(-1)?.id ?? null) : null };
  }

  async show(id: bigint): Promise<WorkOrder> {
    requireId('work order', id);
    await this.#installation.requireInstalled();
    const [found] = await this.#db.transaction(READ, (tx) => ordersOf(tx, { orderId: id }));
    if (found === undefined) throw orderErrors.work_order_unknown(`there is no work order \`${id}\``);
    return found;
  }

  async #order(
    kind: WorkOrder['kind'],
    subject: string,
    check: (tx: Transaction) => Promise<void>,
  ): Promise<WorkOrder & { readonly created: boolean }> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(WRITE, async (tx) => {
      await currentActor(tx);
      await check(tx);
      const [waiting] = await ordersOf(tx, { kind, subject, status: 'waiting' });
      if (waiting !== undefined) return { ...waiting, created: false };
      const { outcome, order_id: orderId, login } = await tx.one(orderWork, { kind, subject });
      const problem = actorProblem(outcome, login, null, tx.trustSchema);
      if (problem !== undefined) throw problem;
      const [made] = await ordersOf(tx, { orderId });
      if (made === undefined) throw orderErrors.work_order_unknown(`there is no work order \`${orderId}\``);
      return { ...made, created: true };
    });
  }
}
