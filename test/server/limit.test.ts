// What the server takes on: requests at a time, requests per credential, the deadline of a request, and a
// stop that lets running requests end.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEstate, type Estate } from '../support/estate.js';
import { type Answered, startServer } from '../support/http.js';
import { until } from '../support/wait.js';

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('installed');
});
afterAll(() => estate?.close());

/** Holds a lock that every status waits for. */
async function hold(): Promise<{ release(): Promise<void>; waiting(): Promise<boolean> }> {
  const client = new pg.Client({ connectionString: estate.url });
  await client.connect();
  await client.query('begin; lock table governance_setting in access exclusive mode');
  return {
    release: () => client.end(),
    waiting: async () => {
      const { rows } = await client.query('select from pg_locks where not granted');
      return rows.length > 0;
    },
  };
}

const refusal = ({ status, json, headers }: Answered) => [
  status,
  json.code,
  Number(headers.get('retry-after')) > 0,
];

describe('the server', () => {
  it('refuses a credential that sends too much, and no other one', async () => {
    const server = await startServer(estate, { limits: { perSecond: 1 } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.call('/api/v1/status')));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refusal(refused as Answered)).toEqual([429, 'too_many_requests', true]);
    expect((await server.call('/api/v1/status', { as: 'gate' })).status).toBe(403);
    await server.close();
  });

  it('answers within a deadline, refuses what is too much at once, and stays alive meanwhile', async () => {
    const server = await startServer(estate, { limits: { atOnce: 1, deadlineMs: 1_500 } });
    const lock = await hold();
    const slow = server.call('/api/v1/status');
    await until('the request waits', () => lock.waiting());
    expect(refusal(await server.call('/api/v1/status'))).toEqual([503, 'server_busy', true]);
    expect((await server.call('/healthz', { as: null })).status).toBe(200);
    expect(refusal(await slow)).toEqual([503, 'deadline_passed', true]);
    await lock.release();
    await until('the server answers again', async () => (await server.call('/api/v1/status')).status === 200);
    await server.close();
  });

  it('stops when its running requests have ended, and takes no new ones', async () => {
    const server = await startServer(estate);
    const lock = await hold();
    const running = server.call('/api/v1/status');
    await until('the request waits', () => lock.waiting());
    const closed = server.close();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    await lock.release();
    expect((await running).status).toBe(200);
    await closed;
  });

  it('does not wait for ever for a request that does not end', async () => {
    const server = await startServer(estate, { stopMs: 200 });
    const lock = await hold();
    const running = server.call('/api/v1/status').catch((error: unknown) => error);
    await until('the request waits', () => lock.waiting());
    const closed = server.close();
    expect(await running).toBeInstanceOf(Error);
    await lock.release();
    await closed;
  });

  it('listens for other machines only with TLS or behind a proxy', async () => {
    await expect(startServer(estate, { host: '0.0.0.0' })).rejects.toMatchObject({ code: 'listen_refused' });
    await expect(
      startServer(estate, { tls: { cert: '/nowhere.pem', key: '/nowhere.pem' } }),
    ).rejects.toMatchObject({ code: 'tls_invalid' });
    const server = await startServer(estate, { behindProxy: true, hostNames: ['gcos.example'] });
    const { headers } = await server.call('/healthz', { as: null });
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
    await server.close();
  });

  it('lets pages of configured origins call, and no others', async () => {
    const origin = 'https://portal.example';
    const server = await startServer(estate, { corsOrigins: [origin] });
    const preflight = (from: string) =>
      server.call('/api/v1/status', {
        method: 'OPTIONS',
        as: null,
        headers: { origin: from, 'access-control-request-method': 'GET' },
      });
    expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBe(origin);
    expect((await preflight('https://other.example')).headers.get('access-control-allow-origin')).toBeNull();
    const read = await server.call('/api/v1/status', { headers: { origin } });
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    await server.close();
  });
});
