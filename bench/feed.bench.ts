// From the commit of a change in the host to its entry in the feed, at a hundred changes a second, with a
// worker that runs all its duties. The n-th birth is visible when the feed has counted n.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asHost } from '../test/support/database.js';
import { createEstate, type Estate } from '../test/support/estate.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { until } from '../test/support/wait.js';

const SECONDS = 20;
const PER_TENTH = 10;
/** As often as a stream of the server looks. */
const POLL_MS = 200;

let server: TestServer;
let estate: Estate;
beforeAll(async () => {
  // Durability is on, as on a production server.
  server = await startServer({ settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } });
  estate = await createEstate('reconciled', server.url);
});
afterAll(async () => {
  await estate?.close();
  await server?.stop();
});

const insert = (mark: string, count: number) =>
  asHost(
    estate.url,
    `insert into birth_registry (entity_code, collection_name, species_code, status)
     select '${mark}-' || n, b.collection_name, b.species_code, 'born' from generate_series(1, ${count}) n
     cross join (select collection_name, species_code from birth_registry where collection_name = 'orders' order by id limit 1) b`,
  );

it('a change of the host is in the feed', async () => {
  const stop = new AbortController();
  const working = estate.gcos.worker.run({ signal: stop.signal, log: () => undefined, port: 'off' });
  await until('the worker works', async () =>
    (await estate.gcos.worker.status()).duties.every(({ lastSuccessAt }) => lastSuccessAt !== null),
  );
  const commits: number[] = [];
  const waited: number[] = [];
  /** Where the time of each birth went. */
  const stages = {
    'until it was taken in': [],
    'until it had a number': [],
    'until it was read': [],
  } as Record<string, number[]>;
  let after = await estate.gcos.feed.last();
  const total = SECONDS * 10 * PER_TENTH;
  const reading = (async () => {
    while (waited.length < total) {
      const page = await estate.gcos.feed.read({ after, types: ['inventory.changed'] });
      const now = Date.now();
      for (const { payload, occurredAt, numberedAt } of page.entries) {
        const born = Number((payload['changes'] as Record<string, number>)['object_born'] ?? 0);
        const [taken, numbered] = [Date.parse(occurredAt), Date.parse(numberedAt)];
        for (let n = 0; n < born; n += 1) {
          const committed = commits[waited.length] ?? now;
          waited.push(now - committed);
          stages['until it was taken in']?.push(taken - committed);
          stages['until it had a number']?.push(numbered - taken);
          stages['until it was read']?.push(now - numbered);
        }
      }
      after = page.next;
      await pause(POLL_MS);
    }
  })();
  const began = performance.now();
  for (let tenth = 0; tenth < SECONDS * 10; tenth += 1) {
    await insert(`feed-${tenth}`, PER_TENTH);
    commits.push(...Array<number>(PER_TENTH).fill(Date.now()));
    await pause(Math.max(0, began + (tenth + 1) * 100 - performance.now()));
  }
  await reading;
  stop.abort();
  await working;
  const figures = (found: readonly number[]): string => {
    const sorted = [...found].sort((one, other) => one - other);
    const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
    return `median ${at(0.5)} ms, p99 ${at(0.99)} ms`;
  };
  console.log(`${total} births in ${SECONDS} s: ${figures(waited)}`);
  for (const [stage, found] of Object.entries(stages)) console.log(`  ${stage}: ${figures(found)}`);
  expect(waited).toHaveLength(total);
}, 180_000);
