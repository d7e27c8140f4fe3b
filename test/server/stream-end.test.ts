// What ends a stream, and what opens none: a credential that is no longer accepted, a client that does not
// read, and as many streams as the server takes.
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { resetClock, setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { number } from '../support/feed.js';
import { startServer, type TestServer } from '../support/http.js';
import { StreamClient } from '../support/stream.js';
import { until } from '../support/wait.js';

let estate: Estate;
let server: TestServer;
const clients: StreamClient[] = [];
const sockets: Socket[] = [];
const STREAMS = 2;
/** How many large entries a client that does not read is sent. */
const LARGE = 120;

beforeAll(async () => {
  estate = await createEstate('installed');
  server = await startServer(estate, {
    limits: { streams: STREAMS },
    patience: { heartbeatMs: 200, stalledMs: 500 },
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) {
    client.close();
    await client.done;
  }
  for (const socket of sockets.splice(0)) socket.destroy();
  await until('no stream is open', async () => (await asked()).status === 200);
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

/** Opens a stream and leaves it again: whether there is room for all. */
async function asked(): Promise<Response> {
  const leave = new AbortController();
  const answer = await fetch(`${server.url}/api/v1/stream`, {
    signal: leave.signal,
    headers: { authorization: `Bearer ${server.tokens.read}` },
  });
  if (answer.status === 200) leave.abort();
  return answer;
}
async function open(token: string, lastId?: string): Promise<StreamClient> {
  const client = new StreamClient(() => ({ url: server.url, token }), lastId);
  clients.push(client);
  await until('it has something', () => client.messages.length > 0);
  return client;
}
const ended = (client: StreamClient) => client.messages.find(({ event }) => event === 'ended')?.data;

it('a token that is revoked ends its streams with the next heartbeat, and no others', async () => {
  const { id, token } = await estate.gcos.tokens.create({
    ...{ name: 'to be revoked', permissions: ['read'], pipeline: true },
  });
  const [own, other] = [await open(token), await open(server.tokens.read)];
  await until('both hear the heartbeat', () => own.comments > 1 && other.comments > 1);
  await estate.gcos.tokens.revoke(id);
  await own.done;
  expect(ended(own)).toEqual({ code: 'credential_revoked' });
  const comments = other.comments;
  await until('the other one hears more', () => other.comments > comments + 1);
  expect(ended(other)).toBeUndefined();
  const again = await server.call('/api/v1/stream', { headers: { authorization: `Bearer ${token}` } });
  expect([again.status, again.json.code]).toEqual([401, 'credential_revoked']);
});

it('more streams than the server takes are refused with a time to come back; one that leaves makes room', async () => {
  const [first] = [await open(server.tokens.read), await open(server.tokens.read)];
  const refused = await server.call('/api/v1/stream');
  expect([refused.status, refused.json.code, Number(refused.headers.get('retry-after')) > 0]).toEqual([
    ...[503, 'server_busy', true],
  ]);
  // Other requests are answered.
  expect((await server.call('/api/v1/status')).status).toBe(200);
  first?.close();
  await until('there is room', async () => (await asked()).status === 200);
});

it('a client that does not read is dropped, and delays no other', async () => {
  const quick = await open(server.tokens.read);
  const slow = connect(server.port, '127.0.0.1');
  sockets.push(slow);
  slow.on('error', () => undefined);
  let answered = '';
  slow.once('data', (part) => {
    answered = part.toString();
    slow.pause();
  });
  slow.write(
    `GET /api/v1/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.tokens.read}\r\n\r\n`,
  );
  await until('the slow one has its answer', () => answered !== '');
  expect(answered).toMatch(/^HTTP\/1\.1 200/);
  expect((await server.call('/api/v1/stream')).status).toBe(503);
  // More than the buffers of two sockets hold: entries of 64 KiB.
  await asHost(
    estate.url,
    `select gcos_trust.gcos_feed_write(null, array_agg('run.progressed'::text), array_agg('large'::text),
      array_agg(jsonb_build_object('text', repeat('x', 65536)))) from generate_series(1, ${LARGE})`,
  );
  await number(estate.gcos);
  await until(
    'the other one has everything',
    () => quick.messages.filter(({ data }) => data.subject === 'large').length === LARGE,
  );
  await until('the slow one has made room', async () => (await asked()).status === 200);
  let bytes = 0;
  slow.on('data', (part) => {
    bytes += part.length;
  });
  const closed = new Promise((resolve) => slow.once('close', resolve));
  slow.resume();
  await closed;
  expect(bytes).toBeLessThan(LARGE * 65_536);
});

it('a client that was away for more than a day gets a reset, with the number to go on from', async () => {
  const write = async (subject: string) => {
    await asHost(
      estate.url,
      `select gcos_trust.gcos_feed_write(null, '{run.progressed}', '{${subject}}', array['{}'::jsonb])`,
    );
    await number(estate.gcos);
    return estate.gcos.feed.last();
  };
  const old = await write('old');
  await write('missed');
  await setClock(estate.url, { ahead: '25 hours' });
  await write('fresh');
  const { signal } = new AbortController();
  await until('what is older than a day is pruned', async () => {
    await estate.gcos.worker.once({ signal, log: () => undefined, duties: ['supervisor'] });
    return (await asHost(estate.url, `select from gov_feed where number <= ${old}`)).length === 0;
  });
  await resetClock(estate.url);
  const client = await open(server.tokens.read, String(old));
  const next = client.messages[0]?.data.next;
  expect(client.messages[0]).toMatchObject({ event: 'reset', id: next });
  expect(BigInt(next)).toBeGreaterThan(old + 1n);
  const last = await write('after the reset');
  await until('it goes on', () => client.lastId === String(last));
  expect(client.messages.map(({ data }) => data.subject)).toContain('after the reset');
});
