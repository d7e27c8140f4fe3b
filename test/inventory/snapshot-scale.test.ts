// Seed 38 §38.10 test 5: fingerprints of all births at the size of the reference host, at most 5 seconds per
// statement.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate, FULL_SIZE } from '../../src/demo/index.js';
import { asHost, createDatabase, type TestDatabase } from '../support/database.js';
import { openAt } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await buildEstate(database.db, {});
});
afterAll(() => database?.close());

it('seed 38 §38.10 test 5, scale: 1,037,724 births in 78 registries, no statement longer than 5 s', async () => {
  const gcos = await openAt(database.url, { GCOS_STATEMENT_TIMEOUT: '5s' });
  try {
    await gcos.init();
    const { document, confirmed } = await gcos.snapshots.capture({ kind: 'full' });
    expect(document.totals.objects).toBe(String(FULL_SIZE));
    expect(confirmed).toBe(true);
    expect(new Set(Object.values(document.groups).map((group) => group.source_registry)).size).toBe(78);
    // State is O(groups): six scopes per inventory group, independent of the number of births.
    const [rows] = await asHost(
      database.url,
      'select (select count(*)::int from governance_inventory) as inventory, (select count(*)::int from governance_group) as groups',
    );
    expect(rows).toEqual({ inventory: document.totals.groups, groups: document.totals.groups * 6 });
    evidence(`${some(FULL_SIZE, 'birth')}, ${some(document.totals.groups, 'fingerprint')}`);
  } finally {
    await gcos.close();
  }
});
