// The stream: what a client gets, where it continues, and what ends it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { mapTester } from '../support/events.js';
import { emitSql } from '../support/feed.js';
import { startServer, type TestServer } from '../support/http.js';
import { StreamClient } from '../support/stream.js';
import { until } from '../support/wait.js';

let estate: Estate;
let server: TestServer;
let stopWorker: () => Promise<unknown>;
const LIMITS = { limits: { perSecond: 100_000, atOnce: 1_000 } };

beforeAll(async () => {
  estate = await createEstate('installed');
  await mapTester(estate.url);
  await estate.gcos.events.activate(['coverage.orphan']);
  const stop = new AbortController();
  const working = estate.gcos.worker.run({
    ...{ signal: stop.signal, log: () => undefined, port: 'off', duties: ['feed'] },
  });
  stopWorker = () => {
    stop.abort();
    return working;
  };
  server = await startServer(estate, LIMITS);
});
afterAll(async () => {
  await stopWorker?.();
  await server?.close();
  await estate?.close();
});

const here = () => ({ url: server.url, token: server.tokens.read });
const emit = (...refs: string[]) => asHost(estate.url, refs.map((ref) => emitSql(ref)).join(';'));
const numbered = (ref: string) =>
  until(`${ref} has its number`, async () => {
    const [row] = await asHost(
      estate.url,
      `select f.number from gov_feed f join gov_feed_entry e using (entry_id) where e.subject = 'feed_test:${ref}'`,
    );
    return row === undefined ? undefined : BigInt(String(row['number']));
  });

it('sends an entry per event, and begins where the client was', async () => {
  const client = new StreamClient(here);
  await until('it is ready', () => client.messages.length > 0);
  expect(client.messages[0]).toMatchObject({ event: 'ready', id: client.messages[0]?.data.number });
  await emit('one', 'two');
  await until(
    'both arrived',
    () => client.messages.filter(({ data }) => data.type === 'coverage.orphan').length === 2,
  );
  const [one] = client.messages.filter(({ data }) => data.type === 'coverage.orphan');
  expect(one?.data).toMatchObject({
    ...{ number: one?.id, type: 'coverage.orphan', subject: 'feed_test:one' },
    payload: { count: 1, address: 'feed_test:one' },
    occurred_at: expect.stringMatching(/Z$/),
  });
  client.close();
  await client.done;
  await emit('three');
  const number = await numbered('three');
  const again = new StreamClient(here, String(number - 1n));
  await until('it continues', () => again.messages.length > 0);
  expect(again.messages[0]?.data).toMatchObject({ subject: 'feed_test:three' });
  again.close();
  await again.done;
});

it('two hundred clients come back to a restarted server; nothing is lost or repeated', async () => {
  const clients = Array.from({ length: 200 }, () => new StreamClient(here));
  await until('all are ready', () => clients.every((each) => each.messages.length > 0));
  await emit('r1', 'r2', 'r3');
  await numbered('r3');
  const former = server;
  await former.close();
  await until('a client was told to come back', () =>
    clients.some(({ messages }) => messages.some(({ event }) => event === 'reconnect')),
  );
  await emit('away1', 'away2');
  server = await startServer(estate, LIMITS);
  await emit('r4');
  const last = await numbered('r4');
  await until('all have everything', () => clients.every((each) => BigInt(each.lastId ?? 0) >= last));
  for (const client of clients) {
    client.close();
    const numbers = client.numbers();
    const [first = 0n] = numbers;
    // Each number once, in order and without a gap.
    expect(numbers).toEqual(numbers.map((_, n) => first + BigInt(n)));
    expect(
      client.messages
        .filter(({ data }) => String(data.subject).startsWith('feed_test:'))
        .map(({ data }) => data.subject.slice(10)),
    ).toEqual(['r1', 'r2', 'r3', 'away1', 'away2', 'r4']);
  }
  await Promise.all(clients.map(({ done }) => done));
});

it('a client that was away too long gets a reset, and a number that is none is refused', async () => {
  const last = await estate.gcos.feed.last();
  const client = new StreamClient(here, String(last + 1_000n));
  await until('it is told', () => client.messages.some(({ event }) => event === 'reset'));
  expect(client.messages[0]).toMatchObject({ event: 'reset', id: client.messages[0]?.data.next });
  client.close();
  await client.done;
  const wrong = await server.call('/api/v1/stream', { headers: { 'last-event-id': 'yesterday' } });
  expect([wrong.status, wrong.json.code]).toEqual([400, 'request_malformed']);
});
