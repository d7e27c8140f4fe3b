// A worker behind a connection that is dead but open: another worker takes its lease over.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Gcos } from '../src/index.js';
import { asHost } from '../test/support/database.js';
import { createEstate, type Estate, openAt } from '../test/support/estate.js';
import { type FrozenProxy, startFrozenProxy } from '../test/support/frozen-proxy.js';
import { ask } from '../test/support/gate.js';
import { until } from '../test/support/wait.js';

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
    await estate.close();
  });

  it('lets another worker take over, which sees what the first cannot', async () => {
    gcos = await openAt(proxy.url);
    const stop = new AbortController();
    const quiet = { signal: stop.signal, log: () => undefined, port: 'off', duties: ['intake'] } as const;
    const holder = async () =>
      (
        await asHost(
          estate.url,
          `select holder, fence::int as fence from gov_worker_lease where worker = 'intake'`,
        )
      )[0];
    const first = gcos.worker.run(quiet);
    await until('the first worker works', async () =>
      (await estate.gcos.worker.status()).duties.some((each) => each.lastSuccessAt !== null),
    );
    const before = await holder();
    proxy.freeze();
    const second = estate.gcos.worker.run(quiet);
    await asHost(estate.url, `update dot_tools set authority_ref = null where dot_code = 'DOT-118'`);
    await until('the change is taken in', async () => {
      const { answer } = await ask(estate, { collection: 'dot_tools', code: 'DOT-118' });
      return answer === 'block';
    });
    const after = await holder();
    expect(after?.['holder']).not.toBe(before?.['holder']);
    expect(Number(after?.['fence'])).toBeGreaterThan(Number(before?.['fence']));
    proxy.thaw();
    stop.abort();
    await Promise.all([first, second]);
  }, 180_000);
});
