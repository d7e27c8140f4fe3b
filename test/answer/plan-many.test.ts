// Many groups: matching them to changed rules reads as many rows as there are groups, and a plan holds one
// part of the units at a time.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePlan, type Plan } from '../../src/answer/plan/plan.js';
import type { Transaction } from '../../src/db/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
/** Every combination of dimensions occurs; odd values match no group. */
const CONSTRAINTS = `
  select n as no, case when n % 3 = 0 then (array['policy', 'audit', 'health', 'odd'])[1 + n / 3 % 4] end as scope,
    case when n % 5 = 0 then (array['topic', 'risk', 'odd'])[1 + n / 5 % 3] end as axis_family,
    case when n % 2 = 0 or n % 7 > 0 then 'registry-' || n end as source_registry,
    case when n % 7 = 0 then (array['class-1', 'class-1_', 'class-_', 'odd\\\\', 'cl%9'])[1 + n / 7 % 5] end as class_pattern
  from generate_series(1, 600) n`;

let estate: Estate;
const host = (text: string) => asHost(estate.url, text);

/** Adds `count` inventory groups with varying dimensions, in three scopes and, for some, in scope `all`. */
const addGroups = (from: number, count: number) =>
  host(`
    with added as (
      insert into governance_inventory (inventory_key, object_class, source_registry, axis_family, lifecycle_status, resolved, inherits, first_seen_at)
      select 'many-' || n, 'class-' || n % 30, 'registry-' || n % 97, (array['topic', 'risk', null])[1 + n % 3], 'status-' || n, true, true, now()
      from generate_series(${from}, ${from + count - 1}) n
      returning inventory_key
    )
    insert into governance_group (group_key, inventory_key, scope)
    select a.inventory_key || s.scope, a.inventory_key, s.scope
    from added a cross join unnest(array['policy', 'audit', 'health', 'all']) as s(scope)
    where s.scope <> 'all' or hashtext(a.inventory_key) % 5 = 0`);

/** The query of the function, with the constraints in place of its parameters. */
async function matchingQuery(most: number): Promise<string> {
  const [row] = await host(`select prosrc as text from pg_proc where proname = 'gcos_match_groups'`);
  const text = String(row?.['text']);
  const query = text.slice(text.indexOf('with given'), text.lastIndexOf(';'));
  const list = (column: string) =>
    `array(select ${column} from (${CONSTRAINTS}) c where no <= ${most} order by no)`;
  return query
    .replace('p_nos,', `${list('no')},`)
    .replace('p_scopes,', `${list('scope')},`)
    .replace('p_axis_families,', `${list('axis_family')},`)
    .replace('p_source_registries,', `${list('source_registry')},`)
    .replace('p_class_patterns)', `${list('class_pattern')})`);
}

interface Node {
  readonly Plans?: readonly Node[];
  readonly [name: string]: unknown;
}

/** How many pairs of rows the joins of a plan compared in vain. */
const comparedIn = (node: Node): number =>
  Number(node['Rows Removed by Join Filter'] ?? 0) * Number(node['Actual Loops'] ?? 1) +
  (node.Plans ?? []).reduce((sum, each) => sum + comparedIn(each), 0);

/** The rows that the query returns, and the pairs of rows that its joins compared in vain. */
async function measure(constraints: number): Promise<{ readonly found: number; readonly compared: number }> {
  const rows = await host(
    `set enable_nestloop = off; explain (analyze, format json) ${await matchingQuery(constraints)}`,
  );
  const plan = rows[0]?.['QUERY PLAN'];
  const [{ Plan: top }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Node }];
  return { found: Number(top['Actual Rows']), compared: comparedIn(top) };
}

beforeEach(async () => {
  estate = await createEstate('scanned');
});
afterEach(() => estate.close());

it('matching compares no group with a constraint that it does not match, and finds what comparing each with each finds', async () => {
  await addGroups(1, 500);
  const arrays = ['no', 'scope', 'axis_family', 'source_registry', 'class_pattern']
    .map((column) => `(select array_agg(${column} order by no) from (${CONSTRAINTS}) c)`)
    .join(', ');
  const found = await host(
    `select count(*)::int as n, md5(string_agg(m::text, ',' order by m::text)) as hash from gcos_match_groups(${arrays}) m`,
  );
  const each = await host(`
    select count(*)::int as n, md5(string_agg(m::text, ',' order by m::text)) as hash from (
      select c.no, g.inventory_key, g.scope
      from (${CONSTRAINTS}) c, governance_group g join governance_inventory i using (inventory_key)
      where (c.scope is null or c.scope = g.scope or g.scope = 'all') and (c.axis_family is null or c.axis_family = i.axis_family)
        and (c.source_registry is null or c.source_registry = i.source_registry)
        and (c.class_pattern is null or i.object_class like c.class_pattern escape '')) m`);
  expect(found).toEqual(each);
  expect(Number(found[0]?.['n'])).toBeGreaterThan(1_000);

  await addGroups(501, 3_500);
  await host('analyze governance_inventory; analyze governance_group');
  const few = await measure(600);
  await addGroups(4_001, 4_000);
  await host('analyze governance_inventory; analyze governance_group');
  const many = await measure(600);
  evidence(
    `8,000 groups and 600 constraints: ${some(many.found, 'pair')} found, ${some(many.compared, 'pair')} compared in vain`,
  );
  expect(many.found).toBeGreaterThan(10_000);
  expect(many.found / few.found).toBeLessThan(2.2);
  // Patterns with wildcards are compared with each class, of which there are a hundred.
  expect(many.compared).toBeLessThan(2_000);
});

it('a plan in small parts is the same plan, and no statement reads more than a part or a group', async () => {
  await host(
    `update coverage_profile set required_links = required_links || '{"policy": ["owner", "law_ref"]}'`,
  );
  await host(`update coverage_profile set inherits = not inherits where class_pattern = 'article'`);
  // Objects that end, objects that are gone, and some that move to another group.
  await host(
    `delete from birth_registry where collection_name = 'dot_tools' and entity_code between 'DOT-100' and 'DOT-119'`,
  );
  await host(`delete from dot_tools where dot_code between 'DOT-100' and 'DOT-109'`);
  await host(
    `update birth_registry set status = 'retired' where entity_code in (select entity_code from birth_registry where collection_name = 'orders' order by id limit 20)`,
  );
  const read: number[] = [];
  const given: number[] = [];
  const plan = (unitsAtOnce?: number): Promise<Plan> =>
    estate.db.transaction(READ_ONLY, (tx) => {
      read.length = 0;
      given.length = 0;
      const counting = new Proxy(tx, {
        get: (target, name) => {
          const value = Reflect.get(target, name, target) as unknown;
          if (name !== 'run') return typeof value === 'function' ? value.bind(target) : value;
          return async (...args: Parameters<Transaction['run']>) => {
            const rows = await target.run(...args);
            if (args[0].name === 'preview.readRows') read.push(rows.length);
            if (args[0].name === 'coverage.previewUnits')
              given.push((args[1] as { unitNos: unknown[] }).unitNos.length);
            return rows;
          };
        },
      });
      return makePlan(counting, unitsAtOnce === undefined ? {} : { unitsAtOnce });
    });
  const whole = await plan(10_000_000);
  const all = read.reduce((sum, each) => sum + each, 0);
  // All groups with their objects, and the objects that would have no row.
  expect(read).toHaveLength(2);
  expect(whole.flips.verdicts.length + whole.flips.outcomes.length).toBeGreaterThan(100);
  expect(whole.flips.gates.length).toBeGreaterThan(0);
  expect(whole.flips.findings.length).toBeGreaterThan(0);
  const [{ largest } = { largest: 0 }] = await host(
    `select max(n)::int as largest from (select count(*) as n from governance_candidate_object where row_state <> 'superseded' group by inventory_key) g`,
  );
  const [live] = await host(
    `select ((select count(*) from governance_candidate_state where row_state in ('active', 'retired'))
       + (select count(*) from governance_candidate_object where row_state = 'active' or (row_state = 'retired' and evidence ? 'source_row_gone')))::int as n`,
  );
  expect(all).toBe(live?.['n']);
  const most = Math.max(1_000, Number(largest)) * 1.2;
  const parts = await plan(1_000);
  expect({ ...parts, at: whole.at }).toEqual(whole);
  evidence(`${some(all, 'row')} in ${some(read.length, 'part')}, ${Math.max(...read)} at most`);
  expect(read.length).toBeGreaterThan(3);
  expect(read.reduce((sum, each) => sum + each, 0)).toBe(all);
  expect(Math.max(...read)).toBeLessThan(most);
  expect(Math.max(...given)).toBeLessThan(most);
  // By default, too, a plan of this size is made in parts.
  const usual = await plan();
  expect({ ...usual, at: whole.at }).toEqual(whole);
  expect(Math.max(...read)).toBeLessThan(6_000);
});
