// Connections to a server with a certificate: verified by default unless the server is on this machine, and
// otherwise as libpq's parameters and variables say.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Prober } from '../../src/db/index.js';
import { connectionOf } from '../../src/db/tls.js';
import type { TlsSettings } from '../../src/kernel/index.js';
import { runCli } from '../support/cli.js';
import { asHost, openDatabase, rowsIn, urlFor } from '../support/database.js';
import type { TestServer } from '../support/server.js';
import { CA, OTHER_CA, startTlsServer, urlAt } from '../support/tls-server.js';
import { until } from '../support/wait.js';

const hasPsql = spawnSync('psql', ['--version']).status === 0;
let server: TestServer;
beforeAll(async () => {
  server = await startTlsServer();
});
afterAll(() => server?.stop());

/** `encrypted` or `plain` if a connection is possible, otherwise the code of the error. */
async function outcome(url: string, tls: TlsSettings = {}): Promise<string> {
  const db = openDatabase(url, { tls });
  try {
    const rows = await db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
      rowsIn(tx, 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'),
    );
    return rows[0]?.['ssl'] ? 'encrypted' : 'plain';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await db.close();
  }
}
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return undefined;
};

describe('a connection to a server with a certificate', () => {
  it.each([
    // The name that the client uses, the parameters of the URL, the outcome.
    ['0.0.0.0', {}, 'database_untrusted'],
    ['0.0.0.0', { sslrootcert: CA }, 'encrypted'],
    ['0.0.0.0', { sslrootcert: OTHER_CA }, 'database_untrusted'],
    ['0.0.0.0', { sslmode: 'verify-full' }, 'database_untrusted'],
    ['0.0.0.0', { sslmode: 'verify-full', sslrootcert: 'system' }, 'database_untrusted'],
    ['0.0.0.0', { sslmode: 'require' }, 'encrypted'],
    ['0.0.0.0', { sslmode: 'require', sslrootcert: OTHER_CA }, 'database_untrusted'],
    ['0.0.0.0', { sslmode: 'disable' }, 'plain'],
    ['0.0.0.0', { sslmode: 'disable', sslrootcert: CA }, 'plain'],
    ['127.0.0.1', {}, 'plain'],
    ['127.0.0.1', { sslmode: 'require' }, 'encrypted'],
    ['127.0.0.1', { sslmode: 'prefer' }, 'plain'],
    // The certificate is not for this address.
    ['127.0.0.1', { sslmode: 'verify-full', sslrootcert: CA }, 'database_untrusted'],
    ['127.0.0.1', { sslmode: 'verify-ca', sslrootcert: CA }, 'encrypted'],
    ['127.0.0.1', { sslmode: 'verify-ca', sslrootcert: OTHER_CA }, 'database_untrusted'],
    ['127.0.0.1', { sslmode: 'require', sslrootcert: CA }, 'encrypted'],
    ['localhost', { sslmode: 'verify-full', sslrootcert: CA }, 'encrypted'],
  ])('as %s with %o: %s', async (host, params, expected) => {
    expect(await outcome(urlAt(server.url, host, params as Record<string, string>))).toBe(expected);
  });

  it('takes the variables of libpq where the URL says nothing', async () => {
    const url = urlAt(server.url, '0.0.0.0');
    expect(await outcome(url, { mode: 'require' })).toBe('encrypted');
    expect(await outcome(url, { mode: 'disable' })).toBe('plain');
    expect(await outcome(url, { rootCert: CA })).toBe('encrypted');
    expect(await outcome(url, { rootCert: OTHER_CA })).toBe('database_untrusted');
    expect(await outcome(urlAt(url, '0.0.0.0', { sslmode: 'verify-full' }), { mode: 'disable' })).toBe(
      'database_untrusted',
    );
  });

  it('is used for the queries of detectors, too', async () => {
    await asHost(server.url, `create role tls_reader login password 'p' noinherit`);
    const url = urlFor(urlAt(server.url, '0.0.0.0'), { user: 'tls_reader', password: 'p' });
    const probe = (tls: TlsSettings) =>
      new Prober({ url, tls, schema: 'public', connectTimeoutMs: 5_000 }).run(
        ['select ssl from pg_stat_ssl where pid = pg_backend_pid()'],
        { statementMs: 5_000, rows: 1 },
      );
    expect(await probe({ rootCert: CA })).toEqual([{ outcome: 'rows', rows: [['t']], more: false }]);
    expect(await probe({})).toMatchObject([{ outcome: 'failed' }]);
  });

  it('fails if the server has no TLS and must have it', async () => {
    expect(await outcome(urlAt(inject('serverUrl'), '0.0.0.0'))).toBe('database_tls_failed');
    expect(await outcome(urlAt(inject('serverUrl'), '127.0.0.1', { sslmode: 'require' }))).toBe(
      'database_tls_failed',
    );
  });
});

describe('settings that GCOS cannot keep', () => {
  const of = (params: string, tls: TlsSettings = {}) =>
    codeOf(() => connectionOf({ kind: 'url', url: `postgresql://u@db.internal/x?${params}` }, tls));
  it.each([
    ['sslmode=prefer', 'config_unsupported'],
    ['sslmode=allow', 'config_unsupported'],
    ['ssl=true', 'config_unsupported'],
    ['sslcrl=/x', 'config_unsupported'],
    ['ssl_min_protocol_version=TLSv1.3', 'config_unsupported'],
    ['sslmode=require&channel_binding=require', 'config_unsupported'],
    ['require_auth=scram-sha-256', 'config_unsupported'],
    ['sslmode=no-verify', 'config_invalid'],
    ['sslmode=verify-ca', 'config_invalid'],
    ['sslmode=require&sslrootcert=system', 'config_invalid'],
    ['sslrootcert=/does/not/exist', 'config_invalid'],
    [`sslrootcert=${import.meta.filename}`, 'config_invalid'],
    ['sslmode=require&channel_binding=prefer&application_name=x', undefined],
  ])('%s: %s', (params, code) => expect(of(params)).toBe(code));

  it('are refused in variables, too', () => {
    expect(of('', { mode: 'prefer' })).toBe('config_unsupported');
    expect(of('', { mode: 'bogus' })).toBe('config_invalid');
  });

  it('do not concern a socket, which is not encrypted', () => {
    const url = 'postgresql://u@localhost/x?host=/run/postgresql&sslmode=verify-full';
    expect(connectionOf({ kind: 'url', url }).driver.ssl).toBe(false);
  });
});

describe('gcos, beside a server with a certificate', () => {
  const run = (url: string, env: Record<string, string> = {}) =>
    runCli(['schema', 'dump', '--database-url', url], { env });

  it('reports a certificate that is not trusted as one error, exit 4', async () => {
    const done = await run(urlAt(server.url, '0.0.0.0'));
    expect(done).toMatchObject({ exit: 4, stdout: '' });
    expect(done.stderr).toMatch(
      /^database_untrusted: the certificate of the server is not trusted: .*\n {2}help: .*\n$/,
    );
  });

  it('trusts the CAs of the system, and those of PGSSLROOTCERT', async () => {
    const url = urlAt(server.url, '0.0.0.0');
    expect(await run(url, { SSL_CERT_FILE: CA })).toMatchObject({ exit: 0, stderr: '' });
    expect(await run(url, { PGSSLROOTCERT: CA })).toMatchObject({ exit: 0, stderr: '' });
    expect(await run(url, { SSL_CERT_FILE: CA, PGSSLROOTCERT: OTHER_CA })).toMatchObject({ exit: 4 });
    // A switch of Node that would make every certificate good.
    expect(await run(url, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatchObject({ exit: 4 });
  });

  it('connects with sslmode=require without a warning', async () => {
    expect(await run(urlAt(server.url, '0.0.0.0', { sslmode: 'require' }))).toMatchObject({
      exit: 0,
      stderr: '',
    });
    expect(await run(urlAt(server.url, '0.0.0.0'), { PGSSLMODE: 'require' })).toMatchObject({
      exit: 0,
      stderr: '',
    });
  });

  it('names the parameter if the server accepts encrypted connections only', async () => {
    const hba = join(server.folder, 'data/pg_hba.conf');
    writeFileSync(hba, `hostnossl all tls_only all reject\n${readFileSync(hba, 'utf8')}`);
    await asHost(server.url, `create role tls_only login password 'p'; select pg_reload_conf()`);
    const url = urlFor(server.url, { user: 'tls_only', password: 'p' });
    await until('the server has read its configuration', async () => (await run(url)).exit === 4);
    expect(await run(url)).toMatchObject({
      exit: 4,
      stderr: expect.stringMatching(/^database_auth_failed: .*no encryption\n {2}help: .*sslmode=require/),
    });
    expect(await run(url, { PGSSLMODE: 'require' })).toMatchObject({ exit: 0, stderr: '' });
  });

  it.runIf(hasPsql)('opens psql with the same verification', async () => {
    const psql = (params: Record<string, string>, env: Record<string, string> = {}) =>
      runCli(['db', 'psql', '-c', 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'], {
        env: { DATABASE_URL: urlAt(server.url, '0.0.0.0', params), ...env },
      });
    expect(await psql({})).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('certificate verify failed'),
    });
    expect(await psql({}, { SSL_CERT_FILE: CA })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(' t\n'),
    });
    expect(await psql({ sslrootcert: CA })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(' t\n'),
    });
    expect(await psql({ sslmode: 'disable' })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(' f\n'),
    });
  });

  it('connects to PGHOST in the same way', async () => {
    const { port, username, password, pathname } = new URL(server.url);
    const env = { PGHOST: '0.0.0.0', PGPORT: port, PGUSER: username, PGPASSWORD: password };
    const dump = (more: Record<string, string>) =>
      runCli(['schema', 'dump'], { env: { ...env, PGDATABASE: pathname.slice(1), ...more } });
    expect(await dump({})).toMatchObject({ exit: 4, stderr: expect.stringMatching(/^database_untrusted/) });
    expect(await dump({ PGSSLROOTCERT: CA })).toMatchObject({ exit: 0, stderr: '' });
  });
});

describe('what crosses the network', () => {
  /** Forwards to the server; keeps the first bytes of each connection. */
  async function startRecorder() {
    const first: Buffer[] = [];
    const open = new Set<Socket>();
    const recorder = createServer((client) => {
      const backend = connect(Number(new URL(server.url).port), '127.0.0.1');
      for (const socket of [client, backend])
        open.add(socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket)));
      client.once('data', (chunk: Buffer) => first.push(chunk));
      client.pipe(backend).pipe(client);
    });
    await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve));
    const { port } = recorder.address() as { port: number };
    const url = new URL(urlAt(server.url, '0.0.0.0', { sslrootcert: CA }));
    url.port = String(port);
    return {
      url: url.href,
      first,
      async stop() {
        for (const socket of open) socket.destroy();
        await new Promise((resolve) => recorder.close(resolve));
      },
    };
  }

  it('is encrypted from the second message on, also to cancel a statement', async () => {
    const recorder = await startRecorder();
    const stop = new AbortController();
    const db = openDatabase(recorder.url, { signal: stop.signal, statementTimeoutMs: 0 });
    const sleeping = db.transaction({ isolation: 'read committed' }, (tx) =>
      tx.script('select pg_sleep(600)'),
    );
    const running = () =>
      asHost(server.url, `select pid from pg_stat_activity where query = 'select pg_sleep(600)'`);
    await until('the statement runs', async () => (await running()).length === 1);
    stop.abort();
    await expect(sleeping).rejects.toMatchObject({ code: 'operation_cancelled' });
    await until('the statement has ended', async () => (await running()).length === 0);
    await db.close();
    await recorder.stop();
    // At least the connection and one cancel request, each of which begins by asking for TLS.
    expect(recorder.first.length).toBeGreaterThan(1);
    const requests = new Set(recorder.first.map((chunk) => chunk.toString('hex')));
    expect(requests).toEqual(new Set(['0000000804d2162f']));
  });
});
