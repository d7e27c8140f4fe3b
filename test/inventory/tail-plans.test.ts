// The plans that keep the rounds of the tail cheap.
import { describe, expect, it } from 'vitest';
import { tailStatements } from '../../src/inventory/index.js';
import { host, useTail } from '../support/tail.js';

useTail('started');

describe('plans', () => {
  const explain = async (name: string, values: readonly string[]): Promise<string> => {
    const found = tailStatements.find((each) => each.name === name);
    const text = (found?.text ?? '').replaceAll(
      /\$(\d+)/g,
      (_, n: string) => values[Number(n) - 1] ?? 'null',
    );
    const rows = await host(`explain ${text}`);
    return rows.map((row) => row['QUERY PLAN'] as string).join('\n');
  };

  it('a near round goes through the primary key, gaps included', async () => {
    await host(
      `analyze; insert into gov_intake_gap select 'birth_registry', 1000000 + g * 100, 1000000 + g * 100 + 50, 1 from generate_series(1, 900) g`,
    );
    for (const analyze of ['select 1', 'analyze gov_intake_gap']) {
      await host(analyze);
      const births = ['19000', '19900', "'{100,300}'", "'{120,310}'", '200001'];
      const reads: [string, string[]][] = [
        ['tail.near_runs', ["'birth_registry'", '19000', '10001']],
        ['tail.near_sums', [...births, "array['dot_tools']"]],
        ['tail.near_rows', [...births, "array['dot_tools']", '900', '10001']],
        ['tail.insert_seen_near', [...births, "'birth_registry'", '900']],
      ];
      for (const [name, values] of reads) {
        const plan = await explain(name, values);
        expect(plan, name).not.toMatch(/Seq Scan on birth_registry/);
        expect(plan.match(/Index (Only )?Scan using birth_registry_pkey/g), name).toHaveLength(2);
      }
    }
  });

  it('a wide round is one sequential scan, however many rows were seen', async () => {
    const values = ["'birth_registry'", "'700'", "'900'", '900', '10001', '100000'];
    for (const seen of [0, 30_000]) {
      await host(
        `delete from gov_intake_seen; insert into gov_intake_seen select 'birth_registry', g, 800 from generate_series(1, ${seen}) g; analyze gov_intake_seen`,
      );
      const plan = await explain('tail.wide_rows', values);
      expect(plan.match(/Seq Scan on birth_registry/g)).toHaveLength(1);
      expect(plan).not.toMatch(/birth_registry_pkey/);
    }
    const ranges = await explain('tail.wide_rows_in', [...values, '3', '9']);
    expect(ranges).toMatch(/Tid Range Scan on birth_registry/);
  });

  it('a sweep goes by primary key', async () => {
    const page = await explain('tail.sweep_page', ['100', 'null', '500']);
    expect(page).toMatch(/Index (Only )?Scan using birth_registry_pkey/);
    const sums = await explain('tail.older_sums', [
      '100',
      '600',
      "'700'",
      "'900'",
      "array['dot_tools']",
      "'{}'",
    ]);
    expect(sums).toMatch(/Scan using birth_registry_pkey|Bitmap Index Scan on birth_registry_pkey/);
  });
});
