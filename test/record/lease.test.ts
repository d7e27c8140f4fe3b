// Leases: one holder at a time by the server's clock, no write without the current fence, and rights.
import { describe, expect, it } from 'vitest';
import { acquireLease, advance, Lease, readCursor } from '../../src/record/cursor/index.js';
import { asHost, openDatabase } from '../support/database.js';
import {
  api,
  bury,
  committed,
  cursorOf,
  db,
  estate,
  source,
  take,
  useWorkerLogin,
  workerUrl,
} from '../support/leased.js';
import { until } from '../support/wait.js';

useWorkerLogin();

const move = (lease: Lease, watermark: string, round = 'main') =>
  lease.work(committed, (tx) => advance(tx, lease, round, { watermark }));
const watermark = async (lease: Lease, round = 'main') => (await cursorOf(lease, round)).watermark;

describe('leases', () => {
  it('have one holder at a time; a release is immediate, and the server clock decides the expiry', async () => {
    const one = await take({ ttlMs: 60_000 });
    expect(await acquireLease(db, { worker: 'tester', source, holder: 'two' })).toBeUndefined();
    expect(await acquireLease(db, { worker: 'tester', source, holder: 'one' })).toBeUndefined();
    expect(await one.release()).toBe(true);
    expect(await one.release()).toBe(false);
    const two = await take({ holder: 'two', ttlMs: 50 });
    const three = await until('the lease expires', () =>
      acquireLease(db, { worker: 'tester', source, holder: 'three' }),
    );
    expect([one.fence, two.fence, three.fence]).toEqual([1n, 2n, 3n]);
    await expect(two.renew()).rejects.toMatchObject({ code: 'lease_lost', exit: 1 });
    expect(two.lost.aborted).toBe(true);
    expect(await two.release()).toBe(false);
    await three.renew();
  });

  it('that expire later than any lease can were taken before the clock was set back: they count as expired', async () => {
    await take({ ttlMs: 60_000 });
    const expiring = (offset: string) =>
      asHost(estate.url, `update gov_worker_lease set expires_at = now() + interval '${offset}'`);
    await expiring('9 minutes');
    expect(await acquireLease(db, { worker: 'tester', source, holder: 'two' })).toBeUndefined();
    await expiring('1 day');
    expect(await acquireLease(db, { worker: 'tester', source, holder: 'two' })).toMatchObject({ fence: 2n });
  });

  it('last longer while they are renewed, and expire when renewing stops', async () => {
    const lease = await take({ ttlMs: 2_000 });
    let renewals = 0;
    lease.startRenewing({
      everyMs: 250,
      onRenewed: async () => {
        renewals += 1;
      },
    });
    await until('renewals beyond the first expiry', async () => renewals >= 10);
    expect(await acquireLease(db, { worker: 'tester', source, holder: 'two' })).toBeUndefined();
    await lease.stopRenewing();
    const counted = renewals;
    await until('the lease expires', () => acquireLease(db, { worker: 'tester', source, holder: 'two' }));
    expect(renewals).toBe(counted);
  });

  it('are not renewed by a process that makes no progress, so that another one takes over', async () => {
    const lease = await take({ ttlMs: 1_000 });
    const troubles: unknown[] = [];
    lease.startRenewing({ everyMs: 100, stalledMs: 500, onTrouble: (error) => troubles.push(error) });
    // The other process has a database of its own: its statements are no progress of the first.
    const other = openDatabase(workerUrl);
    try {
      const taken = await until('the lease is taken over', () =>
        acquireLease(other, { worker: 'tester', source, holder: 'two' }),
      );
      expect(taken.fence).toBe(lease.fence + 1n);
      expect(troubles[0]).toMatchObject({ code: 'lease_stalled' });
      await expect(move(lease, '1')).rejects.toMatchObject({ code: 'lease_lost' });
    } finally {
      await lease.stopRenewing();
      await other.close();
    }
  });

  it('let the former holder commit nothing after a takeover, in either isolation level', async () => {
    const old = await take({ ttlMs: 20 });
    await move(old, '1');
    const next = await until('the lease expires', () =>
      acquireLease(db, { worker: 'tester', source, holder: 'two' }),
    );
    for (const isolation of ['read committed', 'repeatable read'] as const)
      await expect(
        old.work({ isolation }, (tx) => advance(tx, old, 'main', { watermark: '2' })),
      ).rejects.toMatchObject({ code: 'lease_lost' });
    // A caller that ignores the error cannot commit either: the transaction has failed.
    await expect(
      db.transaction(committed, async (tx) => {
        await advance(tx, old, 'main', { watermark: '2' }).catch(() => undefined);
      }),
    ).rejects.toMatchObject({ code: 'transaction_lost' });
    expect(await watermark(next)).toEqual('1');
  });

  it('fail a repeatable read transaction if a takeover happens after its snapshot', async () => {
    const old = await take({ ttlMs: 20 });
    await expect(
      old.work({ isolation: 'repeatable read' }, async (tx) => {
        await readCursor(tx, old, 'main');
        await until('the lease expires', () => acquireLease(db, { worker: 'tester', source, holder: 'two' }));
        await advance(tx, old, 'main', { watermark: '2' });
      }),
      // The takeover ends the session, or the advance is refused: it never commits.
    ).rejects.toMatchObject({
      code: expect.stringMatching(/database_restarting|connection_lost|serialization_failure|lease_lost/),
    });
    expect(await watermark(old)).toEqual(null);
  });

  it('cannot be changed through the tables or with a forged fence', async () => {
    const lease = await take();
    for (const text of [
      'update gov_worker_cursor set fence = 0',
      "update gov_worker_lease set holder = 'me'",
      'delete from gov_worker_cursor',
      "update event_pending set last_error = 'x'",
      "update queue_heartbeat set lease_owner = 'x'",
    ])
      await expect(asHost(workerUrl, text), text).rejects.toMatchObject({ code: '42501' });
    const forged = new Lease(db, { worker: 'tester', source, holder: 'x' }, lease.fence + 1n);
    await expect(move(forged, '1')).rejects.toMatchObject({ code: 'lease_lost' });
  });
});

describe('rights', () => {
  it('let the login of a person pause workers and retry dead letters, but not take leases, move cursors or complete retries', async () => {
    const lease = await take({ worker: 'guarded' });
    await bury(lease, 'a');
    const where = `'guarded', '${source}'`;
    for (const call of [
      `gcos_take_lease(${where}, 'x', '1 minute', '{main}', '{integer}')`,
      `gcos_renew_lease(${where}, 1, '1 minute')`,
      `gcos_release_lease(${where}, 1)`,
      `gcos_lease_expiry('1 minute')`,
      `gcos_advance_cursor(${where}, 'main', 1, false, null, null, 0, 0, null, null, null)`,
      `gcos_note_regression(${where}, 'main', 1)`,
      `gcos_reset_cursor(${where}, 'main', null, null, null, 'why')`,
      `gcos_record_failures(${where}, 'main', 1, '{t}', '{r}', '{a}', '{e}', '{"{}"}')`,
      `gcos_complete_retries(${where}, 'main', 1, '{}')`,
      `gcos_tick('guarded', null, 'ok', 'running', null, null, null, null, true)`,
    ])
      await expect(asHost(api.url, `select ${call}`), call).rejects.toMatchObject({ code: '42501' });
    // Without a person, neither.
    const refused = { code: 'actor_unknown' };
    await expect(api.gcos.workers.pause('a talk')).rejects.toMatchObject(refused);
    await expect(api.gcos.deadLetters.retry({ origin: 'guarded' })).rejects.toMatchObject(refused);
    await asHost(
      estate.url,
      `insert into governance_actor (person_ref, login, approver_type) values ('operator', '${api.login}', 'member')`,
    );
    expect(await api.gcos.workers.pause('a talk')).toMatchObject({
      paused: true,
      pause: { by: 'operator', login: api.login, reason: 'a talk' },
    });
    await api.gcos.workers.resume();
    expect(await api.gcos.deadLetters.retry({ origin: 'guarded' })).toHaveLength(1);
  });

  it('limit the duration of a lease: zero, negative durations and more than ten minutes are refused', async () => {
    const lease = await take({ worker: 'guarded' });
    const call = (ttl: string) =>
      asHost(
        workerUrl,
        `select new_expiry from gcos_take_lease('guarded', '${source}_b', 'x', ${ttl}, '{main}', '{integer}')`,
      );
    const renew = (ttl: string) =>
      asHost(workerUrl, `select gcos_renew_lease('guarded', '${source}', ${lease.fence}, ${ttl})`);
    for (const ttl of [
      `'0'`,
      `'-1 minute'`,
      `'1000 years'`,
      `'10 minutes 1 second'`,
      'null',
      // Compares as one minute, but moves a time by many years.
      `'1000 years -360000 days 1 minute'`,
    ]) {
      await expect(call(ttl), ttl).rejects.toMatchObject({ code: '22023' });
      await expect(renew(ttl), ttl).rejects.toMatchObject({ code: '22023' });
    }
    // PostgreSQL 17 and later accept this value for the type.
    await expect(call(`'infinity'`)).rejects.toMatchObject({ code: expect.stringMatching(/^22/) });
    expect(await call(`'10 minutes'`)).toHaveLength(1);
  });
});
