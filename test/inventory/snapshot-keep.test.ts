// Retention of snapshots, privileges to capture and prune, and tables that neither changes.
import { describe, expect, it } from 'vitest';
import { asHost, openDatabase, urlAs } from '../support/database.js';
import { openAt } from '../support/estate.js';
import { capture } from '../support/inventory.js';
import { audits, estate, rows, useSnapshots } from '../support/snapshots.js';

useSnapshots();

describe('retention', () => {
  it('keeps snapshots in use, the last of each kind and the last N, and never prunes rows of the host', async () => {
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

describe('retention by kind', () => {
  it('keeps the last N of each kind, by a setting per kind, for kinds of any name, and audits the number', async () => {
    for (const kind of ['full', 'full', 'full', 'scan', 'scan', 'scan', 'backfill'] as const)
      await capture(estate.db, { kind });
    // A kind that this version does not write.
    await asHost(
      estate.url,
      `insert into evolution_snapshots (scope, metrics)
       select 'governance.other', metrics from evolution_snapshots s, generate_series(1, 3) where s.scope = 'governance.backfill'`,
    );
    const left = async () =>
      Object.fromEntries(
        (
          await asHost(
            estate.url,
            `select scope, count(*)::int as n from evolution_snapshots where scope like 'governance.%' group by 1 order by 1`,
          )
        ).map((row) => [row['scope'], row['n']]),
      );
    expect((await estate.gcos.snapshots.prune()).snapshots).toEqual([]);
    await asHost(
      estate.url,
      `update governance_setting set setting_value = '{"default": 2, "scan": 0}' where setting_key = 'snapshot.keep'`,
    );
    expect((await estate.gcos.snapshots.prune({ dryRun: true })).snapshots).toHaveLength(4);
    const { snapshots } = await estate.gcos.snapshots.prune();
    expect(snapshots.map((each) => each.kind).sort()).toEqual(['full', 'governance.other', 'scan', 'scan']);
    expect(await left()).toEqual({
      'governance.audit': 2,
      'governance.backfill': 1,
      'governance.other': 2,
      'governance.scan': 1,
    });
    expect((await audits('prune')).at(-1)).toMatchObject({
      detail: {
        snapshot_pruned: 4,
        by_scope: { 'governance.audit': 1, 'governance.other': 1, 'governance.scan': 2 },
      },
    });
    await estate.gcos.snapshots.prune({ keep: 1 });
    expect(Object.values(await left())).toEqual([1, 1, 1, 1]);
  });
});

describe('privileges', () => {
  it('the worker captures and cannot prune; the pruner prunes and cannot capture; neither can change a snapshot', async () => {
    const urlOf = (role: string) => urlAs(estate.url, role);
    const worker = openDatabase(urlOf('worker'));
    const captured = await capture(worker, { kind: 'full' });
    await worker.close();
    // The error names the privilege to capture, not the privilege to write a finding, which is missing too.
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
    await expect(as('worker', 'select * from gcos_prune_snapshots(0)')).rejects.toMatchObject(refused);
    await expect(as('api', 'select * from gcos_prune_snapshots(0)')).rejects.toMatchObject(refused);
    const append = (metrics: string, scope = 'governance.scan') =>
      `select gcos_append_snapshot('${scope}', '${metrics}', '{}', '')`;
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
    // Pruning through the SQL function is audited too.
    await capture(estate.db, { kind: 'full' });
    expect(await as('pruner', 'select snapshot_id from gcos_prune_snapshots(0)')).toHaveLength(1);
    expect(await audits('prune')).toMatchObject([
      { changed_by: 'gcos:gcos_pruner', detail: { snapshot_pruned: 1 } },
      { changed_by: 'gcos:gcos_pruner', detail: { snapshot_pruned: 1 } },
    ]);
  });

  it('uninstall keeps snapshots as history, and deletes them with `purge`', async () => {
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
