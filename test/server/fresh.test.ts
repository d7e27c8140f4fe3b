// A check over HTTP that first waits for the worker: it sees what the host committed before the request, it
// leaves room for other requests, and without a worker it is no answer.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { type Answered, startServer, type TestServer } from '../support/http.js';
import { until } from '../support/wait.js';

let estate: Estate;
let server: TestServer;
let stopWorker: (() => Promise<unknown>) | undefined;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate);
});
afterAll(async () => {
  await stopWorker?.();
  await server?.close();
  await estate?.close();
});

function startWorker(): () => Promise<unknown> {
  const stop = new AbortController();
  const working = estate.gcos.worker.run({
    ...{ signal: stop.signal, log: () => undefined, port: 'off', duties: ['intake', 'scanner'] },
  });
  return () => {
    stop.abort();
    return working;
  };
}

const SUBJECT = { collection: 'dot_tools', code: 'DOT-117' };
const check = (more = {}) => server.call('/api/v1/gate/check', { as: 'gate', body: { ...SUBJECT, ...more } });

it('waits for what the host committed, eight at a time, while other checks are answered', async () => {
  const before = (await check()).json.watched_at;
  const [now] = await asHost(estate.url, 'select now()::text as at');
  const answers: Answered[] = [];
  const asked = Array.from({ length: 9 }, async () => void answers.push(await check({ fresh: true })));
  // No worker runs yet: eight wait, and one finds no room.
  const [refused] = await until('one is refused', () => answers.length > 0 && answers);
  expect([refused?.status, refused?.json.code]).toEqual([503, 'server_busy']);
  expect((await check({ fresh: false })).json.watched_at).toBe(before);
  stopWorker = startWorker();
  await Promise.all(asked);
  const fresh = await until('an answer', async () => {
    const answer = answers.find(({ status }) => status === 200) ?? (await check({ fresh: true }));
    // On a busy machine the worker may need longer than a request may take.
    if (answer.status !== 200) expect([answer.status, answer.json.code]).toEqual([503, 'gate_timeout']);
    return answer.status === 200 && answer;
  });
  expect(Date.parse(fresh.json.watched_at)).toBeGreaterThanOrEqual(Date.parse(String(now?.['at'])));
});

it('is for the whole request, and not for one item of a manifest', async () => {
  const one = await check({ items: [{ ...SUBJECT, fresh: true }] });
  expect([one.status, one.json.code]).toEqual([400, 'request_malformed']);
  const text = await check({ fresh: 'true' });
  expect([text.status, text.json.code]).toEqual([400, 'request_malformed']);
});
