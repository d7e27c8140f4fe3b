// The worker process: duties under leases, in one process or several, its endpoints, and how it stops.
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { WorkerRunOptions } from '../../src/index.js';
import { makeLog } from '../../src/index.js';
import { acquireLease } from '../../src/record/cursor/index.js';
import { DUTIES } from '../../src/work/worker/index.js';
import { asHost } from '../support/database.js';
import { createEstate, openAt } from '../support/estate.js';
import { signalOf } from '../support/events.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { until } from '../support/wait.js';
import { estate, useWorked, workerUrl } from '../support/worked.js';

/** The host of these tests has no sources. */
const OWN_DUTIES = DUTIES.length - 1;

useWorked();

interface Started {
  readonly port: number;
  readonly lines: Record<string, unknown>[];
  stop(): Promise<void>;
}

/** Starts a worker with its own login, and keeps its log. */
async function start(options: Partial<WorkerRunOptions> = {}): Promise<Started> {
  const gcos = await openAt(workerUrl);
  const stop = new AbortController();
  const lines: Record<string, unknown>[] = [];
  let running: Promise<unknown> = Promise.resolve();
  const port = await new Promise<number>((resolve, reject) => {
    running = gcos.worker.run({
      signal: stop.signal,
      log: makeLog((line) => lines.push(JSON.parse(line) as Record<string, unknown>)),
      port: 0,
      onStarted: (chosen) => resolve(chosen ?? 0),
      ...options,
    });
    running.catch(reject);
  });
  return {
    port,
    lines,
    async stop() {
      stop.abort();
      await running;
      await gcos.close();
    },
  };
}

function get(
  port: number,
  path: string,
  host = '127.0.0.1',
): Promise<{ status: number; text: string; type: string }> {
  return new Promise((resolve, reject) => {
    request({ host, port, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, type: String(response.headers['content-type']) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const leases = () =>
  asHost(
    estate.url,
    "select worker from gov_worker_lease where not released and expires_at > now() and worker <> 'closing_run' order by worker",
  );
const newestBirth = async () =>
  (await asHost(estate.url, 'select max(id)::text as id from birth_registry'))[0]?.['id'];
const nearWatermark = async () =>
  (
    await asHost(
      estate.url,
      "select watermark_id from gov_worker_cursor where worker = 'intake' and source = 'birth_registry' and round = 'near'",
    )
  )[0]?.['watermark_id'];
const insertBirth = (code: string) =>
  asHost(
    estate.url,
    `insert into birth_registry (entity_code, collection_name, species_code, born_at) select '${code}', collection_name, species_code, '2026-03-01' from birth_registry where collection_name = 'orders' limit 1`,
  );

describe('a worker process', () => {
  it('takes in births, reports that it is healthy, and releases its leases when it stops', async () => {
    const worker = await start();
    try {
      await insertBirth('W-1');
      await until('the birth is taken in', async () => (await nearWatermark()) === (await newestBirth()));
      await until(
        'all leases are held',
        async () =>
          (await leases()).map((row) => row['worker']).join() ===
          'audit,intake,promoter,scan,seal,supervisor',
      );
      const health = await get(worker.port, '/healthz');
      expect(health.status).toBe(200);
      expect(JSON.parse(health.text)).toMatchObject({ ok: true, database: 'answers' });
      const metrics = await get(worker.port, '/metrics');
      expect(metrics.status).toBe(200);
      expect(metrics.type).toContain('version=0.0.4');
      for (const name of [
        'gcos_tail_horizon_age_transactions',
        'gcos_tail_horizon_age_seconds',
        'gcos_tail_seen_rows',
        'gcos_dirty_groups',
        'gcos_exposure',
        'gcos_held_signals',
        'gcos_dead_letters{from="any"}',
        'gcos_last_proof_age_seconds',
        'gcos_heartbeat_age_seconds{worker="intake",source="birth_registry",state="running"}',
        'gcos_workers_paused',
        'gcos_duty_rounds_total{duty="intake"}',
      ])
        expect(metrics.text).toContain(`\n${name} `);
      // Every worker and source that there is is declared as a value of its label.
      expect(metrics.text).not.toContain('"other"');
      expect((await get(worker.port, '/')).status).toBe(404);
    } finally {
      await worker.stop();
    }
    expect(await leases()).toEqual([]);
    expect(
      await asHost(
        estate.url,
        "select executor_name from queue_heartbeat where executor_kind = 'gcos' and executor_name !~ 'closing_run' and metadata ->> 'state' <> 'stopped'",
      ),
    ).toEqual([]);
    expect(worker.lines.map((line) => line['event'])).toContain('worker_stopped');
    expect(
      worker.lines.filter((line) => line['level'] === 'error').map((line) => JSON.stringify(line)),
    ).toEqual([]);
  });

  it('listens on loopback only', async () => {
    const worker = await start({ duties: ['supervisor'] });
    try {
      const { networkInterfaces } = await import('node:os');
      const others = Object.values(networkInterfaces())
        .flatMap((each) => each ?? [])
        .filter((each) => !each.internal && each.family === 'IPv4');
      for (const { address } of others)
        await expect(get(worker.port, '/healthz', address)).rejects.toThrow(/ECONNREFUSED/);
      expect((await get(worker.port, '/healthz')).status).toBe(200);
    } finally {
      await worker.stop();
    }
  });

  it('listens on the address that is asked for, and refuses one that this machine does not have', async () => {
    const worker = await start({ duties: ['supervisor'], host: '127.0.0.2' });
    try {
      for (const path of ['/healthz', '/readyz', '/metrics'])
        expect((await get(worker.port, path, '127.0.0.2')).status, path).toBe(200);
      await expect(get(worker.port, '/healthz')).rejects.toThrow(/ECONNREFUSED/);
      expect(worker.lines.find(({ event }) => event === 'worker_started')).toMatchObject({
        host: '127.0.0.2',
        port: worker.port,
      });
    } finally {
      await worker.stop();
    }
    await expect(start({ host: '203.0.113.7' })).rejects.toMatchObject({
      code: 'worker_host_invalid',
      exit: 3,
      message: 'port 0 of 203.0.113.7: EADDRNOTAVAIL',
    });
  });

  it('that is degraded is not failing; one that fails is not healthy, and one that cannot work is not ready', async () => {
    const worker = await start({ duties: ['intake'] });
    const health = async () => {
      const { status, text } = await get(worker.port, '/healthz');
      const metrics = (await get(worker.port, '/metrics')).text;
      return {
        ...{ status, ...(JSON.parse(text) as { state: string; concerns: string[]; duties: object[] }) },
        metric: /^gcos_worker_state\{state="(\w+)"\} 1$/m.exec(metrics)?.[1],
      };
    };
    const ready = async () => {
      const { status, text } = await get(worker.port, '/readyz');
      return [status, JSON.parse(text)];
    };
    const reaches = (state: string) =>
      until(`the worker is ${state}`, async () => {
        const found = await health();
        return found.state === state && found.metric === state && found;
      });
    try {
      expect(await reaches('healthy')).toMatchObject({
        status: 200,
        concerns: [],
        duties: [{ duty: 'intake' }],
      });
      // Public JSON is in snake case.
      expect((await health()).duties[0]).toHaveProperty('last_round_ms');
      await asHost(
        estate.url,
        `update coverage_profile set required_links = required_links || '{"approval": ["owner"]}' where profile_code = 'PRF-001'`,
      );
      expect(await reaches('degraded')).toMatchObject({ status: 200, concerns: ['ruleset_drift'] });
      expect(await ready()).toEqual([200, { ready: true, reason: null }]);
      await asHost(estate.url, 'revoke select on birth_registry from gcos_worker');
      expect(await reaches('failing')).toMatchObject({ status: 503 });
      const { text } = await get(worker.port, '/metrics');
      expect(text).toMatch(/^gcos_duty_failing\{duty="intake"\} ([3-9]|\d\d)$/m);
      expect(text).toMatch(/^gcos_heartbeat_failing_seconds\{worker="intake".*\} \d/m);
      expect(text).toMatch(/^gcos_heartbeat_success_age_seconds\{worker="intake".*\} \d/m);
      expect(text).toMatch(/^gcos_watched_age_seconds \d/m);
      expect(text).toMatch(/^gcos_unwatched 0$/m);
      await asHost(
        estate.url,
        "insert into gcos_migration values ('core', 9999, 'from_the_future', 'x', now(), 'x', 'gcos')",
      );
      expect(await ready()).toEqual([
        503,
        { ready: false, reason: expect.stringMatching(/^schema_newer: /) },
      ]);
    } finally {
      await worker.stop();
    }
  });

  it('takes over the duties of another worker that has stopped', async () => {
    const first = await start({ ttlMs: 3_000, renewEveryMs: 500 });
    const second = await start({ ttlMs: 3_000, renewEveryMs: 500 });
    try {
      const working = async ({ port }: Started) =>
        (JSON.parse((await get(port, '/healthz')).text) as { duties: { state: string }[] }).duties.filter(
          (duty) => duty.state === 'working',
        ).length;
      await until(
        'each duty has one worker',
        async () => (await working(first)) + (await working(second)) === OWN_DUTIES,
      );
      await first.stop();
      await until('the second has taken over', async () => (await working(second)) === OWN_DUTIES);
      await insertBirth('W-2');
      await until('the birth is taken in', async () => (await nearWatermark()) === (await newestBirth()));
    } finally {
      await second.stop();
    }
    expect(second.lines.filter((line) => line['level'] === 'error')).toEqual([]);
  });

  it('yields to a backfill between two rounds, and continues after it', async () => {
    const worker = await start({ duties: ['intake'] });
    try {
      await until('the intake works', async () => (await leases()).some((row) => row['worker'] === 'intake'));
      await insertBirth('W-WAY-1');
      const { proof } = await estate.gcos.backfills.run();
      expect(proof).toMatchObject({ closed: true });
      expect((await estate.gcos.backfills.verify()).proof.closed).toBe(true);
      await insertBirth('W-WAY-2');
      await until('the intake is back', async () => (await nearWatermark()) === (await newestBirth()));
      await until('the intake holds its lease', async () =>
        (await leases()).some((row) => row['worker'] === 'intake'),
      );
    } finally {
      await worker.stop();
    }
    expect(
      worker.lines.filter((line) => line['level'] === 'error').map((line) => JSON.stringify(line)),
    ).toEqual([]);
  });

  it('reports that it waits while it has yielded', async () => {
    const worker = await start({ duties: ['intake'] });
    const workingMetric = async () => {
      const { text } = await get(worker.port, '/metrics');
      return text.split('\n').find((line) => line.startsWith('gcos_duty_working'));
    };
    try {
      await until(
        'the intake works',
        async () => (await workingMetric()) === 'gcos_duty_working{duty="intake"} 1',
      );
      const wanted = { worker: 'closing_run', source: 'birth_registry', holder: 'another worker' };
      const lease = await acquireLease(estate.db, wanted);
      await until('the intake yields', async () => (await leases()).length === 0);
      await until(
        'the intake reports that it waits',
        async () => (await workingMetric()) === 'gcos_duty_working{duty="intake"} 0',
      );
      await lease?.release();
      await until(
        'the intake is back',
        async () => (await workingMetric()) === 'gcos_duty_working{duty="intake"} 1',
      );
    } finally {
      await worker.stop();
    }
  });

  it('does nothing while workers are paused, and continues afterwards', async () => {
    const worker = await start({ duties: ['intake'] });
    try {
      await until('the intake has caught up', async () => (await nearWatermark()) === (await newestBirth()));
      await estate.gcos.workers.pause('test');
      await until(
        'the intake reports that it is paused',
        async () =>
          (
            await asHost(
              estate.url,
              "select 1 from queue_heartbeat where executor_name = 'gcos_intake:birth_registry' and metadata ->> 'state' = 'paused'",
            )
          ).length === 1,
      );
      await insertBirth('W-3');
      expect(await nearWatermark()).not.toBe(await newestBirth());
      expect((await get(worker.port, '/healthz')).status).toBe(200);
      await estate.gcos.workers.resume();
      await until('the intake continues', async () => (await nearWatermark()) === (await newestBirth()));
    } finally {
      await estate.gcos.workers.resume();
      await worker.stop();
    }
  });

  it('is unhealthy while the database refuses its queries, and recovers by itself', async () => {
    const worker = await start({ duties: ['supervisor', 'intake'] });
    try {
      await until('the worker is healthy', async () => (await get(worker.port, '/healthz')).status === 200);
      // The worker loses the privilege to read a table that it needs.
      await asHost(estate.url, 'revoke select on birth_registry from gcos_worker');
      await until('the worker is unhealthy', async () => (await get(worker.port, '/healthz')).status === 503);
      await asHost(estate.url, 'grant select on birth_registry to gcos_worker');
      await until(
        'the worker is healthy again',
        async () => (await get(worker.port, '/healthz')).status === 200,
      );
    } finally {
      await asHost(estate.url, 'grant select on birth_registry to gcos_worker');
      await worker.stop();
    }
    expect(worker.lines.some((line) => line['event'] === 'duty_failed' && line['duty'] === 'intake')).toBe(
      true,
    );
  });

  it('does not take the lease of the intake until a backfill has completed', async () => {
    const fresh = await createEstate('installed');
    const stop = new AbortController();
    const lines: string[] = [];
    const running = fresh.gcos.worker.run({
      signal: stop.signal,
      log: makeLog((line) => lines.push(line)),
      port: 'off',
      duties: ['intake'],
    });
    try {
      await until('the intake waits', () => lines.some((line) => line.includes('duty_waits')));
      await putRulesIntoForce(fresh.gcos);
      expect((await fresh.gcos.backfills.run()).proof.closed).toBe(true);
      await until('the intake starts', () => lines.some((line) => line.includes('duty_ready')));
    } finally {
      stop.abort();
      await running;
      await fresh.close();
    }
  });

  it('runs every duty once, and reports the outcomes', async () => {
    await insertBirth('W-4');
    const log = makeLog(() => undefined);
    const signal = new AbortController().signal;
    const outcomes = await estate.gcos.worker.once({ signal, log });
    expect(outcomes.map(({ duty, outcome }) => `${duty} ${outcome}`)).toEqual([
      'intake done',
      'scanner done',
      'audit done',
      'promoter done',
      'seal done',
      'supervisor done',
    ]);
    expect(await nearWatermark()).toBe(await newestBirth());
    expect(await leases()).toEqual([]);
  });

  it('takes in lines of the changelog when it runs once', async () => {
    await asHost(
      estate.url,
      `insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('order', 'W-4', 'update', 'host')`,
    );
    await estate.gcos.worker.once({
      signal: new AbortController().signal,
      log: makeLog(() => undefined),
      duties: ['intake'],
    });
    const [cursor] = await asHost(
      estate.url,
      `select (last_run_summary ->> 'lines')::int as lines from gov_worker_cursor where worker = 'intake' and round = 'changelog'`,
    );
    expect(cursor).toEqual({ lines: 1 });
  });

  it('writes no finding while nothing changes, however often it promotes', async () => {
    const signal = new AbortController().signal;
    const log = makeLog(() => undefined);
    await estate.gcos.events.emit([signalOf('handoff.object_born', 'first')]);
    await estate.gcos.worker.once({ signal, log });
    const worker = await start({ duties: ['promoter', 'intake'] });
    const count = async () =>
      (
        await asHost(
          estate.url,
          "select coalesce(sum(occurrence_count), 0)::int as n from system_issues where code like 'GCOS-%'",
        )
      )[0];
    try {
      const rounds = async () =>
        Number(
          /gcos_duty_rounds_total\{duty="promoter"\} (\d+)/.exec(
            (await get(worker.port, '/metrics')).text,
          )?.[1] ?? 0,
        );
      await until('a first round', async () => (await rounds()) >= 1);
      const before = await count();
      const from = await rounds();
      // A held signal wakes the promoter; its type was reported before.
      for (let more = 1; more <= 3; more += 1) {
        await estate.gcos.events.emit([signalOf('handoff.object_born', `more ${more}`)]);
        await until('another round', async () => (await rounds()) >= from + more);
      }
      expect(await count()).toEqual(before);
    } finally {
      await worker.stop();
    }
  });
});
