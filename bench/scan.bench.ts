// Measures scans of the full estate against their lower bounds and against each other: no dirty group, one,
// ten, a hundred, all; and ten dirty groups in a tenth of the inventory.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate, FULL_SIZE } from '../src/demo/index.js';
import type { Gcos } from '../src/index.js';
import { readClassMap } from '../src/inventory/group/index.js';
import { readInventory } from '../src/inventory/snapshot/index.js';
import { asHost, openDatabase } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { keepRulesInForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { median, report, timed } from './measure.js';

interface Rounds {
  /** Rounds that warm up: in production, the server has cached the plans and the code is compiled. */
  readonly before: number;
  readonly counted: number;
}
const LONG: Rounds = { before: 0, counted: 5 };
const SHORT: Rounds = { before: 6, counted: 5 };
/** Times of a few milliseconds vary by more than their length. */
const SHORTEST: Rounds = { before: 30, counted: 25 };

interface Place {
  readonly server: TestServer;
  readonly gcos: Gcos;
}
let large: Place;
let small: Place;

/** Builds an estate with detectors disabled, and scans everything once. */
async function prepare(rows: number): Promise<Place> {
  const server = await startServer({ settings: { max_connections: '50' } });
  const db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, { rows });
  await db.close();
  await asHost(server.url, 'update measurement_registry set enabled = false');
  await asHost(server.url, 'vacuum analyze');
  const gcos = await openAt(server.url);
  await gcos.init();
  await keepRulesInForce(gcos);
  await gcos.backfills.run({});
  await gcos.scans.run({ mode: 'full' });
  await asHost(server.url, 'vacuum analyze');
  return { server, gcos };
}

beforeAll(async () => {
  large = await prepare(FULL_SIZE);
  small = await prepare(Math.round(FULL_SIZE / 10));
});
afterAll(async () => {
  for (const place of [large, small]) {
    await place?.gcos.close();
    await place?.server.stop();
  }
});

async function several(work: () => Promise<number>, { before, counted }: Rounds = LONG): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < before; round += 1) await work();
  for (let round = 0; round < counted; round += 1) times.push(await work());
  return median(times);
}

/** Marks `count` groups dirty, for a reason that requires evaluation, and scans them. */
const scanDirty = ({ server, gcos }: Place, count: number): Promise<number> =>
  several(
    async () => {
      await asHost(
        server.url,
        `update governance_candidate_state c
       set dirty = true, dirty_reason = 'handoff:authority_changed', dirtied_at = now() - interval '1 hour'
       from (select row_id from governance_candidate_state where row_state = 'active' order by md5(group_key) limit ${count}) m
       where c.row_id = m.row_id`,
      );
      return timed(() => gcos.scans.run({ mode: 'incremental' }));
    },
    count > 10 ? SHORT : SHORTEST,
  );

const WRITTEN = [
  'governance_candidate_state',
  'governance_candidate_object',
  'governance_group',
  'governance_inventory',
  'system_issues',
  'registry_changelog',
];

it('takes time in proportion to the number of dirty groups', async () => {
  const { server, gcos } = large;
  const db = openDatabase(server.url);
  const empty = await several(
    () =>
      timed(() =>
        db.transaction({ isolation: 'read committed' }, (tx) =>
          tx.script(`insert into candidate_scan_run (run_id, kind, mode, status, started_at, counts)
          values ('empty-' || gen_random_uuid(), 'scan', 'event', 'running', now(), '{}')`),
        ),
      ),
    SHORTEST,
  );
  await asHost(server.url, `delete from candidate_scan_run where run_id like 'empty-%'`);
  const versions = WRITTEN.map(
    (table) => `select '${table}' as t, count(*)::int as n, max(xmin::text::bigint)::text as x from ${table}`,
  ).join(' union all ');
  const before = await asHost(server.url, `${versions} order by t`);
  const idle = await several(() => timed(() => gcos.scans.run({ mode: 'incremental' })), SHORTEST);
  expect(await asHost(server.url, `${versions} order by t`)).toEqual(before);
  const aggregate = await several(() =>
    db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
      const map = await readClassMap(tx, db.schema);
      return timed(() => readInventory(tx, map, { limitMs: 5_000 }));
    }),
  );
  await db.close();
  const full = await several(() => timed(() => gcos.scans.run({ mode: 'full' })));
  const one = await scanDirty(large, 1);
  const ten = await scanDirty(large, 10);
  const hundred = await scanDirty(large, 100);
  const all = await scanDirty(large, 1_000);
  const tenInSmall = await scanDirty(small, 10);
  const tenInLarge = await scanDirty(large, 10);
  const title = `${FULL_SIZE.toLocaleString('en-US')} births, median of ${LONG.counted}, or of ${SHORTEST.counted} for times of milliseconds`;
  const what = (name: string, ms: number) => ({ what: name, ms });
  const fullScan = what('a full scan, detectors disabled', full);
  const ratios = [
    [report(title, what('nothing to do', idle), what('an empty transaction with a run', empty), 40), 40],
    [report(title, what('1 dirty group', one), fullScan, 0.05), 0.05],
    [report(title, what('100 dirty groups', hundred), what('10', ten), 12), 12],
    [report(title, what('1,000 dirty groups, or all', all), what('100', hundred), 12), 12],
    [
      report(
        title,
        what('10 dirty groups', tenInLarge),
        what('10 in a tenth of the inventory', tenInSmall),
        1.2,
      ),
      1.2,
    ],
    [report(title, fullScan, what('one full aggregate', aggregate), 20), 20],
  ] as const;
  for (const [ratio, goal] of ratios) expect(ratio).toBeLessThanOrEqual(goal);
});
