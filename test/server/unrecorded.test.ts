// Every permit that a client received has a recorded decision, however the database is lost: with connections
// cut before a COMMIT arrives, right after it was forwarded, and once it was answered.
// `npm run chaos -- unrecorded-allow` also kills and freezes the server.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cut, type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';
import { askManyTimes, countsOf, permittedSubjects, unrecorded } from '../support/permitted.js';

let estate: Estate;
let proxy: CuttingProxy;
let server: TestServer;
let cut: () => Cut = () => 'never';
beforeAll(async () => {
  estate = await createEstate('scanned');
  proxy = await startCuttingProxy(estate.url, () => cut());
  server = await startServer(
    { gcos: estate.gcos, url: proxy.url },
    { limits: { perSecond: 100_000, deadlineMs: 5_000 } },
  );
});
afterAll(async () => {
  await server?.close();
  await proxy?.stop();
  await estate?.close();
});

const MOMENTS: readonly Cut[] = ['before', 'after', 'answered'];

it('is recorded, whenever the connection is lost', async () => {
  const subjects = await permittedSubjects(estate.url);
  let turn = 0;
  // Every fourth COMMIT loses its connection, at each of the moments in turn.
  cut = () => {
    turn += 1;
    return turn % 4 === 0 ? (MOMENTS[(turn / 4) % MOMENTS.length] ?? 'never') : 'never';
  };
  const remembered = await askManyTimes({
    ...{ url: server.url, token: server.tokens.gate, subjects },
    ...{ clients: 8, checks: 1_000 },
  });
  cut = () => 'never';
  console.log(`${countsOf(remembered)}; cut ${JSON.stringify(proxy.cuts)}`);
  expect(remembered.wrong).toEqual([]);
  expect(await unrecorded(estate.url, remembered.permits)).toEqual([]);
  // It was tried: many were permitted, many were not, and decisions whose COMMIT got no answer are recorded.
  expect(remembered.permits.length).toBeGreaterThan(200);
  expect(remembered.refused.get(503)).toBeGreaterThan(20);
  for (const moment of ['before', 'after', 'answered'] as const)
    expect(proxy.cuts[moment]).toBeGreaterThan(5);
  const [recorded] = await asHost(
    estate.url,
    "select count(*)::int as n from gcos_trust.governance_gate_decision where answer <> 'block'",
  );
  expect(Number(recorded?.['n'])).toBeGreaterThan(remembered.permits.length);
});

it('is denied in the body while there is no database', async () => {
  const [subject] = await permittedSubjects(estate.url);
  const gone = await startServer({ gcos: estate.gcos, url: proxy.url });
  cut = () => 'before';
  try {
    const { status, json, headers } = await gone.call('/access/v1/evaluation', {
      as: 'gate',
      body: {
        subject: { type: 'workload', id: 'release' },
        action: { name: 'execute' },
        resource: { type: subject?.collection, id: subject?.code },
      },
    });
    expect([status, json.decision, json.context.error.status]).toEqual([503, false, 503]);
    expect(headers.get('retry-after')).toBe('5');
    const api = await gone.call('/api/v1/gate/check', { as: 'gate', body: subject });
    expect([api.status, api.json.code]).toEqual([503, 'connection_lost']);
  } finally {
    cut = () => 'never';
    await gone.close();
  }
});
