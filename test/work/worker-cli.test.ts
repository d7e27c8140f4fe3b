// `gcos worker run` and `gcos demo traffic` as a user runs them: separate processes, real signals and exit
// codes.
import { expect, it } from 'vitest';
import { runCli, startCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { until } from '../support/wait.js';
import { estate, useWorked, workerUrl } from '../support/worked.js';

useWorked();

const held = () =>
  asHost(
    estate.url,
    "select worker from gov_worker_lease where not released and expires_at > now() and worker in ('audit', 'intake', 'promoter', 'scan', 'seal', 'supervisor') order by worker",
  );
const caughtUp = async () =>
  (
    await asHost(
      estate.url,
      `select (select max(id) from birth_registry) = (select watermark_id::bigint from gov_worker_cursor
         where worker = 'intake' and source = 'birth_registry' and round = 'near') as done`,
    )
  )[0]?.['done'] === true;

it('runs until SIGTERM, then releases its leases and exits with 0; its log is JSON and contains no secret', async () => {
  const { child, done } = startCli(['worker', 'run', '--port', '0', '--json'], {
    env: { DATABASE_URL: workerUrl, GCOS_WORKER_HOST: '127.0.0.2' },
  });
  let log = '';
  child.stderr?.on('data', (text: string) => {
    log += text;
  });
  await until('the worker holds its leases', async () => (await held()).length === 6);
  const port = Number(/"port":(\d+)/.exec(log)?.[1]);
  const health = await fetch(`http://127.0.0.2:${port}/healthz`);
  expect(health.status).toBe(200);
  expect(await (await fetch(`http://127.0.0.2:${port}/metrics`)).text()).toContain(
    'gcos_tail_horizon_age_seconds',
  );
  const traffic = await runCli(
    ['demo', 'traffic', '--count', '300', '--rate', '1000', '--seed', '5', '--json'],
    {
      env: { DATABASE_URL: estate.url },
    },
  );
  expect(traffic.exit).toBe(0);
  const report = JSON.parse(traffic.stdout) as { actions: number; counts: Record<string, number> };
  expect(report.actions).toBe(300);
  expect(report.counts['born']).toBeGreaterThan(100);
  await until('the worker has taken in the traffic', caughtUp);
  child.kill('SIGTERM');
  const ended = await done;
  expect(ended.exit).toBe(0);
  expect(await held()).toEqual([]);
  const { duties } = JSON.parse(ended.stdout) as {
    duties: { duty: string; state: string; errors: number }[];
  };
  expect(duties.map(({ duty, state, errors }) => [duty, state, errors])).toEqual([
    ['intake', 'stopped', 0],
    ['scanner', 'stopped', 0],
    ['audit', 'stopped', 0],
    ['promoter', 'stopped', 0],
    ['seal', 'stopped', 0],
    ['feed', 'stopped', 0],
    ['relay', 'stopped', 0],
    ['supervisor', 'stopped', 0],
  ]);
  for (const line of ended.stderr.trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), level: expect.any(String) });
  const { password, username } = new URL(workerUrl);
  expect(ended.stderr).not.toContain(password);
  expect(ended.stderr).not.toContain(`${username}:`);
});

it('continues the work of a worker that was killed', async () => {
  const first = startCli(['worker', 'run', '--port', 'off', '--quiet', '--only', 'intake'], {
    env: { DATABASE_URL: workerUrl },
  });
  await until('the worker holds the lease', async () => (await held()).length === 1);
  await asHost(
    estate.url,
    "insert into birth_registry (entity_code, collection_name) select 'K-' || n, 'orders' from generate_series(1, 5000) as n",
  );
  first.child.kill('SIGKILL');
  await first.done;
  // Expires the lease at once instead of waiting for half a minute.
  await asHost(
    estate.url,
    "update gov_worker_lease set expires_at = now() - interval '1 second' where worker = 'intake'",
  );
  const second = await runCli(['worker', 'run', '--once', '--only', 'intake', '--json'], {
    env: { DATABASE_URL: workerUrl },
  });
  expect(second.exit).toBe(0);
  expect(JSON.parse(second.stdout)).toMatchObject({ duties: [{ duty: 'intake', outcome: 'done' }] });
  expect(await caughtUp()).toBe(true);
});

it('refuses invalid arguments, and reports an unreachable database without its password', async () => {
  const env = { DATABASE_URL: workerUrl };
  expect((await runCli(['worker', 'run', '--only', 'sleep'], { env })).exit).toBe(3);
  expect((await runCli(['worker', 'run', '--port', '70000'], { env })).exit).toBe(3);
  const elsewhere = await runCli(['worker', 'run', '--port', '0', '--host', '203.0.113.7'], { env });
  expect(elsewhere.exit).toBe(3);
  expect(elsewhere.stderr).toMatch(/^worker_host_invalid: /);
  expect((await runCli(['demo', 'traffic', '--rate', '0'], { env })).exit).toBe(3);
  const nowhere = { DATABASE_URL: 'postgresql://nobody:s3cret@127.0.0.1:1/none' };
  const unreachable = await runCli(['worker', 'run', '--port', 'off'], { env: nowhere });
  expect(unreachable.exit).toBe(4);
  expect(unreachable.stderr).not.toContain('s3cret');
});
