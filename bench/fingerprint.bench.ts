// Measures the fingerprint of the full estate after VACUUM, against a plain count grouped by the columns that
// name a group, and against the ordered digest that the fingerprint replaces.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../src/db/index.js';
import { buildEstate, FULL_SIZE } from '../src/demo/index.js';
import { readClassMap } from '../src/inventory/group/index.js';
import { readInventory } from '../src/inventory/snapshot/index.js';
import { asHost, openDatabase } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { median, report, timed } from './measure.js';

const ROUNDS = 5;
const NAMES = 'collection_name, species_code, status';
const PLAIN = `select ${NAMES}, count(*), max(id), max(born_at) from birth_registry group by ${NAMES}`;
const ORDERED = `select ${NAMES}, md5(string_agg(entity_code, '' order by id)) from birth_registry group by ${NAMES}`;
let server: TestServer;
let db: Database;
beforeAll(async () => {
  server = await startServer();
  db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, {});
  await asHost(server.url, 'vacuum analyze birth_registry');
  const gcos = await openAt(server.url);
  await gcos.init();
  await gcos.close();
});
afterAll(async () => {
  await db?.close();
  await server?.stop();
});

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const time = (sql: string) =>
  db.transaction(READ_ONLY, async (tx) => {
    await tx.script("set local work_mem = '64MB'");
    return timed(() => tx.script(sql));
  });
/** Includes both statements, the first and last id, and the merge of groups; excludes the catalogue. */
const fingerprint = () =>
  db.transaction(READ_ONLY, async (tx) => {
    const map = await readClassMap(tx, db.schema);
    return timed(() => readInventory(tx, map, { limitMs: 5_000 }));
  });

it('costs at most 1.6 × a plain count over the same grouping, and at most a fifth of an ordered digest', async () => {
  const runs = {
    plain: () => time(PLAIN),
    fingerprint,
    ordered: () => time(ORDERED),
  };
  const times: Record<keyof typeof runs, number[]> = {
    plain: [],
    fingerprint: [],
    ordered: [],
  };
  for (const run of Object.values(runs)) await run();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, run] of Object.entries(runs)) times[name as keyof typeof runs].push(await run());
  const measured = { what: 'fingerprint of every inventory group', ms: median(times.fingerprint) };
  const title = `${FULL_SIZE.toLocaleString('en-US')} births, median of ${ROUNDS}`;
  const plain = report(
    title,
    measured,
    { what: `count(*), max(id), max(born_at) by ${NAMES}`, ms: median(times.plain) },
    1.6,
  );
  const ordered = report(
    title,
    measured,
    { what: 'md5(string_agg(entity_code order by id))', ms: median(times.ordered) },
    0.2,
  );
  expect(ordered).toBeLessThanOrEqual(0.2);
  expect(plain).toBeLessThanOrEqual(1.6);
});
