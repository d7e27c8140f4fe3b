// The feed: numbers in the order in which entries became visible, whatever order they were written in;
// nothing lost, nothing twice, and a reader who was away too long is told so.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resetClock, setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { mapTester } from '../support/events.js';
import { breakNumbering, emitSql, number, readAll, refsOf } from '../support/feed.js';
import { until } from '../support/wait.js';

let estate: Estate;
const sessions: pg.Client[] = [];
const host = (text: string) => asHost(estate.url, text);

async function session(url = estate.url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // A test that fails may leave it behind when its database is dropped.
  client.on('error', () => undefined);
  await client.connect();
  sessions.push(client);
  return client;
}

beforeAll(async () => {
  estate = await createEstate('installed');
  await mapTester(estate.url);
  await estate.gcos.events.activate(['coverage.orphan']);
});
afterEach(async () => {
  for (const client of sessions.splice(0)) await client.end();
});
afterAll(() => estate.close());

/** The last number, once everything so far has one. */
async function here(): Promise<bigint> {
  await number(estate.gcos);
  return estate.gcos.feed.last();
}

describe('numbers', () => {
  it('an entry that commits late gets a number behind those that were read, and none twice', async () => {
    const start = await here();
    const slow = await session();
    await slow.query('begin');
    await slow.query('savepoint inner_one');
    await slow.query(emitSql('slow'));
    await slow.query('release savepoint inner_one');
    await host(emitSql('quick'));
    await number(estate.gcos);
    expect(refsOf(await readAll(estate.gcos, start))).toEqual(['quick']);
    await host(emitSql('later'));
    await number(estate.gcos);
    await slow.query('commit');
    await number(estate.gcos);
    await number(estate.gcos);
    expect(refsOf(await readAll(estate.gcos, start))).toEqual(['quick', 'later', 'slow']);
  });

  it('a transaction that is prepared, and one that is rolled back to a savepoint', async () => {
    const start = await here();
    const other = await session();
    await other.query('begin');
    await other.query(emitSql('prepared'));
    await other.query("prepare transaction 'feed-test'");
    await other.query('begin');
    await other.query(emitSql('kept'));
    await other.query('savepoint gone');
    await other.query(emitSql('rolled-back'));
    await other.query('rollback to savepoint gone');
    await number(estate.gcos);
    await other.query('commit');
    await number(estate.gcos);
    await other.query("commit prepared 'feed-test'");
    await number(estate.gcos);
    expect(refsOf(await readAll(estate.gcos, start))).toEqual(['kept', 'prepared']);
  });

  it('a burst above the limit of a round is numbered by several, in order, with what commits meanwhile', async () => {
    const start = await here();
    const slow = await session();
    await slow.query('begin');
    await slow.query(emitSql('b-slow'));
    await host(Array.from({ length: 25 }, (_, n) => emitSql(`b-${n}`)).join(';'));
    const round = () => host('select * from gcos_number_feed(10)');
    expect(await round()).toMatchObject([{ numbered: '10', more: true }]);
    await slow.query('commit');
    for (let found = await round(); found[0]?.['more'] === true; ) found = await round();
    const refs = refsOf(await readAll(estate.gcos, start));
    expect(refs.filter((ref) => ref !== 'b-slow')).toEqual(Array.from({ length: 25 }, (_, n) => `b-${n}`));
    expect(refs).toHaveLength(26);
  });

  it('links of the log and entries that wait together are numbered in the order of their commits', async () => {
    const start = await here();
    const open = async () => (await estate.gcos.requests.open('gcos.remediation.propose', { x: 1 })).code;
    await host(emitSql('m1'));
    const first = await open();
    await host(emitSql('m2'));
    await host(emitSql('m3'));
    await estate.gcos.requests.withdraw(first);
    await host(emitSql('m4'));
    // In rounds of two, so that each leaves some of both kinds behind.
    const sizes = [];
    for (let more = true; more; ) {
      const [round] = await host('select * from gcos_number_feed(2)');
      sizes.push(Number(round?.['numbered']));
      more = round?.['more'] === true;
    }
    expect(Math.max(...sizes)).toBeLessThan(6);
    const entries = (await readAll(estate.gcos, start))
      .map(({ type, subject }) => (subject.startsWith('feed_test:') ? subject.slice(10) : type))
      .filter((each) => !each.startsWith('worker.'));
    expect(entries).toEqual(['m1', 'request.opened', 'm2', 'm3', 'request.withdrawn', 'm4']);
  });

  it('after a restore to a server with fewer transactions, everything that waits still gets its number', async () => {
    const start = await here();
    await host(`update gov_feed_state set seen = '900000000000:900000000001:'`);
    await host(emitSql('restored'));
    await number(estate.gcos);
    await host(`update gov_feed_state set system_identifier = '1', seen = pg_current_snapshot()`);
    await number(estate.gcos);
    expect(refsOf(await readAll(estate.gcos, start))).toEqual(['restored']);
  });

  it.each([
    ['forgets running transactions', 'pg_snapshot_xip(known)', 'pg_snapshot_xip(null)'],
    [
      'begins behind the end of the snapshot',
      "coalesce(pg_snapshot_xmax(known), '0')",
      "coalesce((pg_snapshot_xmax(known)::text::bigint + 100000)::text::xid8, '0')",
    ],
  ])('a round that %s loses entries', async (_, part, by) => {
    const broken = await createEstate('installed');
    try {
      await mapTester(broken.url);
      await broken.gcos.events.activate(['coverage.orphan']);
      await number(broken.gcos);
      const start = await broken.gcos.feed.last();
      await breakNumbering(broken.url, part, by);
      const slow = await session(broken.url);
      await slow.query('begin');
      await slow.query(emitSql('slow'));
      await asHost(broken.url, emitSql('quick'));
      await number(broken.gcos);
      await slow.query('commit');
      await asHost(broken.url, emitSql('last'));
      await number(broken.gcos);
      expect(refsOf(await readAll(broken.gcos, start)).length).toBeLessThan(3);
    } finally {
      await broken.close();
    }
  });

  it('forty writers with slow commits, savepoints, roll-backs and prepared transactions', async () => {
    const start = await here();
    const stop = new AbortController();
    const worker = estate.gcos.worker.run({
      ...{ signal: stop.signal, log: () => undefined, port: 'off', duties: ['feed'] },
    });
    /** What committed, with the time before its transaction began and after it had committed. */
    const committed: { readonly ref: string; readonly began: number; readonly ended: number }[] = [];
    const seen: { readonly number: bigint; readonly ref: string | undefined }[] = [];
    let writing = true;
    const reader = (async () => {
      for (let after = start; ; ) {
        const page = await estate.gcos.feed.read({ after, limit: 50 });
        expect(page.reset).toBe(false);
        seen.push(...page.entries.map((entry) => ({ number: entry.number, ref: refsOf([entry])[0] })));
        after = page.next;
        if (!writing && seen.filter(({ ref }) => ref !== undefined).length >= committed.length) return;
      }
    })();
    const write = async (writer: number) => {
      const client = await session();
      for (let n = 0; n < 8; n += 1) {
        const kind = (writer * 7 + n) % 5;
        const ref = `w${writer}-${n}`;
        const began = performance.now();
        await client.query('begin');
        if (kind === 1) await client.query('savepoint s');
        await client.query(emitSql(ref));
        if (kind === 1) await client.query('release s');
        // The pause of a slow commit is the server's, and differs for each writer.
        if (kind === 2) await client.query(`select pg_sleep(${(writer % 10) / 20})`);
        if (kind === 3) await client.query('rollback');
        else if (kind === 4) {
          await client.query(`prepare transaction 'feed-${ref}'`);
          await client.query(`select pg_sleep(${(n % 4) / 20})`);
          await client.query(`commit prepared 'feed-${ref}'`);
        } else await client.query('commit');
        if (kind !== 3) committed.push({ ref, began, ended: performance.now() });
      }
    };
    await Promise.all(Array.from({ length: 40 }, (_, writer) => write(writer)));
    writing = false;
    await reader;
    stop.abort();
    await worker;

    // No gap between numbers, and each entry once.
    expect(seen.map((each) => each.number)).toEqual(seen.map((_, n) => start + BigInt(n + 1)));
    const refs = seen.flatMap(({ ref }) => ref ?? []);
    expect([...refs].sort()).toEqual(committed.map(({ ref }) => ref).sort());
    expect(refs).toHaveLength(256);
    // What had committed before another transaction began has the lower number.
    const place = new Map(refs.map((ref, index) => [ref, index]));
    const wrong = committed.flatMap((one) =>
      committed.filter(
        (other) => one.ended < other.began && (place.get(one.ref) ?? 0) > (place.get(other.ref) ?? 0),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe('reading', () => {
  it('what is no longer kept is a reset, and so is a number that was never given', async () => {
    const start = await here();
    for (const ref of ['r1', 'r2', 'r3']) await host(emitSql(ref));
    await number(estate.gcos);
    const end = await estate.gcos.feed.last();
    await setClock(estate.url, { ahead: '25 hours' });
    await host(emitSql('fresh'));
    await number(estate.gcos);
    const { signal } = new AbortController();
    await until('everything old is pruned', async () => {
      await estate.gcos.worker.once({ signal, log: () => undefined, duties: ['supervisor'] });
      return (await host(`select from gov_feed where number <= ${end}`)).length === 0;
    });
    await resetClock(estate.url);
    await number(estate.gcos);
    const last = await estate.gcos.feed.last();
    expect(await estate.gcos.feed.read({ after: start })).toEqual({
      entries: [],
      reset: true,
      next: last,
      last,
    });
    expect(await estate.gcos.feed.read({ after: last + 1n })).toMatchObject({ reset: true, next: last });
    expect(await estate.gcos.feed.read({ after: last })).toEqual({
      entries: [],
      reset: false,
      next: last,
      last,
    });
    expect(refsOf(await readAll(estate.gcos, end))).toEqual(['fresh']);
    expect(refsOf((await estate.gcos.feed.read({ limit: 1_000 })).entries)).toEqual(['fresh']);
    // The entries go with their numbers.
    expect(
      await host('select from gov_feed_entry e where e.entry_id < (select min(f.entry_id) from gov_feed f)'),
    ).toEqual([]);
  });
});
