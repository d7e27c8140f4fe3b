// What the server exposes: every metric that it declares, with few labels, and without the database, too.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SERVER_METRICS } from '../../src/server/index.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

let estate: Estate;
let server: TestServer;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 4 } });
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

const scrape = async () => (await server.call('/metrics', { as: null })).text;

it('exposes requests, refusals and answers of the gate, and no label that a client chooses', async () => {
  const items = [
    { collection: 'dot_tools', code: 'DOT-118' },
    { collection: 'dot_tools', code: 'DOT-117' },
  ];
  expect((await server.call('/api/v1/gate/check', { as: 'gate', body: { items } })).status).toBe(200);
  for (const secret of ['secret-a', 'secret-b']) await server.call(`/api/v1/nothing/${secret}`);
  const many = await Promise.all(
    Array.from({ length: 15 }, () => server.call('/api/v1/gate/decisions?limit=1')),
  );
  expect(many.map(({ status }) => status)).toContain(429);
  const text = await scrape();
  const exposed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]);
  expect(exposed).toEqual(Object.entries(SERVER_METRICS).map(([name, { type }]) => [name, type]));
  for (const line of [
    'gcos_gate_answers_total{outcome="allow"} 1',
    'gcos_gate_answers_total{outcome="block"} 1',
    'gcos_http_requests_total{route="POST /api/v1/gate/check",status="200"} 1',
    'gcos_http_requests_total{route="none",status="404"} 2',
    'gcos_http_request_duration_seconds_count{route="POST /api/v1/gate/check"} 1',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).toMatch(/^gcos_http_refused_total\{reason="too_many_requests"\} [1-9]/m);
  expect(text).not.toMatch(/secret/);
});
