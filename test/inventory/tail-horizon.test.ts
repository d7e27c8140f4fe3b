// The horizon of the tail: on which side of it a row is, and how its age is watched.
import { describe, expect, it } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import { watchTail } from '../../src/inventory/tail/index.js';
import { fragment } from '../support/sql.js';
import { bear, code, estate, host, tail, untilHorizonPasses, useTail } from '../support/tail.js';

useTail('started');

describe('the horizon', () => {
  const sinceHorizon = (horizon: string, upper: string) =>
    fragment('inventory/tail/births.sql', 'since_horizon', { horizon, upper });

  it('puts every row on exactly one side', async () => {
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

  it('is read modulo 2³², whatever the epoch: recent rows are since, old, frozen and far ones are older', async () => {
    // Rows by their distance from the next transaction, under horizons 100 back, in epochs 0 to 3.
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

  it('is watched: a transaction left open elsewhere shows in its age and in the list of seen rows', async () => {
    await untilHorizonPasses(estate.url);
    await tail.wide();
    const look = () =>
      tail.db.transaction({ isolation: 'read committed', readOnly: true }, async (tx) =>
        watchTail(tx, await readServerTime(tx)),
      );
    const calm = await look();
    expect(calm).toMatchObject({ seenSize: 0n });
    const { default: pg } = await import('pg');
    const other = new pg.Client({ connectionString: estate.url });
    await other.connect();
    await other.query('begin; select pg_current_xact_id()');
    for (let each = 0; each < 4; each += 1) {
      await bear(estate.url, [{ code: code() }]);
      await tail.near();
      await tail.wide();
    }
    const held = await look();
    await other.end();
    expect(held?.seenSize).toBe(4n);
    expect(held?.horizonAge).toBeGreaterThan(calm?.horizonAge ?? 0n);
    expect(held?.horizonSeconds).toBeGreaterThan(0);
    await untilHorizonPasses(estate.url);
    await tail.wide();
    expect(await look()).toMatchObject({ seenSize: 0n });
  });
});
