// Snapshots: seed 38 §38.10 tests 2, 6 and 7 (the halves that concern snapshots), failure, concurrency, retention, rights.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GcosError } from '../../src/index.js';
import { isFrozen, readInventory, type SnapshotDocument } from '../../src/inventory/snapshot/index.js';
import { asHost, openDatabase, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';
import { capture } from '../support/inventory.js';

const PASSWORD = 'only-for-this-test';
let estate: Estate;
beforeEach(async () => {
  estate = await createEstate('installed');
});
afterEach(() => estate.close());

const rows = () =>
  asHost(
    estate.url,
    "select id, scope, metrics, delta_previous, notes from evolution_snapshots where scope like 'governance.%' order by id",
  );
const findings = (type: string) =>
  asHost(
    estate.url,
    `select k.subject, i.status, i.occurrence_count as n, i.reopen_count as reopens from governance_finding_key k
     join system_issues i on i.id = k.issue_id where k.finding_type = '${type}' order by 1`,
  );
const audits = (action: string) =>
  asHost(
    estate.url,
    `select entity_code, alert_detail::jsonb as detail, changed_by from registry_changelog
     where entity_type = 'governance_snapshot' and action = '${action}' order by id`,
  );
const frozen = () => estate.db.transaction({ isolation: 'read committed' }, isFrozen);

describe('seed 38 §38.10', () => {
  it('test 2, targeted snapshot invalidation: one group gains rows, the next snapshot flags only that group', async () => {
    const first = await capture(estate.db, { kind: 'full' });
    expect(first.drift).toMatchObject({ previous: null, groups: [] });
    await asHost(
      estate.url,
      "insert into birth_registry (entity_code, collection_name, species_code) select 'NEW-' || n, 'venues', 'SP-PLACE' from generate_series(1, 7) n",
    );
    const second = await capture(estate.db, { kind: 'full' });
    const [group] = Object.entries(second.document.groups).filter(
      ([, each]) => each.source_registry === 'venues',
    );
    expect(second.drift.previous).toBe(String(first.id));
    expect(second.drift.groups).toEqual([
      {
        inventory_key: group?.[0],
        change: 'changed',
        count_delta: '7',
        grain_delta: '0',
        new_max_id: group?.[1].max_id,
        object_class: 'venue',
        source_registry: 'venues',
        axis_family: 'region',
        lifecycle_status: 'born',
      },
    ]);
    // Δ other groups = 0: their fingerprints are the same to the last digit.
    const others = ({ groups }: SnapshotDocument) =>
      Object.entries(groups).filter(([key]) => key !== group?.[0]);
    expect(others(second.document)).toEqual(others(first.document));
    expect(second.drift.unchanged).toBe(others(first.document).length);
    evidence(`snapshot ${second.id} names 1 of ${some(others(first.document).length + 1, 'group')}`);
    // What is stored is what was returned, and another kind has its own line of descent.
    const [, stored] = await rows();
    expect(stored).toMatchObject({
      scope: 'governance.audit',
      metrics: second.document,
      delta_previous: second.drift,
    });
    expect((await capture(estate.db, { kind: 'scan' })).drift.previous).toBeNull();
  });

  it('test 6, fail-closed: a missing source registry is unresolved and a finding, never an invented fingerprint', async () => {
    const { document } = await capture(estate.db, { kind: 'full' });
    const devices = Object.values(document.groups).filter((group) => group.source_registry === 'devices');
    expect(devices).toHaveLength(1);
    expect(devices[0]).toMatchObject({
      resolved: false,
      unresolved_reason: 'registry_missing',
      object_class: 'device',
    });
    // A class without births and without a registry has no group at all: there is nothing to fingerprint.
    expect(Object.values(document.groups).some((group) => group.object_class === 'sensor_feed')).toBe(false);
    const gaps = (await findings('backfill_inventory_gap')).map((row) => row['subject']);
    expect(gaps).toEqual([
      'articles:archive/2025',
      'device',
      'documents',
      'field_notes',
      'legacy_import',
      'old_taxonomy',
      'sensor_feed',
    ]);
    evidence(`${some(gaps.length, 'finding')} of registries that are not there`);
    // A registry that disappears: its groups become unresolved, and the drift says which.
    await asHost(estate.url, 'alter table route_registry rename to elsewhere');
    const without = await capture(estate.db, { kind: 'full' });
    expect(
      without.drift.groups.map((each) => [each.change, each.source_registry, each.lifecycle_status]).sort(),
    ).toEqual([
      ['added', 'route_registry', 'born'],
      ['removed', 'route_registry', 'active'],
      ['removed', 'route_registry', 'retired'],
    ]);
    expect(
      (await findings('backfill_inventory_gap')).find((row) => row['subject'] === 'route'),
    ).toMatchObject({ status: 'open' });
    // It comes back: so does the group, and the finding closes by itself.
    await asHost(estate.url, 'alter table elsewhere rename to route_registry');
    const back = await capture(estate.db, { kind: 'full' });
    expect(back.document.identity).toBe(document.identity);
    expect(
      (await findings('backfill_inventory_gap')).find((row) => row['subject'] === 'route'),
    ).toMatchObject({ status: 'resolved' });
  });

  it('test 6, fail-closed: two readings that differ leave no snapshot, raise a finding and freeze activation', async () => {
    expect(await frozen()).toBe(false);
    const refused = capture(estate.db, {
      kind: 'full',
      secondReader: async (tx, map, options) => {
        const inventory = await readInventory(tx, map, options);
        const [first, ...rest] = inventory.groups;
        return first === undefined
          ? inventory
          : { ...inventory, groups: [{ ...first, h2: first.h2 + 1n }, ...rest] };
      },
    });
    await expect(refused).rejects.toMatchObject({ code: 'snapshot_nondeterministic', exit: 2 });
    expect(await rows()).toEqual([]);
    expect(await findings('snapshot_nondeterministic')).toMatchObject([
      { subject: 'birth_registry', status: 'open' },
    ]);
    expect(await findings('snapshot_capture_failed')).toEqual([]);
    expect(await frozen()).toBe(true);
    // A snapshot that nobody confirmed proves nothing; one that was confirmed does.
    await capture(estate.db, { kind: 'scan' });
    expect(await frozen()).toBe(true);
    expect((await capture(estate.db, { kind: 'full' })).confirmed).toBe(true);
    expect(await frozen()).toBe(false);
    expect(await findings('snapshot_nondeterministic')).toMatchObject([{ status: 'resolved' }]);
  });

  it.each([
    ['in the middle', 10, 'venues'],
    ['in the middle', 11, 'dot_tools'],
    ['at the end', 30_000, 'venues'],
    ['at the end', 30_001, 'dot_tools'],
  ])(
    'test 6, fail-closed: an index that lost a row %s (%i, %s) is noticed, or the row is counted',
    async (_, id, collection) => {
      const whole = (is: boolean) =>
        `update pg_index set indisready = ${is}, indisvalid = ${is} where indexrelid = 'birth_registry_pkey'::regclass`;
      await asHost(estate.url, `delete from birth_registry where id = ${id}`);
      await asHost(estate.url, whole(false));
      await asHost(
        estate.url,
        `insert into birth_registry (id, entity_code, collection_name) values (${id}, 'LOST', '${collection}')`,
      );
      await asHost(estate.url, whole(true));
      const births = id > 20_000 ? '20001' : '20000';
      // Members may be read through another index, which is whole.
      const outcome = await capture(estate.db, { kind: 'full' }).then(
        ({ document }) => document.totals.objects,
        (error: GcosError) => error.code,
      );
      expect(['snapshot_nondeterministic', births]).toContain(outcome);
      await asHost(estate.url, 'reindex table birth_registry');
      expect(await capture(estate.db, { kind: 'full' })).toMatchObject({
        confirmed: true,
        document: { totals: { objects: births } },
      });
    },
  );

  it('test 7, audit completeness: one audit row per capture, and pruning logs its count', async () => {
    for (let n = 0; n < 4; n += 1) await capture(estate.db, { kind: 'full' });
    await capture(estate.db, { kind: 'scan' });
    const written = await rows();
    expect((await audits('capture')).map((row) => row['entity_code'])).toEqual(
      written.map((row) => String(row['id'])),
    );
    expect(await audits('prune')).toEqual([]);
    const wouldGo = await estate.gcos.snapshots.prune({ keep: 2, dryRun: true });
    expect(await rows()).toHaveLength(5);
    const pruned = await estate.gcos.snapshots.prune({ keep: 2 });
    expect(pruned.snapshots).toEqual(wouldGo.snapshots);
    expect(pruned.snapshots.map((each) => each.kind)).toEqual(['full', 'full', 'full']);
    expect((await rows()).map((row) => row['id'])).toEqual([written[3]?.['id'], written[4]?.['id']]);
    expect((await audits('prune')).map((row) => row['detail'])).toEqual([
      { snapshot_pruned: 3, keep: 2, ids: pruned.snapshots.map((each) => String(each.id)) },
    ]);
    evidence(`${some(written.length, 'capture')} and 1 prune of 3 audited`);
  });
});

describe('a capture that fails', () => {
  it('leaves no row, raises a finding, and the next one works and closes it', async () => {
    // The last thing a capture writes is refused: everything before it must be gone.
    await asHost(
      estate.url,
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is on fire'; end $$;
       create trigger refuse before insert on registry_changelog for each row
       when (new.entity_type = 'governance_snapshot') execute function refuse()`,
    );
    await expect(capture(estate.db, { kind: 'full' })).rejects.toMatchObject({ code: 'database_error' });
    expect(await rows()).toEqual([]);
    expect(await asHost(estate.url, 'select from governance_inventory')).toEqual([]);
    expect(await findings('snapshot_capture_failed')).toMatchObject([
      { subject: 'full', status: 'open', n: 1 },
    ]);
    await asHost(estate.url, 'drop trigger refuse on registry_changelog');
    await capture(estate.db, { kind: 'scan' });
    expect(await findings('snapshot_capture_failed')).toMatchObject([{ status: 'open' }]);
    await capture(estate.db, { kind: 'full' });
    expect(await findings('snapshot_capture_failed')).toMatchObject([{ status: 'resolved' }]);
  });

  it('that found another one at work fails cleanly, without a finding', async () => {
    const impatient = openDatabase(estate.url, { lockTimeoutMs: 100 });
    let refused: Promise<unknown> = Promise.resolve();
    await capture(estate.db, {
      kind: 'full',
      secondReader: async (tx, map, options) => {
        refused = expect(capture(impatient, { kind: 'scan' })).rejects.toMatchObject({
          code: 'snapshot_busy',
        });
        await refused;
        return readInventory(tx, map, options);
      },
    });
    await refused;
    await impatient.close();
    expect(await rows()).toHaveLength(1);
    expect(await findings('snapshot_capture_failed')).toEqual([]);
  });
});

describe('captures at the same moment', () => {
  it('come one after the other: each knows the one before, none is half written', async () => {
    const captured = await Promise.all([1, 2, 3].map(() => capture(estate.db, { kind: 'full' })));
    const written = await rows();
    expect(written).toHaveLength(3);
    // The drift of each is against the one directly before it.
    expect(written.map((row) => (row['delta_previous'] as { previous: string | null }).previous)).toEqual([
      null,
      String(written[0]?.['id']),
      String(written[1]?.['id']),
    ]);
    expect(new Set(captured.map((each) => each.document.identity)).size).toBe(1);
    expect(await audits('capture')).toHaveLength(3);
  });

  it('do not hold up births, nor what others write about groups', async () => {
    await capture(estate.db, { kind: 'full' });
    await capture(estate.db, {
      kind: 'full',
      secondReader: async (tx, map, options) => {
        await asHost(
          estate.url,
          `set lock_timeout = '1s'; insert into birth_registry (entity_code, collection_name) values ('LATE', 'venues');
           update governance_inventory set recompute_needed = true where source_registry = 'tags'`,
        );
        return readInventory(tx, map, options);
      },
    });
    // The birth came after what the snapshot saw: verifying says so.
    const late = await estate.gcos.snapshots.verify(BigInt((await rows())[1]?.['id'] as number));
    expect(late.drift.groups).toMatchObject([{ source_registry: 'venues', count_delta: '1' }]);
  });
});

describe('a new baseline', () => {
  it('is announced when the algorithm or the server changes, and is not a drift of everything', async () => {
    const first = await capture(estate.db, { kind: 'full' });
    await asHost(
      estate.url,
      `update evolution_snapshots set metrics = jsonb_set(jsonb_set(metrics, '{server,version_num}', '150004'),
         '{groups}', (select jsonb_object_agg(key, value || '{"h1": "1"}') from jsonb_each(metrics -> 'groups'))) where id = ${first.id}`,
    );
    await asHost(
      estate.url,
      "delete from birth_registry where collection_name = 'venues' and entity_code = 'VN-000001'",
    );
    const second = await capture(estate.db, { kind: 'full' });
    expect(second.drift.rebaseline).toBe('server 15 → 18');
    expect(second.drift.groups.map((each) => [each.source_registry, each.count_delta])).toEqual([
      ['venues', '-1'],
    ]);
    // A minor release changes no hash.
    await asHost(
      estate.url,
      `update evolution_snapshots set metrics = jsonb_set(metrics, '{server,version_num}', '180001') where id = ${second.id}`,
    );
    expect((await capture(estate.db, { kind: 'full' })).drift).toMatchObject({
      rebaseline: null,
      groups: [],
    });
  });
});

describe('drift', () => {
  it.each([
    ['inherits', 'false'],
    ['unresolved_reason', '"registry_missing"'],
  ])(
    'names a group whose %s changed and nothing else: identities differ, so must they',
    async (name, value) => {
      const { id, document } = await capture(estate.db, { kind: 'full' });
      const [key] =
        Object.entries(document.groups).find(([, each]) => each.source_registry === 'venues') ?? [];
      await asHost(
        estate.url,
        `update evolution_snapshots set metrics = jsonb_set(metrics, '{groups,${key},${name}}', '${value}') where id = ${id}`,
      );
      const { drift } = await capture(estate.db, { kind: 'full' });
      expect(drift.groups).toMatchObject([{ inventory_key: key, change: 'changed', count_delta: '0' }]);
    },
  );
});

describe('a snapshot that somebody changed into something else', () => {
  it('does not stop the next capture, which says that there was nothing to compare with', async () => {
    const { id } = await capture(estate.db, { kind: 'full' });
    await asHost(estate.url, `update evolution_snapshots set metrics = metrics - 'totals' where id = ${id}`);
    await expect(estate.gcos.snapshots.show(id)).rejects.toMatchObject({ code: 'snapshot_malformed' });
    const next = await capture(estate.db, { kind: 'full' });
    expect(next.drift).toMatchObject({ previous: null, groups: [] });
    expect(next.drift.rebaseline).toMatch(`snapshot ${id}: totals`);
    expect((await audits('capture'))[1]).toMatchObject({ detail: { rebaseline: next.drift.rebaseline } });
    expect((await capture(estate.db, { kind: 'full' })).drift).toMatchObject({
      previous: String(next.id),
      rebaseline: null,
    });
  });
});

describe('verify', () => {
  it('recomputes, names the groups that differ, and sees a snapshot that was altered', async () => {
    const { id } = await capture(estate.db, { kind: 'full', sealed: true });
    const { snapshots } = estate.gcos;
    expect(await snapshots.verify(id)).toMatchObject({ intact: true, holds: true });
    await asHost(estate.url, "update dot_tools set status = 'retired' where dot_code = 'DOT-001'");
    const moved = await snapshots.verify(id);
    expect(moved.holds).toBe(false);
    expect(
      moved.drift.groups
        .map((each) => [each.source_registry, each.lifecycle_status, each.grain_delta])
        .sort(),
    ).toEqual([
      ['dot_tools', 'active', '-1'],
      ['dot_tools', 'retired', '1'],
    ]);
    await asHost(
      estate.url,
      `update evolution_snapshots set metrics = jsonb_set(metrics, '{totals,objects}', '"5"') where id = ${id}`,
    );
    expect(await snapshots.verify(id)).toMatchObject({ intact: false });
    await expect(snapshots.verify(999_999n)).rejects.toMatchObject({ code: 'snapshot_unknown' });
    // The host's own snapshot is not one of GCOS's.
    await expect(snapshots.show(1n)).rejects.toMatchObject({ code: 'snapshot_unknown' });
  });
});

describe('retention', () => {
  it('keeps what the view names, the last of each kind and the last N; never a row that is not its own', async () => {
    const ids = [];
    for (const kind of ['backfill', 'full', 'full', 'scan', 'full'] as const)
      ids.push((await capture(estate.db, { kind })).id);
    await asHost(
      estate.url,
      `insert into evolution_snapshots (scope, metrics) values ('governance.audit', '{"by": "hand"}'), ('global', '{}');
       create or replace view v_governance_snapshot_in_use as select ${ids[1]}::bigint as snapshot_id`,
    );
    const pruned = await estate.gcos.snapshots.prune({ keep: 0 });
    expect(pruned.snapshots.map((each) => each.id)).toEqual([ids[2]]);
    const [left] = await asHost(estate.url, 'select count(*)::int as n from evolution_snapshots');
    expect(left?.['n']).toBe(4 + 3);
    expect(
      (await estate.gcos.snapshots.list({ limit: 2 })).snapshots.map((each) => [each.id, each.inUse]),
    ).toEqual([
      [ids[4], false],
      [ids[3], false],
    ]);
  });
});

describe('rights', () => {
  it('the worker captures and cannot prune; the pruner prunes and cannot capture; neither can change a snapshot', async () => {
    for (const role of ['worker', 'pruner', 'api', 'reader'])
      await asHost(estate.url, `alter role gcos_${role} password '${PASSWORD}'`);
    const urlOf = (role: string) => urlFor(estate.url, { user: `gcos_${role}`, password: PASSWORD });
    const worker = openDatabase(urlOf('worker'));
    const captured = await capture(worker, { kind: 'full' });
    await worker.close();
    // Whoever may not capture hears of that, not of the finding they may not write either.
    for (const role of ['api', 'pruner', 'reader']) {
      const db = openDatabase(urlOf(role));
      await expect(capture(db, { kind: 'full' }), role).rejects.toMatchObject({
        code: 'privilege_missing',
        message: expect.stringContaining('governance_inventory'),
      });
      await db.close();
    }
    expect((await audits('capture'))[0]).toMatchObject({
      entity_code: String(captured.id),
      changed_by: 'gcos:gcos_worker',
    });
    const refused = { code: '42501' };
    const as = (role: string, text: string) => asHost(urlOf(role), text);
    await expect(as('worker', 'select * from gcos_prune_snapshots(0, $$info$$)')).rejects.toMatchObject(
      refused,
    );
    await expect(as('api', 'select * from gcos_prune_snapshots(0, $$info$$)')).rejects.toMatchObject(refused);
    const append = (metrics: string, scope = 'governance.scan') =>
      `select gcos_append_snapshot('${scope}', now(), '${metrics}', '{}', '')`;
    const valid = '{"format": "gcos-snapshot/1", "groups": {}}';
    for (const role of ['api', 'pruner', 'reader'])
      await expect(as(role, append(valid)), role).rejects.toMatchObject(refused);
    for (const role of ['worker', 'pruner', 'api']) {
      await expect(as(role, "update evolution_snapshots set notes = 'x'")).rejects.toMatchObject(refused);
      await expect(as(role, 'delete from evolution_snapshots')).rejects.toMatchObject(refused);
    }
    await expect(as('worker', append('{"format": "other"}'))).rejects.toMatchObject({ code: '22023' });
    await expect(as('worker', append(valid, 'global'))).rejects.toMatchObject({ code: '22023' });
    await capture(estate.db, { kind: 'full' });
    const pruner = await openAt(urlOf('pruner'));
    const { snapshots: pruned } = await pruner.snapshots.prune({ keep: 0 });
    await pruner.close();
    expect(pruned).toEqual([{ id: captured.id, kind: 'full' }]);
    // Nor can it be done silently, past the command.
    await capture(estate.db, { kind: 'full' });
    expect(await as('pruner', 'select snapshot_id from gcos_prune_snapshots(0, $$info$$)')).toHaveLength(1);
    expect(await audits('prune')).toMatchObject([
      { changed_by: 'gcos:gcos_pruner', detail: { snapshot_pruned: 1 } },
      { changed_by: 'gcos:gcos_pruner', detail: { snapshot_pruned: 1 } },
    ]);
  });

  it('uninstall leaves snapshots as history, and purges them when asked', async () => {
    await capture(estate.db, { kind: 'full' });
    await estate.gcos.uninstall();
    expect(await rows()).toHaveLength(1);
    await estate.gcos.init();
    await estate.gcos.uninstall({ purge: true });
    expect(await asHost(estate.url, 'select scope from evolution_snapshots')).toEqual([{ scope: 'global' }]);
  });
});

describe('laws', () => {
  it('are byte-identical across captures and prunes', async () => {
    const hash = () =>
      Promise.all(
        ['normative_registry', 'law_catalog', 'governance_docs'].map((table) =>
          asHost(estate.url, `select md5(string_agg(t::text, '|' order by t::text)) as h from ${table} t`),
        ),
      );
    const before = await hash();
    await capture(estate.db, { kind: 'full' });
    await estate.gcos.snapshots.prune({ keep: 0 });
    expect(await hash()).toEqual(before);
  });
});
