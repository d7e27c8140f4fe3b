// Webhooks: signed, in order, at least once; a receiver that is down, slow, gone or hostile delays nothing
// else, and reaches nothing else. The receivers are real, and verify with an independent implementation.
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCli } from '../support/cli.js';
import { resetClock, setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { mapTester } from '../support/events.js';
import { emitSql } from '../support/feed.js';
import { TestReceiver } from '../support/receiver.js';
import { until } from '../support/wait.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const NEXT_SECRET = `whsec_${randomBytes(24).toString('base64')}`;
let estate: Estate;
const receivers: TestReceiver[] = [];
const host = (text: string) => asHost(estate.url, text);
const { signal } = new AbortController();

beforeAll(async () => {
  process.env['HOOK_SECRET'] = SECRET;
  process.env['NEXT_HOOK_SECRET'] = NEXT_SECRET;
  estate = await createEstate('installed');
  await mapTester(estate.url);
  await estate.gcos.events.activate(['coverage.orphan', 'webhook.*']);
});
afterEach(async () => {
  await resetClock(estate.url);
  await answerWithin(10);
  for (const { id } of await estate.gcos.webhooks.list()) await estate.gcos.webhooks.remove(id);
  for (const receiver of receivers.splice(0)) await receiver.close();
});
afterAll(() => estate.close());

async function receive(...secrets: string[]): Promise<TestReceiver> {
  const receiver = await new TestReceiver(...secrets).open();
  receivers.push(receiver);
  return receiver;
}

async function add(receiver: TestReceiver, types: readonly string[] = ['coverage.orphan']) {
  const { id } = await estate.gcos.webhooks.add({
    ...{ location: receiver.url, types, secret: 'env:HOOK_SECRET', allowPrivate: true },
  });
  return id;
}

const emit = (...refs: string[]) => host(refs.map((ref) => emitSql(ref)).join(';'));
/** Numbers the feed and delivers it, until nothing is due. */
const relay = () => estate.gcos.worker.once({ signal, log: () => undefined, duties: ['feed', 'relay'] });
const supervise = () => estate.gcos.worker.once({ signal, log: () => undefined, duties: ['supervisor'] });
const webhook = async (id: bigint) => {
  const found = (await estate.gcos.webhooks.list()).find((each) => each.id === id);
  if (found === undefined) throw new Error('the webhook is gone');
  return found;
};
const findings = async () =>
  (
    await host(`select issue_type from system_issues where issue_type like 'webhook%' and status = 'open'`)
  ).map((row) => row['issue_type']);
const answerWithin = (seconds: number) =>
  host(
    `update governance_setting set setting_value = '{"answer_seconds": ${seconds}}' where setting_key = 'webhook.limits'`,
  );
/** Time passes, so that the next attempt is due. */
const later = (ahead: string) => setClock(estate.url, { ahead });

describe('a webhook', () => {
  it('receives CloudEvents of its types, in the order of the feed, signed as Standard Webhooks says', async () => {
    const receiver = await receive(SECRET);
    const id = await add(receiver, ['coverage.*', 'worker.started']);
    await emit('a', 'b', 'c', 'a');
    await relay();
    expect(receiver.refs()).toEqual(['a', 'b', 'c', 'a']);
    const first = receiver.received.find(({ body }) => body['subject'] === 'feed_test:a');
    expect(first?.headers).toMatchObject({ 'content-type': 'application/cloudevents+json; charset=utf-8' });
    const [outbox] = await host(
      `select id from event_outbox where event_subject_ref = 'a' order by created_at limit 1`,
    );
    expect(first?.body).toEqual({
      specversion: '1.0',
      id: outbox?.['id'],
      source: `/gcos/${estate.name}`,
      type: 'gcos.coverage.orphan',
      subject: 'feed_test:a',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      datacontenttype: 'application/json',
      sequence: expect.stringMatching(/^\d{20}$/),
      data: { address: 'feed_test:a', count: 1 },
    });
    expect(first?.headers['webhook-id']).toBe(first?.body['id']);
    expect(await webhook(id)).toMatchObject({
      state: 'active',
      failures: 0,
      delivered: BigInt(receiver.received.length),
    });
    // A second round sends nothing again.
    const before = receiver.refs().length;
    await relay();
    expect(receiver.refs()).toHaveLength(before);
  });

  it('whose secret is rotated is signed by both secrets, then by the new one', async () => {
    const [old, next] = [await receive(SECRET), await receive(NEXT_SECRET)];
    const ids = [await add(old), await add(next)];
    for (const id of ids) await estate.gcos.webhooks.rotate(id, 'env:NEXT_HOOK_SECRET', { hours: 24 });
    await emit('both');
    await relay();
    expect([old.refs(), next.refs()]).toEqual([['both'], ['both']]);
    await later('25 hours');
    await emit('new');
    await relay();
    expect([old.refs(), next.refs()]).toEqual([['both'], ['both', 'new']]);
    expect((await host('select * from gov_webhook')).map((row) => JSON.stringify(row)).join()).not.toContain(
      'whsec_',
    );
  });

  it('that fails is retried for three days, in order; then its entries are dead letters, which can be sent again', async () => {
    const receiver = await receive(SECRET);
    const id = await add(receiver);
    receiver.answer = () => 500;
    await emit('x1', 'x2', 'x1');
    await relay();
    expect(receiver.requests).toBe(1);
    expect(await webhook(id)).toMatchObject({
      state: 'failing',
      failures: 1,
      lastError: 'the receiver answered 500',
    });
    await later('2 hours');
    await relay();
    await supervise();
    expect(await findings()).toEqual(['webhook_failing']);
    await later('71 hours');
    await emit('x3');
    await relay();
    await supervise();
    // Two days later the feed would have forgotten what waits here.
    await later('74 hours');
    await relay();
    await supervise();
    const letters = await estate.gcos.deadLetters.list({ limit: 10 });
    expect(letters.letters.filter((each) => each.origin === 'relay')).toHaveLength(3);
    receiver.answer = () => 204;
    await later('76 hours');
    await relay();
    expect(receiver.refs()).toEqual(['x3']);
    await estate.gcos.deadLetters.retry({ origin: 'relay' });
    await relay();
    expect([...receiver.refs()].sort()).toEqual(['x1', 'x1', 'x2', 'x3']);
    await supervise();
    expect(await findings()).toEqual([]);
  });

  it('whose receiver is down for a day has everything afterwards, in order', async () => {
    const receiver = await receive(SECRET);
    await receiver.close();
    const id = await add(receiver);
    await emit('d1', 'd2');
    await relay();
    await later('26 hours');
    await emit('d3');
    await relay();
    await supervise();
    expect(await webhook(id)).toMatchObject({
      ...{ state: 'failing', lastError: 'the connection failed: ECONNREFUSED' },
    });
    await receiver.open();
    await later('40 hours');
    await relay();
    expect(receiver.refs()).toEqual(['d1', 'd2', 'd3']);
    expect(await webhook(id)).toMatchObject({ state: 'active', delivered: 3n });
  });

  it('that asks for a pause gets it, and delays no other', async () => {
    const [busy, quick] = [await receive(SECRET), await receive(SECRET)];
    await add(busy);
    await add(quick);
    busy.answer = () => ({ status: 503, headers: { 'retry-after': '7200' } });
    await emit('p1', 'p2');
    await relay();
    expect([busy.requests, quick.refs()]).toEqual([1, ['p1', 'p2']]);
    busy.answer = () => 204;
    await later('100 minutes');
    await relay();
    expect(busy.requests).toBe(1);
    await later('121 minutes');
    await relay();
    expect(busy.refs()).toEqual(['p1', 'p2']);
  });

  it('that does not answer delays no other, and is given up after its time', async () => {
    const [slow, quick] = [await receive(SECRET), await receive(SECRET)];
    const ids = [await add(slow), await add(quick)];
    slow.answer = () => 'never';
    // Longer than this test waits for anything.
    await answerWithin(300);
    const stop = new AbortController();
    const working = estate.gcos.worker.run({
      ...{ signal: stop.signal, log: () => undefined, port: 'off', duties: ['feed', 'relay'] },
    });
    await emit('s1');
    await until('the slow one has a request', () => slow.requests === 1);
    await emit('s2');
    await until('the quick one has both', () => quick.refs().length === 2);
    expect([slow.requests, slow.received]).toEqual([1, []]);
    stop.abort();
    await working;
    await answerWithin(0.2);
    await relay();
    expect(await webhook(ids[0] ?? 0n)).toMatchObject({ lastError: 'no answer within 0.2 s' });
    slow.answer = () => 204;
    await later('1 hour');
    await relay();
    expect(slow.refs()).toEqual(['s1', 's2']);
    // A worker that stops between the answer and its record sends the message again: at least once.
    expect([...new Set(quick.refs())]).toEqual(['s1', 's2']);
  });

  it('whose receiver is gone is disabled, with a finding', async () => {
    const receiver = await receive(SECRET);
    const id = await add(receiver);
    receiver.answer = () => 410;
    await emit('g1');
    await relay();
    await later('2 hours');
    await emit('g2');
    await relay();
    await supervise();
    expect(receiver.requests).toBe(1);
    expect(await webhook(id)).toMatchObject({ state: 'disabled' });
    expect(await findings()).toEqual(['webhook_disabled']);
    await estate.gcos.webhooks.remove(id);
    await supervise();
    expect(await findings()).toEqual([]);
  });

  it('that refuses one message as such gets the next ones after five attempts', async () => {
    const receiver = await receive(SECRET);
    const id = await add(receiver);
    receiver.answer = ({ body }) => (body['subject'] === 'feed_test:poison' ? 422 : 204);
    await emit('poison', 'fine');
    for (let hours = 0; hours < 10; hours += 2) {
      await later(`${hours} hours`);
      await relay();
    }
    await later('10 hours');
    await relay();
    expect(receiver.refs()).toEqual(['fine']);
    expect((await webhook(id)).state).toBe('active');
    expect(
      (await estate.gcos.deadLetters.list({ limit: 10 })).letters.filter((each) => each.origin === 'relay'),
    ).toHaveLength(1);
  });
});

describe('addresses', () => {
  it('a redirect to a private address is not followed', async () => {
    const [inner, outer] = [await receive(), await receive(SECRET)];
    outer.answer = () => ({ status: 302, headers: { location: inner.url } });
    const id = await add(outer);
    await emit('r');
    await relay();
    expect(inner.requests).toBe(0);
    expect((await webhook(id)).lastError).toBe('the receiver answered 302; redirects are not followed');
  });

  it('private addresses are refused when a webhook is added, in whatever form', async () => {
    for (const location of [
      ...[
        'https://127.0.0.1/',
        'https://10.1.2.3/',
        'https://192.168.0.1/',
        'https://169.254.169.254/latest',
      ],
      ...[
        'https://172.16.0.1/',
        'https://100.64.0.1/',
        'https://0.0.0.0/',
        'https://2130706433/',
        'https://0x7f.1/',
      ],
      ...[
        'https://[::1]/',
        'https://[::ffff:127.0.0.1]/',
        'https://[fe80::1]/',
        'https://[fd00::1]/',
        'https://[64:ff9b::7f00:1]/',
      ],
      'http://example.com/',
    ])
      await expect(
        estate.gcos.webhooks.add({ location, types: ['*'], secret: 'env:HOOK_SECRET' }),
        location,
      ).rejects.toMatchObject({ code: 'webhook_address_refused' });
  });

  it('a name that resolves to a private address is refused by the connection', async () => {
    const receiver = await receive();
    const { id } = await estate.gcos.webhooks.add({
      ...{
        location: `https://localhost:${receiver.port}/`,
        types: ['coverage.orphan'],
        secret: 'env:HOOK_SECRET',
      },
    });
    await emit('n');
    await relay();
    expect(receiver.requests).toBe(0);
    expect((await webhook(id)).lastError).toMatch(
      /^`localhost` leads to (127\.0\.0\.1|::1), which is not a public address$/,
    );
    await expect(estate.gcos.webhooks.test(id)).rejects.toMatchObject({ code: 'webhook_failed' });
  });

  it('a secret that is missing or weak, a password in an address and an unknown type are refused', async () => {
    process.env['WEAK_SECRET'] = 'whsec_c2hvcnQ=';
    const base = { location: 'https://example.com/', types: ['ledger.closed'], secret: 'env:HOOK_SECRET' };
    for (const [change, code] of [
      [{ secret: SECRET }, 'webhook_invalid'],
      [{ secret: 'env:NOT_SET_ANYWHERE' }, 'webhook_invalid'],
      [{ secret: 'env:WEAK_SECRET' }, 'webhook_invalid'],
      [{ location: 'https://me:pass@example.com/' }, 'webhook_invalid'],
      [{ types: ['ledger.clsed'] }, 'value_unknown'],
    ] as const)
      await expect(
        estate.gcos.webhooks.add({ ...base, ...change }),
        JSON.stringify(change),
      ).rejects.toMatchObject({ code });
  });
});

it('a relay that is killed in the middle repeats some messages and loses none', async () => {
  const receiver = await receive(SECRET);
  await add(receiver);
  const refs = Array.from({ length: 60 }, (_, n) => `k${n}`);
  await emit(...refs);
  const args = ['worker', 'run', '--only', 'feed,relay', '--port', 'off'];
  const env = { DATABASE_URL: estate.url, HOOK_SECRET: SECRET };
  const first = startCli(args, { env });
  receiver.answer = (_, no) => {
    if (no === 20) first.child.kill('SIGKILL');
    return 204;
  };
  await first.done;
  // The lease of the killed process expires, as its clock is not ours to wait for.
  await host(
    `update gov_worker_lease set expires_at = now() - interval '1 second' where worker in ('feed', 'relay')`,
  );
  await relay();
  const arrived = receiver.refs();
  expect([...new Set(arrived)]).toEqual(refs);
  expect(arrived.length).toBeLessThan(2 * refs.length);
});

it('slack gets a text with a link, unsigned without a secret', async () => {
  const receiver = await receive();
  await host(
    `update governance_setting set setting_value = '{"url": "https://gcos.example.com"}' where setting_key = 'webhook.console'`,
  );
  process.env['SLACK_URL'] = receiver.url;
  const { id } = await estate.gcos.webhooks.add({
    ...{ location: 'env:SLACK_URL', types: ['coverage.orphan'], format: 'slack', allowPrivate: true },
  });
  await emit('<!channel>');
  await relay();
  expect(receiver.received.map(({ body }) => body)).toEqual([
    {
      text: '*coverage: orphan* feed_test:&lt;!channel&gt;\ncount 1, address feed_test:&lt;!channel&gt;\n<https://gcos.example.com|open in GCOS>',
    },
  ]);
  expect(receiver.received[0]?.headers['webhook-signature']).toBeUndefined();
  expect((await webhook(id)).location).toBe('env:SLACK_URL');
  expect(await estate.gcos.webhooks.test(id)).toMatchObject({ ms: expect.any(Number) });
  await until('the test arrives', () => receiver.received.length === 2);
});
