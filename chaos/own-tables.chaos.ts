// What GCOS's own tables hold after the tutorial and ten minutes of a worker beside traffic: rows, columns
// that are never null or always null, and the values that occur. That every column and value occurs in some
// history is what test/every-column.test.ts shows. GCOS_CHAOS_MINUTES sets how long the traffic runs.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wrongCitations } from '../test/support/cited.js';
import { runSteps, stepsOf } from '../test/support/console.js';
import { createDatabase, type TestDatabase } from '../test/support/database.js';
import { describeOwnTables } from '../test/support/own-tables.js';
import { startGcos } from './process.js';

const MINUTES = Number(process.env['GCOS_CHAOS_MINUTES'] ?? '10');
/** Columns without a writer in an early version. */
const ONCE_EMPTY = [
  'governance_candidate_object.issue_ref',
  'governance_candidate_object.input_quality_ref',
  'governance_candidate_object.evidence_fingerprint',
  'governance_candidate_state.issue_ref',
  'governance_candidate_state.input_quality_ref',
  'governance_candidate_state.evidence_fingerprint',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.close());

it('fills the columns that verdicts refer by', async () => {
  await runSteps(stepsOf('docs/tutorial.md'), database.url);
  const worker = startGcos(database.url, 'worker', 'run', '--port', 'off');
  const traffic = startGcos(database.url, 'demo', 'traffic', '--for', `${MINUTES}m`);
  expect(await traffic.ended).toBe(0);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
  console.log(traffic.lines.at(-1));
  const tables = await describeOwnTables(database.url);
  for (const { table, rows, neverNull, columns } of tables) {
    const empty = columns.filter(({ filled }) => rows > 0 && filled === 0).map(({ name }) => name);
    const values = columns.flatMap(({ name, values: each }) =>
      each === null ? [] : [`  ${name}: ${JSON.stringify(each)}`],
    );
    console.log(
      [
        `${table}: ${rows} rows`,
        `  never null: ${neverNull.join(' ') || 'none'}`,
        ...(empty.length === 0 ? [] : [`  always null: ${empty.join(' ')}`]),
        ...values,
      ].join('\n'),
    );
  }
  const filled = new Map(
    tables.flatMap(({ table, columns }) => columns.map((each) => [`${table}.${each.name}`, each.filled])),
  );
  expect(ONCE_EMPTY.filter((name) => (filled.get(name) ?? 0) === 0)).toEqual([]);
  expect(await wrongCitations(database.url)).toEqual([]);
});
