// PgBouncer in transaction mode, for real: each transaction may reach another server process, and release
// 1.18 keeps no statement prepared by name.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, statement } from '../../src/db/index.js';
import type { Gcos } from '../../src/index.js';
import { asHost, openDatabase, urlAs } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { until } from '../support/wait.js';

if (!hasPgBouncer) console.warn('skipped: test/db/pgbouncer.test.ts needs PgBouncer (apt install pgbouncer)');

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const addOne = statement<{ readonly n: number }, { readonly n: number; readonly pid: number }>({
  name: 'test.addOne',
  sql: 'select $1::int4 + 1 as n, pg_backend_pid() as pid',
  params: ['n'],
});

describe.skipIf(!hasPgBouncer)('behind PgBouncer in transaction mode', () => {
  let estate: Estate;
  let bouncer: PgBouncer;
  let gcos: Gcos;
  beforeAll(async () => {
    estate = await createEstate('ruled');
    bouncer = await startPgBouncer(estate.url);
    gcos = await openAt(bouncer.url, { GCOS_READER_URL: urlAs(bouncer.url, 'reader') });
  });
  afterAll(async () => {
    await gcos?.close();
    await bouncer?.stop();
    await estate?.close();
  });

  /** Runs `work` while another client keeps the server process that the last transaction used. */
  async function onOtherProcess<T>(work: () => Promise<T>): Promise<T> {
    const other = new pg.Client({ connectionString: bouncer.url });
    await other.connect();
    await other.query('begin');
    try {
      return await work();
    } finally {
      await other.query('rollback');
      await other.end();
    }
  }

  it('a statement prepared by name is lost with the next transaction', async () => {
    const client = new pg.Client({ connectionString: bouncer.url });
    await client.connect();
    const named = () => client.query({ name: 'kept', text: 'select pg_backend_pid() as pid' });
    const first = await named();
    await onOtherProcess(async () => {
      expect((await client.query('select pg_backend_pid() as pid')).rows).not.toEqual(first.rows);
      await expect(named()).rejects.toMatchObject({ code: '26000' });
    });
    await client.end();
  });

  it('GCOS prepares nothing by name, and follows from process to process', async () => {
    const db = openDatabase(bouncer.url, { poolSize: 1 });
    const ask = () => db.transaction(READ_ONLY, async (tx) => (await tx.runPrepared(addOne, { n: 1 }))[0]);
    const first = await ask();
    const second = await onOtherProcess(ask);
    expect([first?.n, second?.n]).toEqual([2, 2]);
    expect(second?.pid).not.toBe(first?.pid);
    await db.close();
  });

  it('statements that do not wait for each other are answered in order, on one process', async () => {
    const db = openDatabase(bouncer.url, { poolSize: 2 });
    const many = (from: number) =>
      db.transaction(READ_ONLY, (tx) =>
        Promise.all(
          Array.from({ length: 50 }, (_, n) =>
            n % 2 ? tx.run(addOne, { n: from + n }) : tx.runPrepared(addOne, { n: from + n }),
          ),
        ),
      );
    const answers = await Promise.all([many(0), many(1_000), many(2_000)]);
    answers.forEach((rows, index) => {
      expect(rows.flat().map(({ n }) => n)).toEqual(
        Array.from({ length: 50 }, (_, n) => index * 1_000 + n + 1),
      );
      expect(new Set(rows.flat().map(({ pid }) => pid)).size).toBe(1);
    });
    await db.close();
  });

  it('leaves no setting in a process that other clients use next', async () => {
    const settings = `select name, setting from pg_settings where name in
      ('search_path', 'jit', 'statement_timeout', 'lock_timeout', 'TimeZone', 'row_security') order by 1`;
    const before = await asHost(bouncer.url, settings);
    await gcos.status();
    expect(await asHost(bouncer.url, settings)).toEqual(before);
  });

  it('backfill, scan, worker and gate run, with detectors; the ledger closes and agrees with a recount', async () => {
    expect((await gcos.doctor()).usable).toBe(true);
    expect((await gcos.backfills.run({})).ledger?.closes).toBe(true);
    const full = await gcos.scans.run({ mode: 'full' });
    expect(full.ledger?.closes).toBe(true);
    await asHost(estate.url, `update dot_tools set status = 'retired' where dot_code = 'DOT-100'`);
    // The worker's own login, whose leases, heartbeats and takeovers go through the pool, too.
    const worker = await openAt(urlAs(bouncer.url, 'worker'));
    const duties = await onOtherProcess(() =>
      worker.worker.once({ signal: new AbortController().signal, log: () => undefined }),
    );
    expect(duties.map(({ outcome }) => outcome)).toEqual(duties.map(() => 'done'));
    await worker.close();
    const keys = [
      { collection: 'dot_tools', code: 'DOT-118' },
      { collection: 'dot_tools', code: 'DOT-117' },
    ];
    const answers = async () => (await gcos.gates.check(keys)).decisions.map(({ answer }) => answer);
    expect(await answers()).toEqual(['allow', 'block']);
    expect(await onOtherProcess(answers)).toEqual(['allow', 'block']);
    expect((await gcos.ledgers.verify()).closes).toBe(true);
    expect((await gcos.status()).accounted.answer).toBe('yes');
  });

  it('Ctrl-C cancels the statement on the server', async () => {
    // One of its own: release 1.18 may end after a cancel request.
    const alone = await startPgBouncer(estate.url);
    const controller = new AbortController();
    const db: Database = openDatabase(alone.url, { signal: controller.signal });
    const sleeping = `select from pg_stat_activity where query like '%pg_sleep(100)%' and state = 'active' and pid <> pg_backend_pid()`;
    const work = db.transaction(READ_ONLY, (tx) => tx.script('select pg_sleep(100)'));
    const ended = expect(work).rejects.toMatchObject({ code: 'operation_cancelled' });
    await until('the statement runs', async () => (await asHost(estate.url, sleeping)).length === 1);
    controller.abort();
    await ended;
    await until('the server has ended it', async () => (await asHost(estate.url, sleeping)).length === 0);
    await db.close();
    await alone.stop();
  });
});
