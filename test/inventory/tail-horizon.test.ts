// The horizon of the tail: which rows are older or newer, and how its age is monitored.
import { describe, expect, it } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import { watchTail } from '../../src/inventory/tail/index.js';
import { fragment } from '../support/sql.js';
import { bear, code, estate, host, tail, untilHorizonPasses, useTail } from '../support/tail.js';

useTail('started');

describe('the horizon', () => {
  const sinceHorizon = (horizon: string, upper: string) =>
    fragment('inventory/tail/births.sql', 'since_horizon', { horizon, upper });

  it('classifies every row as either older or newer', async () => {
    await bear(estate.url, [{ code: code() }]);
    const [row] = await host(`
      select count(*) filter (where ${sinceHorizon('x.lo', 'x.up')}) as since, count(*) filter (where not (${sinceHorizon('x.lo', 'x.up')})) as older,
        count(*) as births
      from birth_registry b
      cross join (select (select max(b.xmin::text::bigint)::text::xid8 from birth_registry b) as lo, pg_snapshot_xmax(pg_current_snapshot()) as up) as x`);
    expect(Number(row?.['since'])).toBeGreaterThan(0);
    expect(Number(row?.['older'])).toBeGreaterThan(0);
    expect(Number(row?.['since']) + Number(row?.['older'])).toBe(Number(row?.['births']));
  });

  it('is compared modulo 2³² in every epoch: recent rows are newer; old, frozen and distant rows are older', async () => {
    // Rows by their distance from the next transaction id, with a horizon 100 ids back, in epochs 0 to 3.
    const rows = await host(`
      with now as (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as x),
      b as (
        select d.name, case when d.xmin is not null then d.xmin else (((now.x - d.back) % 4294967296 + 4294967296) % 4294967296)::text::xid end as xmin
        from now, (values ('next', 0::bigint, null::xid), ('recent', 50, null), ('at the horizon', 100, null), ('before it', 101, null),
          ('half a round', 2147483000, null), ('frozen', 0, '2'::xid), ('bootstrap', 0, '1'::xid)) as d(name, back, xmin)
      )
      select e.epoch, b.name, ${sinceHorizon(
        '((now.x - 100 + e.epoch * 4294967296 + 4294967296)::text)',
        '((now.x + e.epoch * 4294967296)::text)',
      )} as since
      from b, now, generate_series(0, 3) as e(epoch)`);
    const since = rows.filter((row) => row['since']).map((row) => row['name'] as string);
    expect([...new Set(since)].sort()).toEqual(['at the horizon', 'next', 'recent']);
    expect(since).toHaveLength(12);
    expect(rows).toHaveLength(28);
  });

  it('is monitored: a transaction left open raises its age and the number of seen rows', async () => {
    await untilHorizonPasses(estate.url);
    await tail.wide();
    const readStatus = () =>
      tail.db.transaction({ isolation: 'read committed', readOnly: true }, async (tx) =>
        watchTail(tx, await readServerTime(tx)),
      );
    const before = await readStatus();
    expect(before).toMatchObject({ seenSize: 0n });
    const { default: pg } = await import('pg');
    const other = new pg.Client({ connectionString: estate.url });
    await other.connect();
    await other.query('begin; select pg_current_xact_id()');
    for (let each = 0; each < 4; each += 1) {
      await bear(estate.url, [{ code: code() }]);
      await tail.near();
      await tail.wide();
    }
    const whileOpen = await readStatus();
    await other.end();
    expect(whileOpen?.seenSize).toBe(4n);
    expect(whileOpen?.horizonAge).toBeGreaterThan(before?.horizonAge ?? 0n);
    expect(whileOpen?.horizonSeconds).toBeGreaterThan(0);
    await untilHorizonPasses(estate.url);
    await tail.wide();
    expect(await readStatus()).toMatchObject({ seenSize: 0n });
  });
});
