// Workers killed (SIGKILL) at random moments from a fixed seed, and processes that compete for one lease: no
// item is skipped, none is applied twice, and there are never two holders at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { until } from '../support/wait.js';
import { prepareFeed, startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

const SEED = 41;
const KILLS = 12;
const ITEMS = 100_000;

/** A small seeded generator (xorshift). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

async function fencesOf(url: string): Promise<{ holder: string; fence: bigint }[]> {
  const rows = await asHost(url, 'select holder, fence::text as fence from applied order by n');
  return rows.map((row) => ({ holder: row['holder'] as string, fence: BigInt(row['fence'] as string) }));
}

/** In the order of the work, fences only increase, and one fence belongs to one holder. */
async function expectOneHolderAtATime(url: string): Promise<void> {
  const applied = await fencesOf(url);
  const owners = new Map<bigint, string>();
  let highest = 0n;
  for (const { holder, fence } of applied) {
    expect(fence >= highest).toBe(true);
    highest = fence;
    expect(owners.get(fence) ?? holder).toBe(holder);
    owners.set(fence, holder);
  }
}

describe('workers that are killed', () => {
  let estate: Estate;
  let feed: { url: string; close(): Promise<void> };
  const alive: WorkerProcess[] = [];
  beforeAll(async () => {
    estate = await createEstate('installed');
    feed = await prepareFeed(estate, ITEMS);
  });
  afterAll(async () => {
    for (const each of alive) await each.end();
    await feed?.close();
    await estate?.close();
  });

  const start = (holder: string): WorkerProcess => {
    const worker = startWorkerProcess({
      mode: 'count',
      url: feed.url,
      worker: 'counter',
      source: 'feed',
      holder,
      ttlMs: 300,
      batch: 7,
    });
    alive.push(worker);
    return worker;
  };
  const count = async () =>
    (await asHost(estate.url, 'select count(*)::int as n from applied'))[0]?.['n'] as number;

  it('skip no item and apply no item twice while two of them compete', async () => {
    const random = randomOf(SEED);
    const pair = [start('a-0'), start('b-0')];
    let kills = 0;
    while (kills < KILLS) {
      const before = await count();
      await until('the workers make progress or have finished', async () => {
        const now = await count();
        return now > before || now === ITEMS;
      });
      // The pause makes the moment of the kill random.
      await new Promise((resolve) => setTimeout(resolve, random() * 120));
      const side = random() < 0.5 ? 0 : 1;
      await pair[side]?.end();
      kills += 1;
      pair[side] = start(`${side === 0 ? 'a' : 'b'}-${kills}`);
    }
    // Deletes most of the unread feed so that the test ends sooner.
    await asHost(estate.url, 'delete from feed where id > (select coalesce(max(id), 0) + 500 from applied)');
    const [{ n: items }] = (await asHost(estate.url, 'select count(*)::int as n from feed')) as [
      { n: number },
    ];
    await until('all items are applied', async () => (await count()) >= items);
    for (const each of pair) each.send('stop');
    for (const each of pair) await each.waitForState('stopped');
    const [sum] = await asHost(
      estate.url,
      `select count(*)::int as n, count(distinct id)::int as ids, (select count(*)::int from feed) as items,
         (select watermark_id from gov_worker_cursor where worker = 'counter') as watermark,
         (select events_seen::int from gov_worker_cursor where worker = 'counter') as seen
       from applied`,
    );
    expect(sum).toEqual({ n: items, ids: items, items, watermark: String(items), seen: items });
    await expectOneHolderAtATime(estate.url);
  }, 600_000);
});

describe('processes that compete for one lease', () => {
  it('never hold it at the same time; after its lease expires a holder commits only if no other took it', async () => {
    const estate = await createEstate('installed');
    const feed = await prepareFeed(estate, 1_000);
    const competitors = ['a', 'b', 'c'].map((holder) =>
      startWorkerProcess({
        mode: 'grab',
        url: feed.url,
        worker: 'grabber',
        source: 'feed',
        holder,
        ttlMs: 60,
        times: 12,
      }),
    );
    try {
      for (const each of competitors) await each.waitForState('stopped');
      const grabs = competitors.flatMap((each) => each.reports.filter((line) => line['state'] === 'grabbed'));
      expect(grabs).toHaveLength(36);
      expect(new Set(grabs.map((each) => each['fence'])).size).toBe(36);
      const late = grabs.filter((each) => each['late']).map((each) => (each['outcomes'] as string[]).at(-1));
      expect(late).toContain('lease_lost');
      await expectOneHolderAtATime(estate.url);
      const [sum] = await asHost(
        estate.url,
        'select count(*)::int as n, count(distinct id)::int as ids, max(id)::int as last from applied',
      );
      expect(sum?.['ids']).toBe(sum?.['n']);
      expect(sum?.['last']).toBe(sum?.['n']);
    } finally {
      for (const each of competitors) await each.end();
      await feed.close();
      await estate.close();
    }
  });
});
