// The pause: one row stops all workers at their current position.
import { describe, expect, it } from 'vitest';
import { acquireLease, advance, readHeartbeats, runUnderLease } from '../../src/record/cursor/index.js';
import { runCli } from '../support/cli.js';
import { AT, committed, db, estate, source, take, useWorkerLogin } from '../support/leased.js';
import { until } from '../support/wait.js';

useWorkerLogin();

describe('pause', () => {
  it('refuses every work transaction through one row, and appears in the status', async () => {
    const lease = await take();
    const move = (by: typeof lease) => by.work(committed, (tx) => advance(tx, by, 'main', {}));
    const env = { DATABASE_URL: estate.url };
    const paused = await runCli(['pause', '--reason', 'moving house', '--json'], { env });
    expect(JSON.parse(paused.stdout)).toMatchObject({
      paused: true,
      pause: { by: 'tester', login: 'postgres', reason: 'moving house' },
      resume: null,
    });
    await expect(move(lease)).rejects.toMatchObject({
      code: 'workers_paused',
      exit: 1,
      message: expect.stringMatching(/^all workers are paused by `tester` since .+: moving house$/),
    });
    expect((await runCli(['status'], { env })).stdout).toContain('all workers are paused');
    expect((await runCli(['resume'], { env })).stdout).toContain('workers may run');
    await move(lease);
    expect((await runCli(['status'], { env })).stdout).not.toContain('paused');
  });

  it('keeps a running worker ticking at its position until it is resumed', async () => {
    const stop = new AbortController();
    const errors: unknown[] = [];
    let rounds = 0;
    const running = runUnderLease({
      db,
      worker: 'pauser',
      source,
      signal: stop.signal,
      restMs: 10,
      onError: (error) => errors.push(error),
      ttlMs: 5_000,
      async work(lease) {
        rounds += 1;
        await lease.work(committed, (tx) => advance(tx, lease, 'main', {}));
        return { more: false, progress: { value: String(rounds) }, lagSeconds: 0 };
      },
    });
    const state = async () =>
      (await db.transaction(committed, (tx) => readHeartbeats(tx, AT))).find(
        (each) => each.worker === 'pauser',
      )?.state;
    await until('the worker runs', async () => (await state()) === 'running');
    await estate.gcos.workers.pause('a test');
    await until('the worker is paused', async () => (await state()) === 'paused');
    await estate.gcos.workers.resume();
    await until('the worker runs again', async () => (await state()) === 'running');
    stop.abort();
    await running;
    expect(await state()).toBe('stopped');
    expect(errors).toEqual([]);
    expect(await acquireLease(db, { worker: 'pauser', source, holder: 'next' })).toBeDefined();
  });
});
