// Lets GCOS work on an estate as a worker process does, and reads what its signals became.
import type { Gcos } from '../../src/index.js';
import { asHost } from './database.js';

/**
 * Every duty of the worker, until it has no work left: intake, scanner, audit, promoter, seal, supervisor.
 */
export async function workOnce(gcos: Gcos): Promise<void> {
  const { signal } = new AbortController();
  await gcos.worker.once({ signal, log: () => undefined });
}

/** A hash over the row versions of a table, in the order of its rows. */
export async function versionsOf(url: string, tables: readonly string[]): Promise<Record<string, string>> {
  const parts = tables.map(
    (table) =>
      `select '${table}' as t, count(*) || ' ' || coalesce(md5(string_agg(x.ctid::text || x.xmin::text, '|' order by x.ctid)), '') as v from ${table} x`,
  );
  const rows = await asHost(url, parts.join(' union all '));
  return Object.fromEntries(rows.map((row) => [String(row['t']), String(row['v'])]));
}
