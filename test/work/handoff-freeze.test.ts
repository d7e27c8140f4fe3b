// A frozen intake stands in nobody's way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createHandoff, type Handoff } from '../support/handoff.js';
import { until } from '../support/wait.js';
import { startWorkerProcess } from '../support/worker-process.js';

/** A birth never waits for a lock, an ALTER at most as long as the server lets a silent transaction live. */
const birthWaitsForNobody = (h: Handoff, code: string) =>
  asHost(
    h.estate.url,
    `set lock_timeout = '250ms'; insert into birth_registry (entity_code, collection_name, status) values ('${code}', 'orders', 'born')`,
  );
const alterWaitsAtMost = (h: Handoff, limit: string) =>
  asHost(
    h.estate.url,
    `set lock_timeout = '${limit}'; alter table birth_registry add column added_meanwhile text; alter table birth_registry drop column added_meanwhile`,
  );
const inAHurry = (h: Handoff) =>
  h.host(
    `update governance_setting set setting_value = '{"near_ms": 20, "wide_ms": 150, "wide_most_ms": 300}' where setting_key = 'handoff.pace'`,
  );

describe('with the intake stopped, crashed, or frozen at any moment', () => {
  let h: Handoff;
  beforeAll(async () => {
    h = await createHandoff();
    await inAHurry(h);
  });
  afterAll(() => h.close());
  const start = async () => {
    const process = startWorkerProcess({ url: h.workerUrl, leaseTtlMs: 500 }, 'intake-process.mjs');
    await process.saying('wide');
    return process;
  };

  it('stopped: nothing of it is left, neither a lock nor a session in a transaction', async () => {
    const process = await start();
    process.child.kill('SIGTERM');
    await process.ended;
    expect(
      await h.host(
        `select a.query from pg_locks l join pg_stat_activity a using (pid)
         where l.relation = 'birth_registry'::regclass and a.datname = current_database() and a.application_name like 'gcos%'`,
      ),
    ).toEqual([]);
    await birthWaitsForNobody(h, 'STOPPED-1');
    await alterWaitsAtMost(h, '5s');
  });

  it('crashed in the middle of whatever it does, again and again (seed 15): births and an ALTER do not notice', async () => {
    for (const delay of [0, 37, 110]) {
      const process = await start();
      await new Promise((resolve) => setTimeout(resolve, delay));
      await process.end();
      await birthWaitsForNobody(h, `CRASHED-${delay}`);
      await alterWaitsAtMost(h, '5s');
    }
  });

  it('frozen at a random moment (seed 15): births do not notice, an ALTER waits 15 s at most', async () => {
    const process = await start();
    await new Promise((resolve) => setTimeout(resolve, 73));
    process.child.kill('SIGSTOP');
    try {
      await birthWaitsForNobody(h, 'FROZEN-ANYWHERE');
      await alterWaitsAtMost(h, '16s');
    } finally {
      process.child.kill('SIGCONT');
      await process.end();
    }
  });
});

describe('with the intake frozen (SIGSTOP) in the middle of a round', () => {
  let h: Handoff;
  beforeAll(async () => {
    h = await createHandoff();
  });
  afterAll(() => h.close());

  it('frozen in the middle of a round, it holds up neither a birth nor an ALTER of birth_registry for longer than 15 s', async () => {
    await inAHurry(h);
    const process = startWorkerProcess({ url: h.workerUrl, leaseTtlMs: 30_000 }, 'intake-process.mjs');
    await process.saying('wide');
    // The round waits for this lock with birth_registry open; then its process freezes, and the lock goes.
    let release: () => void = () => undefined;
    const locked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = h.estate.db.transaction({ isolation: 'read committed' }, async (tx) => {
      await tx.script('lock table governance_candidate_state in access exclusive mode');
      await asHost(
        h.estate.url,
        `insert into birth_registry (entity_code, collection_name, status) values ('FROZEN-1', 'orders', 'born')`,
      );
      await locked;
    });
    await until('a round waits', async () => {
      const rows = await h.host(
        `select 1 from pg_stat_activity where application_name like 'gcos:intake:%' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    process.child.kill('SIGSTOP');
    release();
    await holding;
    try {
      await until('it is idle in its transaction', async () => {
        const rows = await h.host(
          `select 1 from pg_stat_activity where application_name like 'gcos:intake:%' and state = 'idle in transaction'`,
        );
        return rows.length > 0;
      });
      const started = performance.now();
      await asHost(
        h.estate.url,
        `insert into birth_registry (entity_code, collection_name, status) values ('FROZEN-2', 'orders', 'born')`,
      );
      expect(performance.now() - started).toBeLessThan(1_000);
      await Promise.all([
        asHost(h.estate.url, 'alter table birth_registry add column added_meanwhile text'),
        asHost(
          h.estate.url,
          `insert into birth_registry (entity_code, collection_name, status) values ('FROZEN-3', 'orders', 'born')`,
        ),
      ]);
      expect(performance.now() - started).toBeLessThan(16_500);
    } finally {
      process.child.kill('SIGCONT');
      await process.end();
      await h.host('alter table birth_registry drop column if exists added_meanwhile');
    }
  });
});
