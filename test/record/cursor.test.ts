// Cursors move forward only. Positions compare by their type, and a refused move back is noted until the
// cursor moves forward again.
import { describe, expect, it } from 'vitest';
import { advance, type Lease, readCursors, reportFault, resetCursor } from '../../src/record/cursor/index.js';
import { setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import {
  AT,
  committed,
  cursorOf,
  db,
  estate,
  source,
  take,
  useWorkerLogin,
  workerUrl,
} from '../support/leased.js';

useWorkerLogin();

const move = (lease: Lease, watermark: string, round = 'main') =>
  lease.work(committed, (tx) => advance(tx, lease, round, { watermark }));
const watermark = async (lease: Lease, round = 'main') => (await cursorOf(lease, round)).watermark;

describe('watermarks', () => {
  it('compare integers as integers: "10" is after "9"', async () => {
    const lease = await take();
    for (const id of ['-3', '9', '10', '10', '99', '100', '9223372036854775808']) await move(lease, id);
    expect(await watermark(lease)).toEqual('9223372036854775808');
    await expect(move(lease, '9')).rejects.toMatchObject({
      code: 'cursor_watermark_regression',
      exit: 1,
    });
    expect(await watermark(lease)).toEqual('9223372036854775808');
  });

  it('compare uuids in uuid order, in any case', async () => {
    const lease = await take({ rounds: [{ round: 'main', idType: 'uuid' }] });
    await move(lease, '0A000000-0000-4000-8000-000000000000');
    await move(lease, 'a9000000-0000-4000-8000-000000000000');
    await expect(move(lease, '9f000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      code: 'cursor_watermark_regression',
    });
    await move(lease, 'B0000000-0000-4000-8000-000000000000');
    expect(await watermark(lease)).toEqual('b0000000-0000-4000-8000-000000000000');
  });

  it('are refused before they are stored if they are not an id of the source', async () => {
    const lease = await take();
    for (const bad of ['yesterday', '', '1; drop table', '0a000000-0000-4000-8000-000000000000'])
      await expect(move(lease, bad)).rejects.toMatchObject({ code: 'cursor_watermark_invalid', exit: 3 });
    expect(await watermark(lease)).toEqual(null);
    await expect(take({ rounds: [{ round: 'main', idType: 'uuid' }], source: 'NO' })).rejects.toMatchObject({
      code: 'worker_invalid',
    });
  });

  it('refuse a horizon that moves back; omitted fields stay unchanged', async () => {
    const lease = await take({ rounds: [{ round: 'wide', idType: 'integer' }] });
    const go = (horizon: string) =>
      lease.work(committed, (tx) => advance(tx, lease, 'wide', { horizon, eventsSeen: 3 }));
    await go('4294967296');
    await go('4294967297');
    await expect(go('4294967295')).rejects.toMatchObject({ code: 'cursor_watermark_regression' });
    await setClock(estate.url, { at: AT });
    await lease.work(committed, (tx) =>
      advance(tx, lease, 'wide', { phase: 'tailing', summary: { groups: 2 }, attemptsWritten: 1 }),
    );
    const [cursor] = await db.transaction(committed, (tx) => readCursors(tx, { worker: 'tester', source }));
    expect(cursor).toMatchObject({
      horizon: '4294967297',
      eventsSeen: 6n,
      attemptsWritten: 1n,
      phase: 'tailing',
      lastRunAt: '2026-06-01 12:00:00+00',
      lastRunSummary: { groups: 2 },
    });
  });
});

describe('a refused move back', () => {
  it('clears a noted regression only when the watermark moves forward, regardless of the metadata', async () => {
    const lease = await take({ worker: 'guarded' });
    const go = (progress: Parameters<typeof advance>[3]) =>
      lease.work(committed, (tx) => advance(tx, lease, 'main', progress));
    const open = async () => {
      await estate.gcos.supervise();
      const rows = await asHost(
        estate.url,
        `select count(*)::int as n from system_issues where source_system = 'gcos' and issue_type = 'cursor_watermark_regression' and status <> 'resolved'`,
      );
      return rows[0]?.['n'];
    };
    await go({ watermark: '9', horizon: '5', metadata: { kept: 1 } });
    const refused = await go({ watermark: '8' }).catch((error: unknown) => error);
    await reportFault({ db }, lease, refused);
    expect(await open()).toBe(1);
    const noted = await cursorOf(lease);
    expect(noted.regressedAt).not.toBeNull();
    expect(noted.metadata).toEqual({ kept: 1 });
    await go({ eventsSeen: 0 });
    await go({ watermark: '9', horizon: '6' });
    expect(await open()).toBe(1);
    await go({ watermark: '10' });
    expect(await open()).toBe(0);
    // Metadata from the time of the regression does not restore it.
    await go({ metadata: noted.metadata });
    await go({ metadata: { ...noted.metadata, regressed_at: AT } });
    expect((await cursorOf(lease)).regressedAt).toBeNull();
    expect(await open()).toBe(0);
  });

  it('clears a noted regression of a cursor without watermark when its horizon moves forward', async () => {
    const lease = await take({ worker: 'guarded' });
    const go = (horizon: string) => lease.work(committed, (tx) => advance(tx, lease, 'main', { horizon }));
    await go('5');
    const refused = await go('4').catch((error: unknown) => error);
    await reportFault({ db }, lease, refused);
    await go('5');
    expect((await cursorOf(lease)).regressedAt).not.toBeNull();
    await go('6');
    expect((await cursorOf(lease)).regressedAt).toBeNull();
  });
});

describe('a reset', () => {
  it('moves a cursor back, writes an audit row and ends the current lease', async () => {
    const lease = await take();
    await move(lease, '100');
    const to = { worker: 'tester', source, round: 'main', reason: 'a restored backup' };
    await db.transaction(committed, (tx) => resetCursor(tx, { ...to, watermark: '40' }));
    expect(await watermark(lease)).toEqual('40');
    await expect(move(lease, '101')).rejects.toMatchObject({ code: 'lease_lost' });
    const audit = await asHost(
      estate.url,
      `select entity_type, action, alert_detail from registry_changelog where entity_code = 'tester/${source}/main'`,
    );
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({ entity_type: 'governance_cursor', action: 'replay' });
    expect(JSON.parse(audit[0]?.['alert_detail'] as string)).toMatchObject({
      reason: 'a restored backup',
      from: { id: '100' },
      to: { id: '40' },
    });
    // The reset released the lease: the next holder need not wait. The holder itself may reset and go on.
    const next = await take({ holder: 'two' });
    expect(next.fence).toBeGreaterThan(lease.fence);
    await next.work(committed, async (tx) => {
      await resetCursor(tx, { ...to, watermark: null, lease: next });
      await advance(tx, next, 'main', { watermark: '1' });
    });
    await expect(
      db.transaction(committed, (tx) => resetCursor(tx, { ...to, round: 'none', watermark: null })),
    ).rejects.toMatchObject({ code: 'cursor_unknown', exit: 3 });
  });

  it('is audited by the database itself; a refused reset leaves the lease unchanged', async () => {
    const lease = await take({ worker: 'guarded' });
    await lease.work(committed, (tx) => advance(tx, lease, 'main', { watermark: '9' }));
    await asHost(
      workerUrl,
      `select gcos_reset_cursor('guarded', '${source}', 'main', null, '4', '77', 'by hand')`,
    );
    const audit = await asHost(
      estate.url,
      `select entity_type, action, changed_by, alert_detail from registry_changelog where entity_code = 'guarded/${source}/main'`,
    );
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({ entity_type: 'governance_cursor', action: 'replay' });
    expect(audit[0]?.['changed_by']).toMatch(/^gcos:p_\w+_worker$/);
    expect(JSON.parse(audit[0]?.['alert_detail'] as string)).toEqual({
      reason: 'by hand',
      from: { id: '9', horizon: null },
      to: { id: '4', horizon: '77' },
    });
    const next = await take({ worker: 'guarded' });
    await expect(
      asHost(workerUrl, `select gcos_reset_cursor('guarded', '${source}', 'none', null, null, null, 'x')`),
    ).rejects.toMatchObject({ code: 'UG003' });
    await expect(
      asHost(workerUrl, `select gcos_reset_cursor('guarded', '${source}', 'main', null, null, null, ' ')`),
    ).rejects.toMatchObject({ code: '22023' });
    await next.renew();
  });
});
