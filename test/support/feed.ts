// Writes and reads the feed for tests: through signals, and through the worker's duty that numbers.
import type { FeedEntry, Gcos } from '../../src/index.js';
import { asHost } from './database.js';

/** SQL that emits one signal of an active type about `ref`, in whatever transaction runs it. */
export const emitSql = (ref: string, type = 'coverage.orphan'): string =>
  `select * from gcos_trust.gcos_emit(array['${type}'], array['feed_test'], array['${ref}'], array['feed_test:${ref}'], array[''],
    array['{"count": 1}'], array[''], array[''], array[''])`;

/** Numbers everything that waits, as a worker does. */
export async function number(gcos: Gcos): Promise<void> {
  const { signal } = new AbortController();
  await gcos.worker.once({ signal, log: () => undefined, duties: ['feed'] });
}

/** The whole feed after a number, page by page. */
export async function readAll(gcos: Gcos, after: bigint, limit = 7): Promise<readonly FeedEntry[]> {
  const found: FeedEntry[] = [];
  for (let from = after; ; ) {
    const page = await gcos.feed.read({ after: from, limit });
    if (page.reset) throw new Error('the feed was reset');
    found.push(...page.entries);
    if (page.entries.length < limit) return found;
    from = page.next;
  }
}

/** What the entries of the tests are about, in the order of their numbers. */
export const refsOf = (entries: readonly FeedEntry[]): readonly string[] =>
  entries.flatMap(({ subject }) => (subject.startsWith('feed_test:') ? [subject.slice(10)] : []));

/** Replaces a part of the function that numbers, to see that a test would notice. */
export async function breakNumbering(url: string, part: string, by: string): Promise<void> {
  const [row] = await asHost(
    url,
    "select pg_get_functiondef('gcos_trust.gcos_number_feed(integer)'::regprocedure) as text",
  );
  const text = String(row?.['text']);
  if (!text.includes(part)) throw new Error(`the function does not contain ${part}`);
  await asHost(url, text.replace(part, by));
}
