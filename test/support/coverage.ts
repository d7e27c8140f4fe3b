// Evaluates coverage over a judged estate, and reads the findings.
import { afterAll, beforeAll, expect } from 'vitest';
import { quoteLiteral, readServerTime, type Transaction } from '../../src/db/index.js';
import { readContent } from '../../src/host/index.js';
import type { Transition, Transitions } from '../../src/record/finding/index.js';
import { readActive } from '../../src/rule/ruleset/index.js';
import { readRules } from '../../src/verdict/candidate/index.js';
import {
  type CoverageEvaluation,
  evaluateCoverage,
  syncCoverageFindings,
} from '../../src/verdict/coverage/index.js';
import { asHost, rowsIn } from './database.js';
import { type Estate, prepareEstate } from './estate.js';

/** One estate for all tests of a file; tests roll back their changes. */
export let estate: Estate;

const ROLL_BACK = new Error('rolled back on purpose');

/** Provides the estate, with outcomes but without findings, for the file. `copy` returns a separate copy. */
export function useCoverage(): { copy(): Promise<Estate> } {
  const prepared = prepareEstate('judged', async ({ db, url }) => {
    await db.transaction({ isolation: 'repeatable read' }, async (tx) => {
      await evaluateCoverage(tx, {
        runId: 'before',
        at: await readServerTime(tx),
        rules: await readRules(tx, { content: await readContent(tx) }),
      });
    });
    await asHost(
      url,
      'analyze governance_candidate_state, governance_candidate_object, governance_inventory',
    );
  });
  beforeAll(async () => {
    estate = await prepared.copy();
  });
  afterAll(() => estate.close());
  return prepared;
}

let runs = 0;
export interface CoverageRun {
  readonly found: CoverageEvaluation;
  readonly done: Transitions;
  readonly at: string;
}
/** Evaluates all groups or those in `inventoryKeys`, and writes outcomes and findings. */
export async function run(
  tx: Transaction,
  inventoryKeys?: readonly string[],
  at?: string,
  rowsAtOnce?: number,
): Promise<CoverageRun> {
  runs += 1;
  const runId = `coverage-${runs}`;
  const moment = at ?? (await readServerTime(tx));
  const found = await evaluateCoverage(tx, {
    runId,
    at: moment,
    rules: await readRules(tx, { content: await readContent(tx) }),
    ...(inventoryKeys === undefined ? {} : { inventoryKeys }),
    ...(rowsAtOnce === undefined ? {} : { rowsAtOnce }),
  });
  const version = (await readActive(tx))?.version ?? null;
  const done = await syncCoverageFindings(tx, found, {
    runId,
    at: moment,
    ruleset: version,
    activeRuleset: version,
  });
  return { found, done, at: moment };
}

/** Runs `work` in a transaction and rolls it back. The login owns the host's tables and may change them. */
export async function undone(work: (tx: Transaction) => Promise<void>): Promise<void> {
  await expect(
    estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => {
      await work(tx);
      throw ROLL_BACK;
    }),
  ).rejects.toBe(ROLL_BACK);
}

export const is = (name: string, scope?: string) => (each: Transition) =>
  each.type === name && (scope === undefined || each.scope === scope);

/** The row of a finding in the host. */
export const entity = async (tx: Transaction, each: Transition) =>
  (
    await rowsIn(
      tx,
      `select i.entity_type, i.entity_code, i.status, i.occurrence_count, i.reopen_count, p.issue_type as parent
       from system_issues i left join system_issues p on p.id = i.parent_issue_id where i.id = ${each.issueId}`,
    )
  )[0];

/** Code of a finding → the entity it is about. */
export const namesOf = async (tx: Transaction) =>
  new Map(
    (
      await rowsIn(
        tx,
        `select code, entity_type || '/' || entity_code as name from system_issues where source_system = 'gcos'`,
      )
    ).map((row) => [String(row['code']), String(row['name'])]),
  );

/** SQL that sets one reference of a tool, or clears it. */
export const tool = (code: string, column: string, value: string | null) =>
  `update dot_tools set ${column} = ${value === null ? 'null' : quoteLiteral(value)} where dot_code = '${code}'`;
