// Owns building the estate in one transaction, so that a failure or a kill at any point leaves nothing
// behind.
import { type Database, statement } from '../db/index.js';
import { LOCK_ESTATE, LOCK_TIMEOUT_MS } from './lock.js';
import { ESTATE_SEED } from './marker.js';
import { FULL_SIZE } from './size.js';
import { estateSteps } from './steps.js';
import { type EstateTable, estateTables } from './tables.js';
import { clearTarget } from './target.js';

interface EstateProgress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

export interface EstateOptions {
  /** The number of births; the other large tables scale with it. Default: FULL_SIZE. */
  readonly rows?: number;
  /** Drop an earlier demo estate first. Other tables are never dropped. */
  readonly replace?: boolean;
  readonly onProgress?: (progress: EstateProgress) => void;
}

export interface EstateSummary {
  readonly rows: number;
  readonly seed: number;
  readonly replaced: boolean;
  readonly tables: readonly { readonly name: EstateTable; readonly rows: bigint }[];
}

const STATEMENT_TIMEOUT_MS = 5 * 60_000;
const PREPARE = `${LOCK_ESTATE}
  set local work_mem = '64MB';
  set local maintenance_work_mem = '256MB'`;

const countRows = statement<Record<never, never>, { readonly name: string; readonly rows: bigint }>({
  name: 'demo.count',
  sql: estateTables
    .map((name) => `select '${name}' as name, count(*) as rows from ${name}`)
    .join(' union all '),
});

/** Builds the demo estate in the database's schema. */
export async function buildEstate(db: Database, options: EstateOptions = {}): Promise<EstateSummary> {
  const rows = options.rows ?? FULL_SIZE;
  const steps = estateSteps(rows);
  const total = Math.round(steps.reduce((sum, step) => sum + step.weight, 0));
  const limits = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, lockTimeoutMs: LOCK_TIMEOUT_MS };
  return await db.transaction({ isolation: 'read committed', ...limits }, async (tx) => {
    await tx.script(PREPARE);
    const replaced = await clearTarget(tx, { schema: db.schema, replace: options.replace ?? false });
    let done = 0;
    for (const step of steps) {
      options.onProgress?.({ step: step.name, done: Math.round(done), total });
      await tx.script(step.sql);
      done += step.weight;
    }
    options.onProgress?.({ step: 'done', done: total, total });
    const counted = new Map((await tx.run(countRows, {})).map((table) => [table.name, table.rows]));
    return {
      rows,
      seed: ESTATE_SEED,
      replaced,
      tables: estateTables.map((name) => ({ name, rows: counted.get(name) ?? 0n })),
    };
  });
}
