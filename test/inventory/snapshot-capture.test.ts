// Capturing: a failed capture leaves no rows, concurrent captures run one by one, and no writer waits.
import { describe, expect, it } from 'vitest';
import { readInventory } from '../../src/inventory/snapshot/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { capture } from '../support/inventory.js';
import { audits, estate, findings, rows, useSnapshots } from '../support/snapshots.js';

useSnapshots();

describe('a capture that fails', () => {
  it('leaves no row and raises a finding, which the next capture of that kind resolves', async () => {
    // The trigger refuses the last row that a capture writes: all earlier writes must be rolled back.
    await asHost(
      estate.url,
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$;
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

  it('because another capture is running reports snapshot_busy, without a finding', async () => {
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

describe('concurrent captures', () => {
  it('run one after the other: each is compared with the one before it', async () => {
    const captured = await Promise.all([1, 2, 3].map(() => capture(estate.db, { kind: 'full' })));
    const written = await rows();
    expect(written).toHaveLength(3);
    expect(written.map((row) => (row['delta_previous'] as { previous: string | null }).previous)).toEqual([
      null,
      String(written[0]?.['id']),
      String(written[1]?.['id']),
    ]);
    expect(new Set(captured.map((each) => each.document.identity)).size).toBe(1);
    expect(await audits('capture')).toHaveLength(3);
  });

  it('block neither births nor other writes to groups', async () => {
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
    // The birth is not in the snapshot, and verifying reports it as drift.
    const late = await estate.gcos.snapshots.verify(BigInt((await rows())[1]?.['id'] as number));
    expect(late.drift.groups).toMatchObject([{ sourceRegistry: 'venues', countDelta: '1' }]);
  });
});
