// Clients that do what no client should: each is refused, nothing of the inside is in the answer, and the
// server still serves afterwards.
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

const REJECT = '/api/v1/requests/APR-0001/reject';

let estate: Estate;
let server: TestServer;
beforeAll(async () => {
  estate = await createEstate('installed');
  server = await startServer(estate, {
    // Clients are told when an idle connection closes, so that none uses one that is about to.
    patience: { headersMs: 300, requestMs: 400, keepAliveMs: 1_000, silenceMs: 1_500 },
  });
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});
afterEach(async () => {
  expect((await server.call('/api/v1/status')).status).toBe(200);
});

/** Sends exactly these bytes, and returns what came back until the server closed the connection. */
function send(bytes: string | Buffer, { ends = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(bytes);
      if (ends) socket.end();
    });
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(received) : reject(error),
    );
    socket.on('close', () => resolve(received));
  });
}

/** A write with a body of its own, closed afterwards. */
function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<string> {
  const all = {
    host: `127.0.0.1:${server.port}`,
    authorization: `Bearer ${server.tokens.decide}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'if-match': '"x"',
    connection: 'close',
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return send(
    Buffer.concat([Buffer.from(`POST ${REJECT} HTTP/1.1\r\n${head.join('')}\r\n`), Buffer.from(body)]),
  );
}

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('a body', () => {
  it.each<[string, string | Buffer, Record<string, string>, string]>([
    ['is not JSON', '{"reason": ', {}, '400 body_invalid'],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, '400 body_invalid'],
    ['is empty', '', {}, '400 body_invalid'],
    ['repeats a name', '{"reason": "a", "reason": "b"}', {}, '400 body_invalid'],
    ['repeats a name in other letters', '{"reason": "a", "re\\u0061son": "b"}', {}, '400 body_invalid'],
    ['is nested deeply', nested(5_000), {}, '400 body_invalid'],
    ['has very many members', `[${'0,'.repeat(100_000)}0]`, {}, '400 body_invalid'],
    ['has a field that is not known', '{"reason": "a", "as": "president"}', {}, '400 request_malformed'],
    ['has another type of value', '{"reason": ["a"]}', {}, '400 request_malformed'],
    ['is a list', '[]', {}, '400 request_malformed'],
    ['reaches for a prototype', '{"__proto__": {"reason": "a"}}', {}, '400 request_malformed'],
    ['has a null character', '{"reason": "a\\u0000b"}', {}, '400 request_malformed'],
    ['is a form', 'reason=a', { 'content-type': 'application/x-www-form-urlencoded' }, '415'],
    ['is plain text', '{"reason": "a"}', { 'content-type': 'text/plain' }, '415'],
    [
      'is in another encoding',
      '{"reason": "a"}',
      { 'content-type': 'application/json; charset=utf-16' },
      '415',
    ],
    ['is compressed', '{"reason": "a"}', { 'content-encoding': 'gzip' }, '415'],
    ['is too large', JSON.stringify({ reason: 'x'.repeat(1_200_000) }), {}, '413 body_too_large'],
  ])('that %s is refused', async (_, body, headers, expected) => {
    const answer = await post(body, headers);
    const [status, code = ''] = expected.split(' ');
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    expect(answer).toContain(code);
    expect(answer).not.toMatch(/at \w+ \(|node_modules|src\/|zod/i);
  });

  it('without a length is counted while it arrives', async () => {
    const chunk = 'x'.repeat(65_536);
    const chunks = `${'10000\r\n'}${chunk}\r\n`.repeat(20);
    const answer = await send(
      `POST ${REJECT} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.tokens.decide}\r\nif-match: "x"\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n${chunks}0\r\n\r\n`,
    );
    expect(answer).toContain('body_too_large');
  });
});

describe('an address', () => {
  it.each([
    "/api/v1/requests/'; drop table approval_requests; --",
    '/api/v1/requests/APR-0001%00',
    '/api/v1/requests/..%2F..%2Fetc%2Fpasswd',
    '/api/v1/../../etc/passwd',
    '/api/v1/requests/%ff%fe',
    `/api/v1/requests/${'A'.repeat(5_000)}`,
    '/api/v1/status?limit=1&limit=2',
    '/api/v1/status?=1',
    '/api/v1/status?__proto__=1',
    '//api/v1/status',
    '/api/v1/status/',
  ])('like %s reaches nothing', async (path) => {
    const { status, text } = await server.call(path);
    expect([400, 404]).toContain(status);
    expect(text).not.toMatch(/syntax|relation|node_modules|root:/);
  });

  it('that is too long is refused', async () => {
    expect(await send(`GET /${'a'.repeat(40_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 4/,
    );
  });
});

describe('a client', () => {
  it('that hides where it comes from behind many headers is refused', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, '1']));
    expect(await post('{"reason": "a"}', { ...many, origin: 'https://other.example' })).toMatch(
      /^HTTP\/1\.1 403[\s\S]*cross_site_refused/,
    );
  });

  it('that is not known is refused before its large body is read', async () => {
    const token = `gcos_${'0'.repeat(12)}_${'0'.repeat(72)}`;
    const head = `POST /api/v1/gate/check HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 9000000\r\n\r\n`;
    expect(await send(head)).toMatch(/^HTTP\/1\.1 401[\s\S]*credential_unknown/);
  });

  it('that ends its body early has sent no JSON, which is no error of the server', async () => {
    await send(
      `POST ${REJECT} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.tokens.decide}\r\nif-match: "x"\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"reason"`,
      { ends: true },
    );
    expect(server.logged.filter((line) => line.includes('"status":500'))).toEqual([]);
  });

  it('that sends its headers slowly is dropped', async () => {
    expect(await send('GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ')).toMatch(/^HTTP\/1\.1 408/);
  });

  it('that never finishes its body is dropped', async () => {
    const answer = await send(
      `POST ${REJECT} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.tokens.decide}\r\nif-match: "x"\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"reason"`,
    );
    expect(answer).toMatch(/^(HTTP\/1\.1 408[\s\S]*)?$/);
  });

  it('that connects and says nothing is dropped', async () => {
    expect(await send('')).toMatch(/^(HTTP\/1\.1 408[\s\S]*)?$/);
  });

  it('that speaks another protocol is refused', async () => {
    expect(await send(Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc]))).toMatch(/^HTTP\/1\.1 400/);
    expect(
      await send(
        'POST /api/v1/status HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400/);
  });
});

describe('a page of another site', () => {
  it('cannot reach this server under its own name', async () => {
    for (const host of ['rebound.example', 'localhost.rebound.example', 'localhost@rebound.example', ''])
      expect(await send(`GET /api/v1/status HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 (421|400)/,
      );
    expect(await send('GET /api/v1/status HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    expect(
      await send(
        `GET http://rebound.example/healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1\.1 421/);
  });

  it.each<Record<string, string>>([
    { origin: 'https://other.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('cannot write: %o', async (headers) => {
    expect(await post('{"reason": "a"}', headers)).toMatch(/^HTTP\/1\.1 403[\s\S]*cross_site_refused/);
  });

  it('gets no permission to read', async () => {
    const answer = await server.call('/api/v1/status', { headers: { origin: 'https://other.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
