// Moments: several transactions, of several processes, read one state of the database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, statement } from '../../src/db/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { until } from '../support/wait.js';

const READ = { isolation: 'read committed', readOnly: true } as const;
const countBirths = statement<Record<never, never>, { readonly births: bigint }>({
  name: 'test.births',
  sql: 'select count(*) as births from birth_registry',
});
const births = async (db: Database) => (await db.transaction(READ, (tx) => tx.one(countBirths, {}))).births;
const give = (url: string, code: string) =>
  asHost(
    url,
    `insert into birth_registry (entity_code, collection_name, born_at) values ('${code}', 'articles', now())`,
  );
const holders = async (url: string) =>
  (
    await asHost(
      url,
      `select pid from pg_stat_activity where application_name = 'gcos moments' and datname = current_database()`,
    )
  ).map((row) => Number(row['pid']));
const expired = { code: 'as_of_expired' };

describe('a moment', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('installed');
  });
  afterAll(() => estate.close());

  it('shows one state to several transactions and processes, while births are committed', async () => {
    const { db, url } = estate;
    const before = await births(db);
    const moment = await db.takeMoment();
    await give(url, 'MOMENT-1');
    const other = openDatabase(url);
    expect([await births(db.at(moment)), await births(other.at(moment)), await births(db)]).toEqual([
      before,
      before,
      before + 1n,
    ]);
    await other.close();
    expect(await births(db.at(moment))).toBe(before);
  });

  it('is shared for a second, and new after a write that announces itself', async () => {
    const { db, url } = estate;
    // Another test may have taken a moment within this second, before it added a birth.
    db.renewMoment();
    const [one, two] = await Promise.all([db.takeMoment(), db.takeMoment()]);
    expect(one).toBe(two);
    await give(url, 'MOMENT-2');
    db.renewMoment();
    const renewed = await db.takeMoment();
    expect(renewed).not.toBe(one);
    expect(await births(db.at(renewed))).toBe((await births(db.at(one))) + 1n);
    // However many there are, one connection keeps them.
    for (let taken = 0; taken < 20; taken += 1) {
      db.renewMoment();
      await db.takeMoment();
    }
    expect(await holders(url)).toHaveLength(1);
    expect(await births(db.at(one))).toBeGreaterThan(0n);
  });

  it('has its own time, and reads only', async () => {
    const { gcos, db } = estate;
    const pinned = gcos.at(await db.takeMoment());
    const { at } = await pinned.ledgers.show();
    expect((await pinned.ledgers.show()).at).toBe(at);
    await expect(
      db
        .at(await db.takeMoment())
        .transaction({ isolation: 'read committed' }, (tx) => tx.script('create table x (y int)')),
    ).rejects.toMatchObject({ code: 'database_read_only' });
  });

  it('is over when its transaction ends, and the next one is another', async () => {
    const { db, url } = estate;
    db.renewMoment();
    const moment = await db.takeMoment();
    for (const pid of await holders(url)) await asHost(url, `select pg_terminate_backend(${pid})`);
    await until('no transaction keeps moments', async () => (await holders(url)).length === 0);
    await expect(births(db.at(moment))).rejects.toMatchObject(expired);
    // The connection was not lost for it, and a new moment works.
    expect(await births(db.at(await db.takeMoment()))).toBe(await births(db));
  });

  it('ends with the process that took it', async () => {
    const other = openDatabase(estate.url);
    const moment = await other.takeMoment();
    expect(await births(estate.db.at(moment))).toBeGreaterThan(0n);
    await other.close();
    await until('the moment is over', () =>
      births(estate.db.at(moment)).then(
        () => false,
        (error: { code: string }) => error.code === expired.code,
      ),
    );
  });

  const text = (...parts: string[]) => Buffer.from(parts.join('~')).toString('base64url');
  const of = (moment: string) =>
    Buffer.from(moment, 'base64url').toString().split('~') as [string, string, string];

  it('of another content, time or database is refused', async () => {
    const { db } = estate;
    const [at, snapshot, content] = of(await db.takeMoment());
    for (const forged of [
      text(at, snapshot, content.replaceAll(/./g, '0')),
      text('2026-01-01 00:00:00+00', snapshot, content),
      text('2999-01-01 00:00:00+00', snapshot, content),
      text(at, '7FFFFFFF-00000001-1', content),
    ])
      await expect(births(db.at(forged))).rejects.toMatchObject(expired);
    const elsewhere = await createEstate('installed');
    await expect(births(db.at(await elsewhere.db.takeMoment()))).rejects.toMatchObject(expired);
    await elsewhere.close();
  });

  it('is a text that GCOS returned, or refused before a statement sees it', async () => {
    const [at, snapshot, content] = of(await estate.db.takeMoment());
    for (const wrong of [
      '',
      'now',
      '../../etc/passwd',
      text(at, `${snapshot}'; drop table birth_registry; --`, content),
      text(at, '../00000003-0000001B-1', content),
      text(at, snapshot.replace('0', 'a'), content),
      text(`${at}'`, snapshot, content),
      text(at, snapshot, content, ''),
      `${text(at, snapshot, content)}=`,
      'A'.repeat(100_000),
    ])
      expect(() => estate.db.at(wrong), wrong.slice(0, 50)).toThrow(
        expect.objectContaining({ code: 'as_of_invalid' }),
      );
  });
});
