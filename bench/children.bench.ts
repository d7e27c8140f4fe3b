// A million more children under one container add no candidate row and change no total.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEstate } from '../src/demo/index.js';
import { runCli } from '../test/support/cli.js';
import { asHost, openDatabase } from '../test/support/database.js';
import { evidence, some } from '../test/support/evidence.js';
import { startServer, type TestServer } from '../test/support/server.js';

const CHILDREN = 1_000_000;
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const db = openDatabase(server.url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, {});
  await db.close();
  await asHost(server.url, 'vacuum analyze birth_registry');
  const up = await runCli(['up', '--demo', '--yes', '--quiet', '--database-url', server.url]);
  expect(up.exit, up.stderr).toBe(0);
});
afterAll(() => server?.stop());

interface Scope {
  readonly scope: string;
  readonly total: string;
}

async function status(): Promise<{ rows: number; totals: Record<string, string> }> {
  const run = await runCli(['backfill', 'run', '--json', '--quiet', '--database-url', server.url]);
  expect(run.exit, run.stderr).toBe(0);
  const { ledger } = JSON.parse(run.stdout) as { ledger: { scopes: Scope[] } };
  const [count] = await asHost(
    server.url,
    'select ((select count(*) from governance_candidate_state) + (select count(*) from governance_candidate_object))::int as rows',
  );
  return {
    rows: Number(count?.['rows']),
    totals: Object.fromEntries(ledger.scopes.map((each) => [each.scope, each.total])),
  };
}

it('seed 40 §40.10 test 2, no explosion: a million more children add no candidate rows', async () => {
  const before = await status();
  await asHost(
    server.url,
    `insert into birth_registry (entity_code, collection_name, species_code, governance_role, status, dot_origin)
     select 'NEW-' || n, 'articles', b.species_code, b.governance_role, 'born', b.dot_origin
     from generate_series(1, ${CHILDREN}) n,
       (select species_code, governance_role, dot_origin from birth_registry
        where collection_name = 'articles' and entity_code = 'A-99123' limit 1) b`,
  );
  const after = await status();
  console.log(`\n+${CHILDREN.toLocaleString('en-US')} children under articles`);
  console.log(`  candidate rows: ${before.rows} before, ${after.rows} after`);
  console.log(`  total(S): ${JSON.stringify(before.totals)} before, ${JSON.stringify(after.totals)} after`);
  expect(after).toEqual(before);
  evidence(
    `+${CHILDREN.toLocaleString('en-US')} children on the full estate: ${some(before.rows, 'candidate row')} before and after`,
  );
});
