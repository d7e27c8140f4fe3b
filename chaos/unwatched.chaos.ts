// The gate while nothing watches the host, for every way in which that happens to a real worker process: an
// authority is revoked meanwhile, and after the limit no high risk is allowed. Then the cause ends, and the
// worker catches up by itself.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../test/support/database.js';
import { type Estate, prepareEstate } from '../test/support/estate.js';
import { type FrozenProxy, startFrozenProxy } from '../test/support/frozen-proxy.js';
import { ask, inShort } from '../test/support/gate.js';
import { putRulesIntoForce } from '../test/support/ruleset-in-force.js';
import { until } from '../test/support/wait.js';
import { type Running, startGcos } from './process.js';

const LIMIT_SECONDS = 15;
const TOOLS = { revoked: 'DOT-118', kept: 'DOT-119' } as const;

describe('an authority that is revoked while nothing watches', () => {
  const scanned = prepareEstate('installed', async ({ gcos, url }) => {
    await asHost(
      url,
      `update governance_setting set setting_value = '{"high_minutes": ${LIMIT_SECONDS / 60}, "low_minutes": 1440}' where setting_key = 'gate.max_unwatched'`,
    );
    await putRulesIntoForce(gcos, { watchful: true });
    await gcos.backfills.run({});
    await gcos.scans.run({ mode: 'full' });
  });
  let estate: Estate;
  let proxy: FrozenProxy;
  let worker: Running | undefined;
  beforeEach(async () => {
    estate = await scanned.copy();
    proxy = await startFrozenProxy(estate.url);
    worker = undefined;
  });
  afterEach(async () => {
    worker?.signal('SIGCONT');
    worker?.signal('SIGKILL');
    await worker?.ended;
    await proxy.stop();
    await estate.close();
  });
  const start = () => {
    worker = startGcos(proxy.url, 'worker', 'run', '--port', 'off');
    return worker;
  };
  const host = (text: string) => asHost(estate.url, text);
  const answer = (code: string) => ask(estate, { collection: 'dot_tools', code });
  const running = (): Running => {
    if (worker === undefined) throw new Error('no worker');
    return worker;
  };

  interface Situation {
    readonly name: string;
    readonly worked: boolean;
    begin(): Promise<unknown> | unknown;
    end(): Promise<unknown> | unknown;
  }
  const SITUATIONS: readonly Situation[] = [
    { name: 'never started', worked: false, begin: () => undefined, end: start },
    {
      name: 'stopped',
      worked: true,
      begin: async () => {
        running().signal('SIGTERM');
        await running().ended;
      },
      end: start,
    },
    {
      name: 'paused',
      worked: true,
      begin: () => estate.gcos.workers.pause('chaos'),
      end: () => estate.gcos.workers.resume(),
    },
    {
      name: 'frozen',
      worked: true,
      begin: () => running().signal('SIGSTOP'),
      end: () => running().signal('SIGCONT'),
    },
    {
      name: 'failing every round',
      worked: true,
      begin: () => host('alter table birth_registry rename column species_code to species_code_away'),
      end: () => host('alter table birth_registry rename column species_code_away to species_code'),
    },
    { name: 'behind a dead socket', worked: true, begin: () => proxy.freeze(), end: () => proxy.thaw() },
    {
      name: 'killed',
      worked: true,
      begin: async () => {
        running().signal('SIGKILL');
        await running().ended;
      },
      end: start,
    },
  ];

  it.each(SITUATIONS)('$name', async ({ name, worked, begin, end }) => {
    if (worked) {
      start();
      await until('the worker watches', async () =>
        (await estate.gcos.worker.status()).duties.some(
          (each) => each.duty === 'intake' && each.lastSuccessAt !== null,
        ),
      );
      await until('allowed', async () => (await answer(TOOLS.revoked)).answer === 'allow');
    }
    await begin();
    await host(`update dot_tools set authority_ref = null where dot_code = '${TOOLS.revoked}'`);
    const began = Date.now();
    await until('blocked', async () => (await answer(TOOLS.revoked)).answer !== 'allow');
    const seconds = (Date.now() - began) / 1_000;
    // A round that began before may still have committed after.
    expect(seconds).toBeLessThan(LIMIT_SECONDS + 10);
    await until('past the limit', () => Date.now() - began > (LIMIT_SECONDS + 10) * 1_000);
    for (let n = 0; n < 20; n += 1)
      for (const code of Object.values(TOOLS))
        if (name !== 'failing every round') expect((await answer(code)).answer).toBe('block');
    await end();
    const mended = Date.now();
    await until(
      'what was not revoked is allowed again',
      async () => (await answer(TOOLS.kept)).answer === 'allow',
    );
    expect(inShort(await answer(TOOLS.revoked))).toMatch(/^block .*orphan/);
    console.log(
      `${name}: blocked ${seconds.toFixed(1)} s after the revocation, right again ${((Date.now() - mended) / 1_000).toFixed(1)} s after the cause ended`,
    );
  });
});
