// A frozen intake stands in nobody's way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createHandoff, type Handoff } from '../support/intake.js';
import { until } from '../support/wait.js';
import { startWorkerProcess } from '../support/worker-process.js';

/** The server lets a silent transaction live for 15 s; what is behind it gets its lock then, be the machine as busy as it may. */
const SILENCE = '60s';

/** A birth waits for no lock, an ALTER at most as long as the server lets a silent transaction live. */
const birthWaitsForNobody = (h: Handoff, code: string) =>
  asHost(
    h.estate.url,
    `set lock_timeout = '1s'; insert into birth_registry (entity_code, collection_name, status) values ('${code}', 'orders', 'born')`,
  );
const alterWaitsAtMost = (h: Handoff, limit: string) =>
  asHost(
    h.estate.url,
    `set lock_timeout = '${limit}'; alter table birth_registry add column added_meanwhile text; alter table birth_registry drop column added_meanwhile`,
  );
const inAHurry = (h: Handoff) =>
  h.host(
    `update governance_setting set setting_value = '{"near_ms": 20, "wide_ms": 150, "wide_most_ms": 300}' where setting_key = 'intake.pace'`,
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
    await alterWaitsAtMost(h, '10s');
  });

  it('crashed in the middle of whatever it does, again and again (seed 15): births and an ALTER do not notice', async () => {
    for (const delay of [0, 37, 110]) {
      const process = await start();
      await new Promise((resolve) => setTimeout(resolve, delay));
      await process.end();
      await birthWaitsForNobody(h, `CRASHED-${delay}`);
      await alterWaitsAtMost(h, '10s');
    }
  });

  it('frozen at a random moment (seed 15): births do not notice, an ALTER gets through once the server has ended it', async () => {
    const process = await start();
    await new Promise((resolve) => setTimeout(resolve, 73));
    process.child.kill('SIGSTOP');
    try {
      await birthWaitsForNobody(h, 'FROZEN-ANYWHERE');
      await alterWaitsAtMost(h, SILENCE);
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

  it('frozen in the middle of a round, it holds up no birth, and an ALTER of birth_registry only until the server ends it', async () => {
    await inAHurry(h);
    const process = startWorkerProcess({ url: h.workerUrl, leaseTtlMs: 30_000 }, 'intake-process.mjs');
    await process.saying('wide');
    // The round waits for this lock with birth_registry open; then its process freezes, and the lock goes.
    let release: () => void = () => undefined;
    const locked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const patient = { isolation: 'read committed', idleTimeoutMs: 300_000 } as const;
    const holding = h.estate.db.transaction(patient, async (tx) => {
      await tx.script('lock table governance_candidate_state in access exclusive mode');
      await asHost(
        h.estate.url,
        `insert into birth_registry (entity_code, collection_name, status) values ('FROZEN-1', 'orders', 'born')`,
      );
      await locked;
    });
    await until('a round waits', async () => {
      const rows = await h.host(
        `select 1 from pg_stat_activity where datname = current_database() and application_name like 'gcos:intake:%' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    process.child.kill('SIGSTOP');
    release();
    await holding;
    try {
      await until('it is idle in its transaction', async () => {
        const rows = await h.host(
          `select 1 from pg_stat_activity where datname = current_database() and application_name like 'gcos:intake:%' and state = 'idle in transaction'`,
        );
        return rows.length > 0;
      });
      await birthWaitsForNobody(h, 'FROZEN-2');
      await Promise.all([
        alterWaitsAtMost(h, SILENCE),
        // Behind the ALTER, which is behind what is frozen.
        asHost(
          h.estate.url,
          `set lock_timeout = '${SILENCE}'; insert into birth_registry (entity_code, collection_name, status) values ('FROZEN-3', 'orders', 'born')`,
        ),
      ]);
    } finally {
      process.child.kill('SIGCONT');
      await process.end();
    }
  });
});
