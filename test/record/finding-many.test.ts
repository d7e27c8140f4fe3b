// Writing many findings takes time in proportion to their number: no plan inside the functions reads a row
// more than a few times per finding. Counts of the server, not times.
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEstate, type Estate } from '../support/estate.js';

const MANY = 3_000;
/** How many rows a plan node may process per finding. */
const ROWS_PER_FINDING = 20;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

let estate: Estate;
let client: pg.Client;
const plans: { readonly text: string; readonly plan: PlanNode }[] = [];
beforeAll(async () => {
  estate = await createEstate('installed');
  client = new pg.Client({ connectionString: estate.url });
  await client.connect();
  client.on('notice', ({ message }) => {
    const found = /\{[\s\S]*\}/.exec(message ?? '');
    if (found === null) return;
    const logged = JSON.parse(found[0]) as { 'Query Text': string; Plan: PlanNode };
    plans.push({ text: logged['Query Text'], plan: logged.Plan });
  });
  await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
    set auto_explain.log_timing = off; set auto_explain.log_nested_statements = on; set auto_explain.log_format = 'json';
    set auto_explain.log_level = 'notice'; set jit = off`);
});
afterAll(async () => {
  await client.end();
  await estate.close();
});

/** Writes findings about the subjects `from` to `to`, and resolves all others of their type. */
async function write(from: number, to: number): Promise<Record<string, number>> {
  plans.length = 0;
  const texts = (expression: string) =>
    `(select array_agg((${expression})::text order by n) from generate_series(${from}, ${to}) n)`;
  const { rows } = await client.query(`
    select w.change, count(*)::int as n
    from gcos_write_findings(${texts(`'gov:coverage:owner_gap:' || n`)}, ${texts(`'owner_gap'`)}, ${texts('n')}, ${texts(`'audit'`)},
      ${texts(`case when n % 10 = 0 then '' else 'gov:coverage:owner_gap:' || n / 10 * 10 end`)},
      ${texts('false')}::boolean[], ${texts(`'collection'`)}, ${texts('n')}, ${texts(`'high'`)},
      ${texts(`'["GOV-COUNCIL"]'`)}, ${texts(`'{}'`)}, ${texts('1')}::bigint[], 'run', null, array['owner_gap'], null, null) w
    group by w.change`);
  return Object.fromEntries(rows.map((row) => [String(row.change), Number(row.n)]));
}

/** The most rows that a node of any plan processed, with its statement. */
function busiest(): { readonly rows: number; readonly node: string; readonly text: string } {
  const visit = (plan: PlanNode): readonly { rows: number; node: string }[] => {
    const rows =
      (plan['Actual Rows'] ?? 0) +
      (plan['Rows Removed by Filter'] ?? 0) +
      (plan['Rows Removed by Join Filter'] ?? 0);
    return [
      { rows: rows * (plan['Actual Loops'] ?? 0), node: plan['Node Type'] },
      ...(plan.Plans ?? []).flatMap(visit),
    ];
  };
  const all = plans.flatMap(({ text, plan }) => visit(plan).map((each) => ({ ...each, text })));
  return all.reduce((most, each) => (each.rows > most.rows ? each : most));
}

/** Raises, repeats, resolves and reopens findings about `first` and those that follow. */
async function writeAndLook(first: number): Promise<void> {
  for (const [from, to, changes] of [
    [0, MANY - 1, { raised: MANY }],
    [0, MANY - 1, {}],
    [MANY / 2, MANY + 99, { raised: 100, resolved: MANY / 2 }],
    [0, MANY - 1, { reopened: MANY / 2, resolved: 100 }],
  ] as const) {
    expect(await write(first + from, first + to)).toMatchObject(changes);
    const { rows, node, text } = busiest();
    expect(rows, `${node} in ${text}`).toBeGreaterThanOrEqual(MANY);
    expect(rows, `${node} in ${text}`).toBeLessThan(MANY * ROWS_PER_FINDING);
  }
}

it('reads a few rows for each finding, whether it raises, repeats, resolves or reopens', async () => {
  await writeAndLook(0);
});

it('does so after a write that was rolled back, when the planner expects a few findings', async () => {
  await client.query('truncate governance_finding_key; truncate system_issues cascade');
  expect(await write(100_000, 100_000)).toEqual({ raised: 1 });
  await client.query('begin');
  await write(200_000, 200_000 + MANY);
  await client.query('rollback; analyze governance_finding_key; analyze system_issues');
  await writeAndLook(200_000);
});
