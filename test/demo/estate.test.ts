// The demo estate: every build is identical, and a build of a fiftieth of its size is complete.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildEstate, ESTATE_SEED, estateSteps, FULL_SIZE, hashEstate } from '../../src/demo/index.js';
import { sizeEstate } from '../../src/demo/size.js';
import { asHost, createDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { TEMPLATE_ROWS as ROWS } from '../support/templates.js';

const SMALLEST = 2_000;

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('host');
});
afterAll(() => estate?.close());

describe('a build of the demo estate', () => {
  test('equals another build, table by table', async () => {
    const other = await createDatabase();
    const summary = await buildEstate(other.db, { rows: ROWS });
    const hashes = await hashEstate(other.db);
    expect(hashes).toEqual(await hashEstate(estate.db));
    expect(hashes.map(({ name, rows }) => ({ name, rows }))).toEqual(summary.tables);
    expect(summary).toMatchObject({ rows: ROWS, seed: ESTATE_SEED, replaced: false });
    await other.close();
  });

  test('has one hash per table, which changes with any value of that table', async () => {
    const before = await hashEstate(estate.db);
    await asHost(estate.url, "update law_catalog set title = title || '!' where code = 'LC-01'");
    const after = await hashEstate(estate.db);
    expect(
      after.filter((table, index) => table.hash !== before[index]?.hash).map(({ name }) => name),
    ).toEqual(['law_catalog']);
    await asHost(estate.url, "update law_catalog set title = rtrim(title, '!') where code = 'LC-01'");
    expect(await hashEstate(estate.db)).toEqual(before);
  });

  test('uses no function whose result differs between two runs', () => {
    const text = estateSteps(ROWS)
      .filter((step) => step.kind === 'insert')
      .map((step) => step.sql)
      .join('\n');
    expect(text).not.toMatch(/random|now\(|current_|clock_|statement_timestamp|nextval/);
  });
});

describe('the size of the demo estate', () => {
  test('gives every collection its declared number of births at full size', () => {
    const { strains, bulkBirths, changes, issues, events, reads } = sizeEstate(FULL_SIZE);
    expect(strains.filter((strain) => strain.size !== strain.births)).toEqual([]);
    expect(strains.reduce((sum, strain) => sum + strain.size, 0)).toBe(bulkBirths);
    expect({ changes, issues, events, reads }).toEqual({
      changes: 68_323,
      issues: 190_288,
      events: 181_712,
      reads: 181_351,
    });
  });

  test.each([SMALLEST, 2_001, 77_777, 100_000_000])('distributes %i births without a remainder', (rows) => {
    const size = sizeEstate(rows);
    expect(size.strains.reduce((sum, strain) => sum + strain.size, 0)).toBe(size.bulkBirths);
    expect(Math.min(...size.strains.map((strain) => strain.size))).toBeGreaterThanOrEqual(12);
  });

  test.each([1_999, 100_000_001, 2_000.5, Number.NaN])('cannot be %d births', async (rows) => {
    const refused = expect.objectContaining({ code: 'demo_rows_invalid', exit: 3 });
    await expect(buildEstate(estate.db, { rows })).rejects.toEqual(refused);
  });

  test('does not reduce the registries', async () => {
    const rows = Object.fromEntries((await hashEstate(estate.db)).map((table) => [table.name, table.rows]));
    expect(rows).toMatchObject({
      birth_registry: 20_000n,
      meta_catalog: 169n,
      collection_registry: 168n,
      measurement_registry: 142n,
      evolution_snapshots: 1n,
      event_type_registry: 40n,
      event_pending: 0n,
      event_subscription: 3n,
      queue_heartbeat: 3n,
      pivot_definitions: 37n,
      law_jurisdiction: 43n,
      derived_objects_registry: 7n,
      governance_responsibility_scope: 6n,
      governance_registry: 9n,
      normative_registry: 47n,
      law_catalog: 5n,
      governance_docs: 12n,
      dot_tools: 309n,
      information_unit: 219n,
    });
  });

  test('determines the id of the next row', async () => {
    const [row] = await asHost(
      estate.url,
      `begin; insert into birth_registry (entity_code, collection_name) values ('A-1', 'articles') returning id, status`,
    );
    expect(row).toEqual({ id: ROWS + 1, status: 'born' });
  });
});
