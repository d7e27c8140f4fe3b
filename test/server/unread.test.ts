// Answers that no client reads: to HEAD, and after the deadline of a request. What they would stream ends,
// and leaves its place to others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

let estate: Estate;
let server: TestServer;
beforeAll(async () => {
  estate = await createEstate('installed');
  server = await startServer(estate, { limits: { perSecond: 100_000 } });
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

const CSV = { headers: { accept: 'text/csv' } };

it('to HEAD is that to GET without its body, as often as a client asks', async () => {
  // More than there are places for streams, and for files.
  for (let turn = 0; turn < 260; turn += 1) {
    const { status, text } = await server.call('/api/v1/stream', { method: 'HEAD' });
    expect([turn, status, text]).toEqual([turn, 200, '']);
  }
  for (let turn = 0; turn < 6; turn += 1)
    expect((await server.call('/api/v1/objects', { method: 'HEAD', ...CSV })).status).toBe(200);
  expect((await server.call('/api/v1/groups', CSV)).status).toBe(200);
});

it('that comes after the deadline takes no place', async () => {
  const hurried = await startServer(estate, { limits: { deadlineMs: 1 } });
  for (let turn = 0; turn < 6; turn += 1)
    expect((await hurried.call('/api/v1/objects', CSV)).json.code).toBe('deadline_passed');
  await hurried.close();
  const files = await Promise.all(Array.from({ length: 4 }, () => server.call('/api/v1/groups', CSV)));
  expect(files.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
