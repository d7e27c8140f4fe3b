// The plans that keep the rounds of the tail cheap.
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../src/db/index.js';
import { insertSeenNear, nearRows, nearRuns, nearSums } from '../../src/inventory/tail/near.sql.js';
import { olderSums, sweepPage, wideRows, wideRowsIn } from '../../src/inventory/tail/source.sql.js';
import { withLiterals } from '../support/sql.js';
import { host, useTail } from '../support/tail.js';

useTail('started');

describe('plans', () => {
  async function explain<P>(
    statement: Statement<P>,
    literals: Partial<Record<keyof P & string, string>>,
  ): Promise<string> {
    const rows = await host(`explain ${withLiterals(statement, literals)}`);
    return rows.map((row) => row['QUERY PLAN'] as string).join('\n');
  }

  it('a near round uses the primary key, also for gaps', async () => {
    await host(
      `analyze; insert into gov_intake_gap select 'birth_registry', 1000000 + g * 100, 1000000 + g * 100 + 50, 1 from generate_series(1, 900) g`,
    );
    for (const analyze of ['select 1', 'analyze gov_intake_gap']) {
      await host(analyze);
      const births = {
        ...{ first: '19000', last: '19900', gapFirst: "'{100,300}'", gapLast: "'{120,310}'", most: '200001' },
        ...{ source: "'birth_registry'", collections: "array['dot_tools']", nextXid: '900', limit: '10001' },
      };
      const plans = [
        await explain(nearRuns, { source: "'birth_registry'", maxId: '19000', limit: '10001' }),
        await explain(nearSums, births),
        await explain(nearRows, births),
        await explain(insertSeenNear, births),
      ];
      for (const plan of plans) {
        expect(plan).not.toMatch(/Seq Scan on birth_registry/);
        expect(plan.match(/Index (Only )?Scan using birth_registry_pkey/g)).toHaveLength(2);
      }
    }
  });

  it('a wide round is one sequential scan, independent of the number of seen rows', async () => {
    const values = {
      ...{ source: "'birth_registry'", horizon: "'700'", upper: "'900'", nextXid: '900' },
      ...{ limit: '10001', countUpTo: '100000' },
    };
    for (const seen of [0, 30_000]) {
      await host(
        `delete from gov_intake_seen; insert into gov_intake_seen select 'birth_registry', g, 800 from generate_series(1, ${seen}) g; analyze gov_intake_seen`,
      );
      const plan = await explain(wideRows, values);
      expect(plan.match(/Seq Scan on birth_registry/g)).toHaveLength(1);
      expect(plan).not.toMatch(/birth_registry_pkey/);
    }
    const ranges = await explain(wideRowsIn, { ...values, first: '3', last: '9' });
    expect(ranges).toMatch(/Tid Range Scan on birth_registry/);
  });

  it('a sweep uses the primary key', async () => {
    const page = await explain(sweepPage, { after: '100', limit: '500' });
    expect(page).toMatch(/Index (Only )?Scan using birth_registry_pkey/);
    const sums = await explain(olderSums, {
      ...{ after: '100', last: '600', horizon: "'700'", upper: "'900'" },
      ...{ collections: "array['dot_tools']", except: "'{}'" },
    });
    expect(sums).toMatch(/Scan using birth_registry_pkey|Bitmap Index Scan on birth_registry_pkey/);
  });
});
