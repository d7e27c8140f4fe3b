// One bad birth among 300,000 good ones of a collection gets its own row and finding, and changes no byte of
// the other rows. Also measures the intake of a bad birth against that of a good one.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate } from '../src/demo/index.js';
import type { Gcos } from '../src/index.js';
import { asHost, openDatabase } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { putRulesIntoForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { median, report, timed } from './measure.js';

const GOOD = 300_000;
const ROUNDS = 5;
const COLLECTION = 'orders';
let server: TestServer;
let gcos: Gcos;

const host = (sql: string) => asHost(server.url, sql);
/** Inserts births of the collection: complete ones, or incomplete ones if `species` is `null`. */
const bear = (from: number, to: number, species = 'm.species_code') =>
  host(
    `insert into birth_registry (entity_code, collection_name, species_code, status, governance_role, dot_origin)
     select 'MANY-' || n, '${COLLECTION}', ${species}, m.status, m.governance_role, m.dot_origin
     from generate_series(${from}, ${to}) n,
       (select species_code, status, governance_role, dot_origin from birth_registry
        where collection_name = '${COLLECTION}' and entity_code = 'ORD-000006') m`,
  );

beforeAll(async () => {
  server = await startServer();
  const db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, { rows: 20_000 });
  await db.close();
  gcos = await openAt(server.url);
  await gcos.init();
  await putRulesIntoForce(gcos);
  await bear(1, GOOD);
  await host('vacuum analyze birth_registry');
  expect((await gcos.backfills.run({})).proof.closed).toBe(true);
  await gcos.intakes.once();
});
afterAll(async () => {
  await gcos?.close();
  await server?.stop();
});

it('leaves 299,999 rows unchanged when one row among 300,000 is bad', async () => {
  const others = () =>
    host(
      `select (select md5(string_agg(concat_ws(' ', s.object_key, s.scope, s.candidate_verdict, s.verdict_line, s.coverage_outcome, s.input_quality_state), '|' order by s.object_key, s.scope))
          from governance_candidate_object s where s.row_state = 'active' and s.entity_code <> 'MANY-BAD') as objects,
         (select md5(string_agg(concat_ws(' ', s.group_key, s.candidate_verdict, s.verdict_line, s.coverage_outcome, s.input_quality_state, s.input_hash), '|' order by s.row_id))
          from governance_candidate_state s where s.row_state <> 'superseded') as verdicts,
         (select md5(string_agg(i::text, '|' order by i.subject_key)) from governance_input_state i where i.entity_code is distinct from 'MANY-BAD') as inputs,
         (select count(*)::int from birth_registry where collection_name = '${COLLECTION}' and entity_code like 'MANY-%') as births`,
    );
  await host(`update birth_registry set entity_code = 'MANY-BAD' where entity_code = 'MANY-${GOOD}'`);
  await gcos.intakes.once();
  const before = await others();
  await host(`update birth_registry set species_code = null where entity_code = 'MANY-BAD'`);
  await gcos.intakes.once();
  const { inputs } = await gcos.inputs.list({ collection: COLLECTION, code: 'MANY-BAD' });
  expect(inputs).toMatchObject([{ state: 'incomplete_input' }]);
  expect(await others()).toEqual(before);
  expect(before[0]?.['births']).toBe(GOOD);
  expect(
    await host(
      `select distinct issue_type from system_issues where source_system = 'gcos' and entity_code = '${COLLECTION}' and status = 'open'`,
    ),
  ).toEqual([{ issue_type: 'input_incomplete' }]);
  const { proof, ledger } = await gcos.backfills.run({});
  expect(proof.closed && ledger?.closes).toBe(true);
  expect(await others()).toEqual(before);
  const [good, bad]: [number[], number[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await bear(GOOD + 2 * round, GOOD + 2 * round);
    good.push(await timed(() => gcos.intakes.once()));
    await bear(GOOD + 2 * round + 1, GOOD + 2 * round + 1, 'null');
    bad.push(await timed(() => gcos.intakes.once()));
  }
  const ratio = report(
    'intake of one more birth with 300,000 present',
    { what: 'a bad one', ms: median(bad) },
    { what: 'a good one', ms: median(good) },
    1.5,
  );
  expect(ratio).toBeGreaterThan(0);
});
