// A stopped, crashed or frozen intake does not block the host.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createIntake, type IntakeEstate } from '../support/intake.js';
import { until } from '../support/wait.js';
import { startWorkerProcess } from '../support/worker-process.js';

/** The server ends an idle transaction after 15 s; the limit leaves room for a busy machine. */
const IDLE_LIMIT = '60s';

/** Fails if the birth waits for a lock for more than a second. */
const insertBirthWithoutWaiting = (h: IntakeEstate, code: string) =>
  asHost(
    h.estate.url,
    `set lock_timeout = '1s'; insert into birth_registry (entity_code, collection_name, status) values ('${code}', 'orders', 'born')`,
  );
/** Fails if the ALTER waits for a lock for longer than `limit`. */
const alterWithin = (h: IntakeEstate, limit: string) =>
  asHost(
    h.estate.url,
    `set lock_timeout = '${limit}'; alter table birth_registry add column added_meanwhile text; alter table birth_registry drop column added_meanwhile`,
  );
const setShortPace = (h: IntakeEstate) =>
  h.host(
    `update governance_setting set setting_value = '{"near_ms": 20, "wide_ms": 150, "wide_most_ms": 300}' where setting_key = 'intake.pace'`,
  );

describe('an intake that stops, crashes or freezes at any moment', () => {
  let h: IntakeEstate;
  beforeAll(async () => {
    h = await createIntake();
    await setShortPace(h);
  });
  afterAll(() => h.close());
  const start = async () => {
    const process = startWorkerProcess({ url: h.workerUrl, leaseTtlMs: 500 }, 'intake-process.mjs');
    await process.waitForState('wide');
    return process;
  };

  it('leaves no lock on birth_registry after it has stopped', async () => {
    const process = await start();
    process.child.kill('SIGTERM');
    await process.ended;
    expect(
      await h.host(
        `select a.query from pg_locks l join pg_stat_activity a using (pid)
         where l.relation = 'birth_registry'::regclass and a.datname = current_database() and a.application_name like 'gcos%'`,
      ),
    ).toEqual([]);
    await insertBirthWithoutWaiting(h, 'STOPPED-1');
    await alterWithin(h, '10s');
  });

  it('crashes repeatedly (seed 15), and blocks neither births nor an ALTER', async () => {
    for (const delay of [0, 37, 110]) {
      const process = await start();
      await new Promise((resolve) => setTimeout(resolve, delay));
      await process.end();
      await insertBirthWithoutWaiting(h, `CRASHED-${delay}`);
      await alterWithin(h, '10s');
    }
  });

  it('freezes at a random moment (seed 15): it blocks no birth, and an ALTER only until the server ends its transaction', async () => {
    const process = await start();
    await new Promise((resolve) => setTimeout(resolve, 73));
    process.child.kill('SIGSTOP');
    try {
      await insertBirthWithoutWaiting(h, 'FROZEN-ANYWHERE');
      await alterWithin(h, IDLE_LIMIT);
    } finally {
      process.child.kill('SIGCONT');
      await process.end();
    }
  });
});

describe('an intake that freezes (SIGSTOP) in the middle of a round', () => {
  let h: IntakeEstate;
  beforeAll(async () => {
    h = await createIntake();
  });
  afterAll(() => h.close());

  it('blocks no birth, and an ALTER of birth_registry only until the server ends its transaction', async () => {
    await setShortPace(h);
    const process = startWorkerProcess({ url: h.workerUrl, leaseTtlMs: 30_000 }, 'intake-process.mjs');
    await process.waitForState('wide');
    // The round waits for this lock while it uses birth_registry. Then its process freezes, and the lock is
    // released.
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
      await until('the round is idle in its transaction', async () => {
        const rows = await h.host(
          `select 1 from pg_stat_activity where datname = current_database() and application_name like 'gcos:intake:%' and state = 'idle in transaction'`,
        );
        return rows.length > 0;
      });
      await insertBirthWithoutWaiting(h, 'FROZEN-2');
      await Promise.all([
        alterWithin(h, IDLE_LIMIT),
        // Waits behind the ALTER, which waits behind the frozen session.
        asHost(
          h.estate.url,
          `set lock_timeout = '${IDLE_LIMIT}'; insert into birth_registry (entity_code, collection_name, status) values ('FROZEN-3', 'orders', 'born')`,
        ),
      ]);
    } finally {
      process.child.kill('SIGCONT');
      await process.end();
    }
  });
});
