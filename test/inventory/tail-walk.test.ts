// A walk over all births: pages without gap or overlap, halved when the server ends one at the time limit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IdRange } from '../../src/inventory/snapshot/index.js';
import { holdMsFor } from '../../src/inventory/tail/compare.js';
import { walkBirths } from '../../src/inventory/tail/index.js';
import { rowsIn } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('host');
});
afterAll(() => estate?.close());

const READ = { isolation: 'repeatable read', readOnly: true } as const;

describe('a walk over all births', () => {
  it('reads each birth in one page, whatever the time limit allows', () =>
    estate.db.transaction({ ...READ, statementTimeoutMs: 200 }, async (tx) => {
      const births = Number((await rowsIn(tx, 'select count(*) from birth_registry'))[0]?.['count']);
      const pages: (IdRange & { births: number })[] = [];
      const seen: bigint[] = [];
      await walkBirths(tx, { onPage: (count) => seen.push(count) }, async ({ first, last }) => {
        const [page] = await rowsIn(
          tx,
          `select count(*) as births from birth_registry where id >= ${first} and id <= ${last}`,
        );
        const found = Number(page?.['births']);
        // The server ends a page of more births.
        await tx.script(`select pg_sleep(case when ${found} > 3000 then 60 else 0 end)`);
        return () => pages.push({ first, last, births: found });
      });
      expect(pages.reduce((sum, page) => sum + page.births, 0)).toBe(births);
      expect(pages.length).toBeGreaterThanOrEqual(Math.ceil(births / 3_000));
      for (const [index, page] of pages.entries())
        expect(page.first).toBe(index === 0 ? -(1n << 63n) : (pages[index - 1]?.last ?? 0n) + 1n);
      expect(seen.at(-1)).toBe(BigInt(births));
    }));

  it('fails if a single birth takes too long, and without one snapshot', async () => {
    const slow = estate.db.transaction({ ...READ, statementTimeoutMs: 50 }, (tx) =>
      walkBirths(tx, { pageSize: 4 }, async () => {
        await tx.script('select pg_sleep(60)');
        return () => undefined;
      }),
    );
    await expect(slow).rejects.toMatchObject({ code: 'statement_timeout' });
    const loose = estate.db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
      walkBirths(tx, {}, async () => () => undefined),
    );
    await expect(loose).rejects.toMatchObject({ code: 'tail_isolation' });
  });
});

describe('a comparison with the independent recount', () => {
  it('may hold its snapshot for longer where there are more births', () => {
    expect(holdMsFor(0n)).toBe(60_000);
    // Eighty million births took a minute to read on two cores.
    expect(holdMsFor(80_000_000n)).toBeGreaterThan(4 * 60_000);
  });
});
