// A credential that is younger than a moment: requests share moments, so a person who has just signed in must
// not be refused because another one read a second ago.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

let estate: Estate;
let server: TestServer;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

it('reads the present where the moment is shared, and says that a chosen moment is over for it', async () => {
  const moments: string[] = [];
  const statuses: number[][] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { json } = await server.call('/api/v1/ledger');
    const { token } = await estate.gcos.tokens.create({
      name: `young-${turn}`,
      pipeline: true,
      permissions: ['read'],
    });
    const headers = { authorization: `Bearer ${token}` };
    const now = await server.call('/api/v1/ledger', { as: null, headers });
    const then = await server.call(`/api/v1/ledger?as_of=${json.as_of}`, { as: null, headers });
    moments.push(json.as_of, now.json.as_of);
    statuses.push([now.status, then.status]);
    expect(then.json.code).toBe('as_of_expired');
  }
  expect(statuses).toEqual([
    [200, 410],
    [200, 410],
    [200, 410],
  ]);
  expect(new Set(moments).size).toBeGreaterThan(3);
  const none = { authorization: `Bearer gcos_000000000000_${'0'.repeat(43)}` };
  for (const path of ['/api/v1/ledger', `/api/v1/ledger?as_of=${moments[0]}`])
    expect((await server.call(path, { as: null, headers: none })).status).toBe(401);
});

it('refuses a token that was revoked since, also for a moment at which it was valid', async () => {
  const { id, token } = await estate.gcos.tokens.create({
    name: 'revoked',
    pipeline: true,
    permissions: ['read'],
  });
  const headers = { authorization: `Bearer ${token}` };
  const { json } = await server.call('/api/v1/ledger', { as: null, headers });
  const path = `/api/v1/ledger?as_of=${json.as_of}`;
  expect((await server.call(path, { as: null, headers })).status).toBe(200);
  await estate.gcos.tokens.revoke(id);
  expect((await server.call(path, { as: null, headers })).status).toBe(401);
});
