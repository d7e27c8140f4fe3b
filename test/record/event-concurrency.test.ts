// Concurrent emitters, an operator and promoters, and promoters that are killed: no signal is emitted while
// its type is inactive, none is lost, duplicated or out of order, and the operator gets the lock.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Database, statement } from '../../src/db/index.js';
import { Events, emitSignals, promoteBatch } from '../../src/record/event/index.js';
import { checkout } from '../support/cli.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { mapTester, signalOf } from '../support/events.js';

const RC = { isolation: 'read committed', retries: 20 } as const;
const TYPE = 'handoff.count_changed';
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function installed(poolSize: number): Promise<{ estate: Estate; db: Database }> {
  const estate = await createEstate('installed');
  await mapTester(estate.url);
  const db = openDatabase(estate.url, { poolSize, lockTimeoutMs: 10_000 });
  open.push(estate, db);
  return { estate, db };
}

/** Per subject, the counts of its signals in the order of the outbox. */
async function departures(url: string): Promise<Map<string, number[]>> {
  const rows = await asHost(
    url,
    `select event_subject_ref as ref, (safe_payload ->> 'count')::int as n from event_outbox
     where event_domain = 'governance' and event_type = '${TYPE}' order by created_at, id`,
  );
  const bySubject = new Map<string, number[]>();
  for (const row of rows) bySubject.set(row['ref'], [...(bySubject.get(row['ref']) ?? []), row['n']]);
  return bySubject;
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1);

const countOutbox = statement<Record<never, never>, { readonly n: bigint }>({
  name: 'test.count_outbox',
  sql: `select count(*) as n from event_outbox where event_domain = 'governance' and event_type = '${TYPE}'`,
});
const setOne = statement<{ readonly active: boolean }, { readonly n: bigint }>({
  name: 'test.set_active',
  sql: `select count(*) as n from gcos_set_types_active(array['${TYPE}'], $1::bool)`,
  params: ['active'],
});

/** A small seeded generator: a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('signals under concurrency', () => {
  it('never reach the outbox while their type is inactive, with 50 emitters, an operator and two promoters', async () => {
    const { estate, db } = await installed(60);
    // Opens all connections and compiles the functions first.
    await Promise.all(upTo(53).map(() => db.transaction(RC, (tx) => promoteBatch(tx, { limit: 1 }))));
    // Runs until there were enough switches, emitted and held signals, however long that takes.
    const SWITCHES = 20;
    let switches = 0;
    const emission = { emitted: 0, held: 0 };
    const running = () => switches < SWITCHES || emission.emitted < 200 || emission.held < 200;
    const written = new Map<string, number>();

    // An emitter uses a subject for ten transactions, then the next subject.
    const emitter = async (id: number): Promise<void> => {
      for (let round = 0; running(); round += 1) {
        const own = `own-${id}-${Math.floor(round / 10)}`;
        const n = 2 * (round % 10);
        const signals = [
          signalOf(TYPE, own, { payload: { count: n + 1 } }),
          signalOf(TYPE, `shared-${round % 50}`, { payload: { count: 1 } }),
          signalOf(TYPE, own, { payload: { count: n + 2 } }),
        ];
        const done = await db.transaction(RC, async (tx) => {
          const counts = await emitSignals(tx, signals);
          // The transaction of the cause continues after the signal.
          await tx.script('select 1');
          return counts;
        });
        written.set(own, n + 2);
        emission.emitted += done.emitted;
        emission.held += done.held;
      }
    };
    let promoted = 0;
    const promoter = async (): Promise<void> => {
      while (running())
        promoted += (await db.transaction(RC, (tx) => promoteBatch(tx, { limit: 200 }))).promoted;
    };
    const reached = async (count: () => number, more: number): Promise<void> => {
      for (const goal = count() + more; count() < goal && running(); ) await pause(5);
    };
    // Under the operator's lock no session emits. INVARIANT: from deactivation to the next activation the
    // number of signals in the outbox does not change.
    const leaks: { before: bigint; after: bigint }[] = [];
    const operator = async (): Promise<void> => {
      let before = 0n;
      for (let active = true; running(); active = !active) {
        // Fifty emitters never stop. If the operator does not get the lock within a minute, the test fails.
        await db.transaction({ ...RC, lockTimeoutMs: 60_000 }, async (tx) => {
          await tx.script('lock table event_type_registry in exclusive mode');
          switches += 1;
          const { n } = await tx.one(countOutbox, {});
          if (active) leaks.push({ before, after: n });
          else before = n;
          await tx.one(setOne, { active });
        });
        // Inactive until enough signals are held, active until some are emitted.
        if (active) await reached(() => emission.emitted + promoted, 20);
        else await reached(() => emission.held, 150);
      }
    };
    await Promise.all([...upTo(50).map(emitter), promoter(), promoter(), operator()]);

    const events = new Events(db, estate.gcos.installation);
    await events.activate([TYPE]);
    const last = await events.promote();
    expect(last).toMatchObject({ failed: 0, remaining: 0 });
    expect(leaks.filter((each) => each.after !== each.before)).toEqual([]);
    const left = await departures(estate.url);
    for (const [own, n] of written) expect(left.get(own), own).toEqual(upTo(n));
    const total = [...left.values()].reduce((sum, each) => sum + each.length, 0);
    expect(total).toBe(emission.emitted + emission.held);
  });

  it('are emitted exactly once and in order per subject: 10,000 held signals, promoter killed at random moments', async () => {
    const { estate, db } = await installed(4);
    for (let page = 0; page < 10; page += 1) {
      const signals = upTo(1_000).map((n) => {
        const index = page * 1_000 + n - 1;
        return signalOf(TYPE, `S-${index % 200}`, { payload: { count: Math.floor(index / 200) + 1 } });
      });
      await db.transaction(RC, (tx) => emitSignals(tx, signals));
    }
    await new Events(db, estate.gcos.installation).activate([TYPE]);
    const chance = random(20_261_115);
    const KILLS = 8;
    let kills = 0;
    for (;;) {
      const child = spawn(
        process.execPath,
        [join(checkout, 'test/support/promoter-process.mjs'), estate.url, '70'],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
      await Promise.race([once(child.stdout, 'data'), exit]);
      const timer = kills === KILLS ? undefined : setTimeout(() => child.kill('SIGKILL'), 5 + chance() * 120);
      const [code, signal] = await exit;
      clearTimeout(timer);
      if (signal === 'SIGKILL') kills += 1;
      else {
        expect(code).toBe(0);
        break;
      }
    }
    const left = await departures(estate.url);
    expect(left.size).toBe(200);
    for (const [subject, counts] of left) expect(counts, subject).toEqual(upTo(50));
    const [row] = await asHost(
      estate.url,
      `select (select count(*) from governance_hold)::int as holds,
         (select count(*) from event_pending where processed_at is null)::int as pending,
         (select count(distinct id) from event_outbox where event_domain = 'governance')::int as ids`,
    );
    expect(row).toEqual({ holds: 0, pending: 0, ids: 10_000 });
    // On a fast machine the promoter may finish before all kills have happened.
    expect(kills).toBeGreaterThan(0);
  });

  it('are shared by several promoters without duplicates or reordering', async () => {
    const { estate, db } = await installed(8);
    const signals = upTo(2_000).map((n) =>
      signalOf(TYPE, `S-${n % 20}`, { payload: { count: Math.ceil(n / 20) } }),
    );
    await db.transaction(RC, (tx) => emitSignals(tx, signals));
    const events = new Events(db, estate.gcos.installation);
    await events.activate([TYPE]);
    const shares = await Promise.all(
      upTo(6).map(async () => {
        let share = 0;
        for (let batch = 1; batch > 0; share += batch)
          ({ promoted: batch } = await db.transaction(RC, (tx) => promoteBatch(tx, { limit: 50 })));
        return share;
      }),
    );
    expect(shares.reduce((sum, each) => sum + each, 0)).toBe(2_000);
    const left = await departures(estate.url);
    expect(left.size).toBe(20);
    for (const [subject, counts] of left) expect(counts, subject).toEqual(upTo(100));
  });
});
