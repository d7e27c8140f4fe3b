// Every failure of the server, the network, the driver and TLS ends as one error with a code of GCOS, one
// line, help and an exit code. A real server raises the server's errors, real sockets those of the network.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { sqlstateOf, translateConnectError, translateError } from '../../src/db/errors.js';
import type { Database } from '../../src/db/index.js';
import { GcosError } from '../../src/kernel/index.js';
import { asHost, createDatabase, openDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/wait.js';

const READ = { isolation: 'read committed' } as const;
const CODE = /^[a-z]+(_[a-z]+)+$/;

async function failureOf(work: Promise<unknown>): Promise<GcosError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GcosError);
  const found = error as GcosError;
  expect(found.code).toMatch(CODE);
  expect(found.message).toMatch(/^[^\n]+$/);
  expect(found.help).toMatch(/^[^\n]{15,}$/);
  return found;
}

/** What each SQLSTATE becomes, with its exit code. */
const BY_SQLSTATE: Readonly<Record<string, readonly [string, number]>> = {
  '08000': ['connection_lost', 4],
  '08001': ['database_unreachable', 4],
  '08003': ['connection_lost', 4],
  '08004': ['database_unreachable', 4],
  '08006': ['connection_lost', 4],
  '08007': ['connection_lost', 4],
  '08P01': ['database_unreachable', 4],
  '0A000': ['database_error', 1],
  '22P02': ['database_error', 1],
  '22012': ['database_error', 1],
  '23505': ['database_error', 1],
  '23514': ['database_error', 1],
  '25001': ['database_error', 1],
  '25006': ['database_read_only', 4],
  '25P02': ['transaction_lost', 1],
  '25P03': ['session_timeout', 1],
  '25P04': ['session_timeout', 1],
  '26000': ['database_error', 1],
  '28000': ['database_auth_failed', 4],
  '28P01': ['database_auth_failed', 4],
  '2BP01': ['database_error', 1],
  '34000': ['database_error', 1],
  '3D000': ['database_missing', 4],
  '3F000': ['schema_mismatch', 4],
  '40000': ['serialization_failure', 1],
  '40001': ['serialization_failure', 1],
  '40003': ['connection_lost', 4],
  '40P01': ['serialization_failure', 1],
  '42501': ['privilege_missing', 4],
  '42601': ['database_error', 1],
  '42703': ['schema_mismatch', 4],
  '42704': ['schema_mismatch', 4],
  '42883': ['schema_mismatch', 4],
  '42P01': ['schema_mismatch', 4],
  '53000': ['database_exhausted', 4],
  '53100': ['database_exhausted', 4],
  '53200': ['database_exhausted', 4],
  '53300': ['database_full', 4],
  '53400': ['database_exhausted', 4],
  '54000': ['database_limit', 1],
  '54001': ['database_limit', 1],
  '54011': ['database_limit', 1],
  '55000': ['database_error', 1],
  '55006': ['object_busy', 1],
  '55P03': ['lock_timeout', 1],
  '57000': ['database_restarting', 4],
  '57014': ['statement_timeout', 1],
  '57P01': ['database_restarting', 4],
  '57P02': ['database_restarting', 4],
  '57P03': ['database_restarting', 4],
  '57P04': ['database_missing', 4],
  '57P05': ['session_timeout', 1],
  '58000': ['database_fault', 4],
  '58030': ['database_fault', 4],
  '58P01': ['database_fault', 4],
  F0000: ['database_fault', 4],
  HV000: ['database_error', 1],
  P0001: ['database_error', 1],
  UG010: ['functions_altered', 4],
  XX000: ['database_fault', 4],
  XX001: ['database_fault', 4],
  XX002: ['database_fault', 4],
};

describe('an error of the server', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database?.close());

  it.each(Object.entries(BY_SQLSTATE))('%s is %s', async (state, [code, exit]) => {
    const raise = `do $$ begin raise exception 'it is so' using errcode = '${state}'; end $$`;
    const found = await failureOf(database.db.transaction(READ, (tx) => tx.script(raise)));
    expect([found.code, found.exit]).toEqual([code, exit]);
    expect(found.message).toMatch(/it is so/);
    expect(found.facts).toEqual({ sqlstate: state });
  });

  const pidOf = (name: string) =>
    until(`${name} runs`, async () => {
      const [row] = await asHost(
        database.url,
        `select pid from pg_stat_activity where query like '%${name}%' and wait_event = 'PgSleep'`,
      );
      return row?.['pid'];
    });
  const sleeping = (name: string) =>
    failureOf(database.db.transaction(READ, (tx) => tx.script(`select pg_sleep(60) /* ${name} */`)));

  it('says who ended a session or a statement', async () => {
    const ended = sleeping('ended');
    await asHost(database.url, `select pg_terminate_backend(${await pidOf('ended')})`);
    expect(await ended).toMatchObject({
      code: 'database_restarting',
      message: expect.stringMatching(/^the server ended the session: .*administrator/),
    });
    const cancelled = sleeping('cancelled');
    await asHost(database.url, `select pg_cancel_backend(${await pidOf('cancelled')})`);
    expect(await cancelled).toMatchObject({ code: 'statement_cancelled', exit: 1 });
  });

  it('that came while no statement ran is what the next statement reports', async () => {
    const one = openDatabase(database.url, { poolSize: 1 });
    const work = one.transaction({ ...READ, idleTimeoutMs: 50 }, async (tx) => {
      await until('the server has ended the session', async () => {
        const rows = await asHost(
          database.url,
          `select 1 from pg_stat_activity where datname = '${database.name}' and query like 'begin isolation level%idle_in_transaction_session_timeout'', ''50''%'`,
        );
        return rows.length === 0;
      });
      await tx.script('select 1');
    });
    expect(await failureOf(work)).toMatchObject({ code: 'session_timeout', exit: 1 });
    await one.close();
  });
});

describe('a failure of the network', () => {
  const servers: Server[] = [];
  const open: Database[] = [];
  afterEach(async () => {
    for (const db of open.splice(0)) await db.close();
    for (const server of servers.splice(0)) server.close();
  });
  async function listen(server: Server): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }
  const openAt = (url: string): Database => {
    const db = openDatabase(url, { poolSize: 1, connectTimeoutMs: 2_000 });
    open.push(db);
    return db;
  };
  const reach = (url: string) => failureOf(openAt(url).transaction(READ, (tx) => tx.script('select 1')));

  it('before the login names the address and says that the server is unreachable', async () => {
    expect(await reach('postgresql://x@127.0.0.1:1/x')).toMatchObject({
      code: 'database_unreachable',
      exit: 4,
      message: 'no server accepts connections at `127.0.0.1:1` (ECONNREFUSED)',
    });
    expect(await reach('postgresql://x@%2Fnowhere/x')).toMatchObject({
      code: 'database_unreachable',
      message: 'no server listens on the socket `/nowhere/.s.PGSQL.5432` (ENOENT)',
    });
    const other = await listen(createServer((socket) => socket.write(Buffer.from([0x7a, 0, 0, 0, 4]))));
    expect(await reach(`postgresql://x@127.0.0.1:${other}/x`)).toMatchObject({
      code: 'database_unreachable',
      message: expect.stringMatching(/the server did not accept the connection: what answers .* PostgreSQL/),
    });
    const closing = await listen(createServer((socket) => socket.destroy()));
    expect(await reach(`postgresql://x@127.0.0.1:${closing}/x`)).toMatchObject({
      code: 'database_unreachable',
      message: expect.stringMatching(/^the server did not accept the connection: /),
    });
  });

  it('in the middle of a statement says that the connection is lost', async () => {
    const { hostname, port, username, password } = new URL(inject('serverUrl'));
    const accepted = new Set<Socket>();
    const proxy = await listen(
      createServer((socket) => {
        accepted.add(socket.on('error', () => undefined));
        const forward = connect(Number(port), hostname).on('error', () => undefined);
        socket.pipe(forward).pipe(socket);
      }),
    );
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const db = openAt(`postgresql://${username}:${password}@127.0.0.1:${proxy}/postgres`);
      const work = db.transaction(READ, async (tx) => {
        for (const socket of accepted) socket[end]();
        await tx.script('select 1');
      });
      expect(await failureOf(work)).toMatchObject({ code: 'connection_lost', exit: 4 });
    }
  });
});

describe('an error of a system call', () => {
  const failed = (code: string, fields: object = {}) =>
    Object.assign(new Error(`read ${code}`), { code, errno: -1, syscall: 'read', ...fields });

  it('has no SQLSTATE, whatever its code looks like', () => {
    const error = failed('EPIPE', { syscall: 'write' });
    expect(sqlstateOf(error)).toBeUndefined();
    expect(translateError(error)).toMatchObject({
      code: 'connection_lost',
      exit: 4,
      message: 'the other side closed the connection (EPIPE)',
      facts: {},
    });
  });

  it.each([
    ['ECONNRESET', 'connection_lost', 'database_unreachable'],
    ['ECONNABORTED', 'connection_lost', 'database_unreachable'],
    ['ERR_STREAM_DESTROYED', 'connection_lost', 'database_unreachable'],
    ['ENOTFOUND', 'database_unreachable', 'database_unreachable'],
    ['EAI_AGAIN', 'database_unreachable', 'database_unreachable'],
    ['EAI_FAIL', 'database_unreachable', 'database_unreachable'],
    ['ETIMEDOUT', 'database_unreachable', 'database_unreachable'],
    ['EHOSTUNREACH', 'database_unreachable', 'database_unreachable'],
    ['ENETUNREACH', 'database_unreachable', 'database_unreachable'],
    ['EMFILE', 'database_unreachable', 'database_unreachable'],
    ['CERT_HAS_EXPIRED', 'database_untrusted', 'database_untrusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'database_untrusted', 'database_untrusted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'database_untrusted', 'database_untrusted'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'database_tls_failed', 'database_tls_failed'],
    ['EPROTO', 'database_tls_failed', 'database_tls_failed'],
    ['ENOSPC', 'database_error', 'database_error'],
  ])('%s is %s, and %s before the login', (code, working, connecting) => {
    const error = failed(code, { hostname: 'db.example' });
    for (const [found, expected] of [
      [translateError(error), working],
      [translateConnectError(error), connecting],
    ] as const) {
      expect(found.code).toBe(expected);
      expect(found.exit).toBe(expected === 'database_error' ? 1 : 4);
      expect(found.facts).toEqual({});
    }
  });

  it('of each address of one name counts as one', () => {
    const refused = failed('ECONNREFUSED', { syscall: 'connect', address: '::1', port: 5432 });
    expect(translateError(new AggregateError([refused, refused]))).toMatchObject({
      code: 'database_unreachable',
      message: 'no server accepts connections at `::1:5432` (ECONNREFUSED)',
    });
  });

  it('is not confused with an error of the login', () => {
    const password = (message: string) => translateError(new Error(message));
    expect(password('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string').message).toBe(
      'the server requires a password and none was given',
    );
    const impostor = password('SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match');
    expect([impostor.code, impostor.message]).toEqual([
      'database_auth_failed',
      expect.stringContaining('server signature does not match'),
    ]);
    expect(sqlstateOf(new pg.DatabaseError('x', 0, 'error'))).toBeUndefined();
  });
});
