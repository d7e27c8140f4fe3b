// The audit channel: GCOS appends only rows of its own kinds, and names its login in each row.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUDIT_KINDS, type AuditRow, appendAudit } from '../../src/host/index.js';
import { asHost, openDatabase, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

describe('audit rows', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
  });
  afterEach(() => estate.close());
  const workerUrl = () => urlAs(estate.url, 'worker');

  const append = async (rows: readonly AuditRow[]) => {
    const db = openDatabase(workerUrl());
    await db.transaction({ isolation: 'read committed' }, (tx) => appendAudit(tx, rows));
    await db.close();
  };

  it('of workers are appended for their kinds, with the login', async () => {
    const rows = Object.entries(AUDIT_KINDS).flatMap(([entityType, actions]) =>
      actions.map((action) => ({ entityType, action, entityCode: 'x', detail: { count: 1 } }) as AuditRow),
    );
    await append(rows);
    const written = await asHost(
      estate.url,
      "select entity_type, action, changed_by from registry_changelog where entity_code = 'x' and changed_by like 'gcos:%'",
    );
    expect(written).toHaveLength(rows.length);
    expect(new Set(written.map((row) => row['changed_by']))).toEqual(new Set(['gcos:gcos_worker']));
  });

  it('of other kinds are refused, and a worker cannot write to the table directly', async () => {
    const call = (type: string, action: string) =>
      asHost(
        workerUrl(),
        `select gcos_audit_work(array[${type}], array['x'], array[${action}], array['{}'])`,
      );
    await expect(call("'law_catalog'", "'delete'")).rejects.toMatchObject({ code: '22023' });
    await expect(call("'governance_snapshot'", "'delete'")).rejects.toMatchObject({ code: '22023' });
    await expect(call('null', 'null')).rejects.toMatchObject({ code: '22023' });
    const unequalLengths =
      "select gcos_audit_work(array['governance_snapshot'], array['a', 'b'], array['capture'], array['x', 'y'])";
    await expect(asHost(workerUrl(), unequalLengths)).rejects.toMatchObject({ code: '22023' });
    await expect(asHost(workerUrl(), "update registry_changelog set action = 'x'")).rejects.toMatchObject({
      code: '42501',
    });
    await expect(
      asHost(workerUrl(), 'insert into registry_changelog (entity_type) values (null)'),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('stay as history after uninstall, unless purged', async () => {
    const count = async () =>
      (
        await asHost(
          estate.url,
          "select count(*)::int as n from registry_changelog where changed_by like 'gcos:%'",
        )
      )[0]?.['n'];
    await append([{ entityType: 'governance_snapshot', action: 'capture', entityCode: 'x', detail: {} }]);
    const before = await count();
    expect(before).toBeGreaterThan(0);
    await estate.gcos.uninstall();
    expect(await count()).toBe(before);
    await estate.gcos.init();
    await estate.gcos.uninstall({ purge: true });
    expect(await count()).toBe(0);
  });
});
