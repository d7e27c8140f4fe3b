// Every verdict says what it saw: its snapshot contains its group with the fingerprint it was decided on. A
// full scan captures at its start and decides under that snapshot.
import { beforeAll, expect, it } from 'vitest';
import { wrongCitations } from '../support/cited.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { catchUp } from '../support/from-scratch.js';
import { pruneAtOnce } from '../support/snapshots.js';

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('backfilled');
  return () => estate.close();
});

const host = (sql: string) => asHost(estate.url, sql);
const snapshots = async (where = 'true') =>
  Number(
    (
      await host(
        `select count(*)::int as n from evolution_snapshots where scope like 'governance.%' and ${where}`,
      )
    )[0]?.['n'],
  );
const citedBy = (collection: string) =>
  host(
    `select distinct e.scope, e.snapshot_at <= s.scan_time as before from governance_candidate_state s
     join governance_inventory i using (inventory_key) join evolution_snapshots e on e.id = s.source_snapshot_ref
     where i.source_registry = '${collection}' and s.row_state = 'active'`,
  );

it('holds after a backfill and a full scan, which decides under the snapshot that it captures first', async () => {
  expect(await wrongCitations(estate.url)).toEqual([]);
  const { runId } = await estate.gcos.scans.run({ mode: 'full' });
  expect(await wrongCitations(estate.url)).toEqual([]);
  const [run] = await host(
    `select r.source_snapshot_ref <> r.closing_snapshot_ref as two, e.snapshot_at <= r.started_at as first, e.metrics ->> 'phase' as phase
     from candidate_scan_run r join evolution_snapshots e on e.id = r.source_snapshot_ref where r.run_id = '${runId}'`,
  );
  expect(run).toEqual({ two: true, first: true, phase: 'opening' });
});

it('holds for a new group, which no earlier snapshot contains', async () => {
  await host(
    `insert into birth_registry (entity_code, collection_name, status) values ('NEW-1', 'never_seen_before', 'born'), ('NEW-2', 'dot_tools', 'born')`,
  );
  await estate.gcos.intakes.once();
  expect(await citedBy('never_seen_before')).toEqual([{ scope: 'governance.delta', before: true }]);
  expect(await wrongCitations(estate.url)).toEqual([]);
  await catchUp(estate.gcos);
  expect(await wrongCitations(estate.url)).toEqual([]);
});

it('writes no snapshot for new children of a container, whose verdict does not depend on them', async () => {
  await catchUp(estate.gcos);
  const before = await snapshots();
  await host(
    `insert into birth_registry (entity_code, collection_name, species_code, status, governance_role, dot_origin) select 'CHILD-' || n, b.collection_name, b.species_code, b.status, b.governance_role, b.dot_origin from generate_series(1, 50) n, (select * from birth_registry where collection_name = 'orders' and status = 'born' order by id limit 1) b`,
  );
  await catchUp(estate.gcos);
  expect(await snapshots()).toBe(before);
  expect(await wrongCitations(estate.url)).toEqual([]);
});

it('holds after deletions, changed members and owners, a quarantine and a ruleset', async () => {
  await host(
    `delete from birth_registry where (collection_name, entity_code) in (('dot_tools', 'NEW-2'), ('never_seen_before', 'NEW-1'));
     update birth_registry set status = 'retired' where id = (select min(id) from birth_registry where collection_name = 'dot_tools');
     update birth_registry set governance_role = null where id = (select max(id) from birth_registry where collection_name = 'articles' and entity_code not like 'CHILD%');
     update coverage_profile set ttl = ttl + interval '1 hour'`,
  );
  await catchUp(estate.gcos);
  expect(await wrongCitations(estate.url)).toEqual([]);
});

it('holds after the snapshots that verdicts refer to were deleted, and after pruning', async () => {
  // Leaves a tombstone, which no scan evaluates again.
  await host(
    `delete from birth_registry where id = (select max(id) from birth_registry where collection_name = 'dot_tools' and entity_code like 'DOT-%')`,
  );
  await catchUp(estate.gcos);
  await host(`delete from evolution_snapshots where scope like 'governance.%'`);
  await catchUp(estate.gcos);
  expect(await wrongCitations(estate.url)).toEqual([]);
  await estate.gcos.scans.run({ mode: 'full' });
  await pruneAtOnce(estate.url);
  await estate.gcos.snapshots.prune({ keep: 0 });
  expect(await wrongCitations(estate.url)).toEqual([]);
});

it('shows and verifies a snapshot of single groups', async () => {
  await host(
    `insert into birth_registry (entity_code, collection_name, status) values ('NEW-3', 'dot_tools', 'born')`,
  );
  await catchUp(estate.gcos);
  const { snapshots: list } = await estate.gcos.snapshots.list({ kind: 'delta' });
  const [delta] = list;
  expect(delta).toMatchObject({ kind: 'delta', inUse: true });
  expect(await estate.gcos.snapshots.verify(delta?.id ?? 0n)).toMatchObject({ intact: true, holds: true });
  const [audit] = await host(
    `select count(*)::int as n from registry_changelog where entity_type = 'governance_snapshot' and action = 'capture' and entity_code = '${delta?.id}'`,
  );
  expect(audit).toEqual({ n: 1 });
});
