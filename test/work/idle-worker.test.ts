// An idle worker asks the server little, and is awake as soon as there is something to do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildEstate } from '../../src/demo/index.js';
import type { Gcos } from '../../src/index.js';
import { makeLog } from '../../src/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { openAt } from '../support/estate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { startServer, type TestServer } from '../support/server.js';
import { until } from '../support/wait.js';
import { estate, useWorked, workerUrl } from '../support/worked.js';

interface Running {
  stop(): Promise<void>;
}

async function startWorker(url: string): Promise<Running> {
  const gcos = await openAt(url);
  const stop = new AbortController();
  const running = gcos.worker.run({ signal: stop.signal, log: makeLog(() => undefined), port: 'off' });
  running.catch(() => undefined);
  return {
    async stop() {
      stop.abort();
      await running;
      await gcos.close();
    },
  };
}

describe('an idle worker', () => {
  let server: TestServer;
  let gcos: Gcos;
  let worker: Running | undefined;
  const dba = (text: string) => asHost(server.url, text);
  const one = async (text: string) => Object.values((await dba(text))[0] ?? {})[0];

  beforeEach(async () => {
    server = await startServer({ settings: { shared_preload_libraries: 'pg_stat_statements' } });
    const db = openDatabase(server.url);
    await buildEstate(db, { rows: 5_000 });
    await db.close();
    gcos = await openAt(server.url);
    await gcos.init();
    await putRulesIntoForce(gcos);
    await gcos.backfills.run({});
    await gcos.scans.run({ mode: 'full' });
    await dba('create extension pg_stat_statements');
  });
  afterEach(async () => {
    await worker?.stop();
    await gcos?.close();
    await server?.stop();
  });

  // The benchmark `growth` expects fewer than 20 over five minutes. Here one wide round falls into half a
  // minute, and on a busy machine its rows are reported later, so that another near round follows.
  it('sends fewer than 30 statements a second, with all its duties, wide rounds and heartbeats', async () => {
    // A session may report what it wrote ten seconds later.
    const quiet = () => one(`select gcos_watched_at() < now() - interval '14 seconds' as quiet`);
    const watched = () => one('select gcos_watched_at()::text as at');
    const calls = async () =>
      Number(
        await one(
          `select sum(calls)::float8 as n from pg_stat_statements where query !~ 'pg_stat_statements|gcos_watched_at'`,
        ),
      );
    const before = await watched();
    worker = await startWorker(server.url);
    await until('the worker watches', async () => (await watched()) !== before);
    // From one pause between wide rounds to the next: one wide round, with all that follows it.
    await until('nothing is left to do', async () => (await quiet()) === true);
    const began = { at: performance.now(), calls: await calls(), watched: await watched() };
    await until('the next wide round', async () => (await watched()) !== began.watched);
    await until('it is quiet again', async () => (await quiet()) === true);
    const perSecond = ((await calls()) - began.calls) / ((performance.now() - began.at) / 1_000);
    expect(perSecond).toBeLessThan(30);
    expect(perSecond).toBeGreaterThan(1);
  });
});

describe('a resting worker', () => {
  useWorked();
  let worker: Running;
  let began = '';
  const sql = (text: string) => asHost(estate.url, text);
  const isDirty = async (key: string) =>
    (
      await sql(
        `select 1 from governance_candidate_state c join governance_inventory i on i.inventory_key = c.inventory_key
         where ${key} and c.dirtied_at > '${began}'`,
      )
    ).length > 0;
  const watched = async () => (await sql('select gcos_watched_at()::text as at'))[0]?.['at'];

  const HOUR_MS = 3_600_000;
  /** Starts a worker that makes a wide round only if something asks for one, and waits until it rests. */
  const rest = async (wideMs: number) => {
    const pace = { near_ms: 250, wide_ms: wideMs, wide_most_ms: HOUR_MS, quiet_most_ms: HOUR_MS };
    await sql(
      `update governance_setting set setting_value = '${JSON.stringify(pace)}' where setting_key = 'intake.pace'`,
    );
    const before = await watched();
    worker = await startWorker(workerUrl);
    await until('the worker watches', async () => (await watched()) !== before);
    let last: unknown;
    await until('it rests', async () => {
      const now = await watched();
      const rests =
        last === now &&
        (await sql(`select gcos_watched_at() < now() - interval '8 seconds' as rests`))[0]?.['rests'];
      last = now;
      return rests === true;
    });
    began = String((await sql('select clock_timestamp()::text as at'))[0]?.['at']);
  };
  afterEach(() => worker?.stop());

  it('takes in a birth without waiting for a wide round', async () => {
    await rest(600_000);
    await sql(
      `insert into birth_registry (entity_code, collection_name, species_code, born_at) select 'IDLE-1', collection_name, species_code, now() from birth_registry where collection_name = 'orders' limit 1`,
    );
    // The next near round without a birth to wait for would come after a minute.
    await until('the birth is dirty', () => isDirty(`i.source_registry = 'orders'`), 30_000);
  });

  it('makes a wide round when a row of the host is updated', async () => {
    await rest(100);
    await sql(
      `update birth_registry set status = 'seen' where id = (select min(id) from birth_registry where collection_name = 'orders')`,
    );
    await until('the update is dirty', () => isDirty(`i.source_registry = 'orders'`));
  });

  it('makes a wide round when a question waits for one', async () => {
    await rest(100);
    const before = await watched();
    const asked = performance.now();
    const { decisions } = await estate.gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-118' }], {
      fresh: true,
    });
    // What the worker itself writes once a minute would lead to a wide round, too.
    expect(performance.now() - asked).toBeLessThan(30_000);
    expect(decisions.map(({ answer }) => answer)).toEqual(['allow']);
    expect(await watched()).not.toBe(before);
  });
});
