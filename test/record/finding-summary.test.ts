// A run that evaluates in parts: its summary counts the findings of all parts exactly.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeFindings } from '../../src/record/finding/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const AT = '2026-06-02 10:00:00+00';
let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('installed');
});
afterAll(() => estate.close());

async function evaluate(runId: string, part: string, count: number): Promise<void> {
  const subjects = Array.from({ length: count }, (_, n) => `${part}-${n}`);
  await estate.db.transaction({ isolation: 'read committed' }, (tx) =>
    writeFindings(
      tx,
      subjects.map((subject) => ({ type: 'owner_gap', subject, entityType: 'group', entityCode: subject })),
      {
        runId,
        at: AT,
        ruleset: null,
        activeRuleset: null,
        evaluated: { types: ['owner_gap'], subjects },
      },
    ),
  );
}

it('counts all parts of one run, and starts at zero with the next run', async () => {
  const counted = async () =>
    asHost(
      estate.url,
      "select evidence_snapshot::jsonb #>> '{facts,findings}' as n from system_issues where issue_type = 'owner_gap' and code like 'GCOS-%'",
    );
  await evaluate('run-1', 'a', 300);
  await evaluate('run-1', 'b', 250);
  expect(await counted()).toEqual([{ n: '550' }]);
  await evaluate('run-2', 'a', 300);
  expect(await counted()).toEqual([{ n: '300' }]);
});
