// A connection that is dead but open: nothing is forwarded, nothing is closed. Statements fail at their
// deadline, a worker recovers by itself, its health shows it, and a stop does not wait for it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Gcos } from '../../src/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { type FrozenProxy, startFrozenProxy } from '../support/frozen-proxy.js';
import { ask } from '../support/gate.js';
import { until } from '../support/wait.js';

describe('a connection that is dead but open', () => {
  let estate: Estate;
  let proxy: FrozenProxy;
  let gcos: Gcos | undefined;
  beforeEach(async () => {
    estate = await createEstate('scanned');
    proxy = await startFrozenProxy(estate.url);
  });
  afterEach(async () => {
    await proxy.stop();
    await gcos?.close();
    gcos = undefined;
    await estate.close();
  });

  it('fails a statement at its deadline, and the next transaction uses a new connection', async () => {
    const db = openDatabase(proxy.url, { statementTimeoutMs: 500, connectTimeoutMs: 1_000, poolSize: 1 });
    const time = () => db.transaction({ isolation: 'read committed' }, (tx) => tx.script('select 1'));
    await time();
    proxy.freeze();
    const started = performance.now();
    await expect(time()).rejects.toMatchObject({
      code: 'connection_lost',
      message: expect.stringMatching(/did not answer a statement for \d+ s$/),
    });
    expect(performance.now() - started).toBeLessThan(25_000);
    proxy.thaw();
    await time();
    await db.close();
  });

  it('shows in the health of a worker, which takes in what it missed once the server answers again', async () => {
    gcos = await openAt(proxy.url);
    const stop = new AbortController();
    let port = 0;
    const working = gcos.worker.run({
      signal: stop.signal,
      log: () => undefined,
      port: 0,
      duties: ['intake'],
      onStarted: (chosen) => {
        port = chosen ?? 0;
      },
    });
    const health = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
    await until('the intake works', async () =>
      (await estate.gcos.worker.status()).duties.some((each) => each.lastSuccessAt !== null),
    );
    expect(await health()).toBe(200);
    proxy.freeze();
    await asHost(estate.url, `update dot_tools set authority_ref = null where dot_code = 'DOT-118'`);
    expect(await health()).toBe(503);
    proxy.thaw();
    await until('the change is taken in', async () => {
      const { answer } = await ask(estate, { collection: 'dot_tools', code: 'DOT-118' });
      return answer === 'block';
    });
    stop.abort();
    await working;
  }, 180_000);

  it('does not delay a stop for more than ten seconds', async () => {
    gcos = await openAt(proxy.url);
    const stop = new AbortController();
    const events: string[] = [];
    const working = gcos.worker.run({
      signal: stop.signal,
      log: (_, event) => events.push(event),
      port: 'off',
    });
    await until('the worker works', async () =>
      (await estate.gcos.worker.status()).duties.every((each) => each.lastSuccessAt !== null),
    );
    proxy.freeze();
    const started = performance.now();
    stop.abort();
    await working;
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(events).toContain('stop_forced');
  }, 60_000);
});
