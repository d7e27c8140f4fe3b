// By default PostgreSQL compiles expensive statements (JIT). For the statements of GCOS this takes longer
// than it saves, so every transaction switches JIT off. The test server would compile every statement.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost, openDatabase, ROLE_PASSWORD, urlAs, urlFor } from '../support/database.js';
import { openAt, prepareInstalled } from '../support/estate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { findDebianBinaries, startServerWithJit, type TestServer } from '../support/server.js';

/**
 * Runs before JIT is off: once per connection, and the statement that switches it off with the other settings
 * of a transaction. Their cost is 0.01, so only a limit of 0 compiles them.
 */
const isFirst = (query: string): boolean =>
  query === 'select pg_backend_pid() as pid' || /^select pg_catalog\.set_config\(\$1, \$2, \$3\)/.test(query);

const binaries = findDebianBinaries();
if (binaries === undefined)
  console.warn("skipped: test/db/jit.test.ts needs Debian's PostgreSQL 15 (apt install postgresql-15)");
// The acceptance run sets this: it must not pass without such a server.
it.runIf(process.env['GCOS_JIT_REQUIRED'] !== undefined)("has Debian's PostgreSQL 15, with JIT", () => {
  expect(binaries, 'apt install postgresql-15').toBeDefined();
});

describe.skipIf(binaries === undefined)('a server that compiles every statement', () => {
  let server: TestServer;
  /** A database that GCOS does not use; the statistics cover all databases of the server. */
  const statistics = () => urlFor(server.url, { database: 'postgres' });
  beforeAll(async () => {
    if (binaries === undefined) return;
    server = await startServerWithJit(binaries);
    await asHost(statistics(), 'create extension pg_stat_statements');
  });
  afterAll(() => server?.stop());

  /** The compiled statements and the number of all statements since the last call of `resetStatistics`. */
  const compiled = async () => {
    const rows = await asHost(
      statistics(),
      `set jit = off; select query, calls::int, jit_functions::int as functions from pg_stat_statements
       where query not like '%pg_stat_statements%'`,
    );
    return {
      statements: rows.length,
      compiled: rows.filter((row) => Number(row['functions']) > 0).map((row) => String(row['query'])),
    };
  };
  const resetStatistics = () => asHost(statistics(), 'set jit = off; select pg_stat_statements_reset()');

  it('compiles statements of other clients, and counts them', async () => {
    await resetStatistics();
    await asHost(server.url, 'select sum(n) from generate_series(1, 10) as n where n % 2 = 0');
    expect((await compiled()).compiled).toHaveLength(1);
  });

  it('compiles no statement of GCOS: from init to the gate, all duties of the worker, and detectors', async () => {
    await resetStatistics();
    await prepareInstalled(server.url, { rows: 2_000 });
    await asHost(server.url, `set jit = off; alter role gcos_reader password '${ROLE_PASSWORD}'`);
    const gcos = await openAt(server.url, { GCOS_READER_URL: urlAs(server.url, 'reader') });
    try {
      await putRulesIntoForce(gcos);
      expect((await gcos.backfills.run({})).ledger?.closes).toBe(true);
      expect((await gcos.scans.run({ mode: 'full' })).ledger?.closes).toBe(true);
      await gcos.intakes.once();
      await gcos.scans.run({ mode: 'incremental' });
      await gcos.worker.once({ signal: new AbortController().signal, log: () => undefined });
      await gcos.ledgers.verify();
      await gcos.fixes.list();
      await gcos.plans.plan();
      await gcos.doctor();
      await gcos.status();
      const check = await gcos.gates.check([
        { collection: 'dot_tools', code: 'DOT-118' },
        { collection: 'dot_tools', code: 'DOT-117' },
      ]);
      expect(check.decisions.map((each) => each.answer)).toEqual(['allow', 'block']);
    } finally {
      await gcos.close();
    }
    const found = await compiled();
    expect(found.compiled.filter((query) => !isFirst(query))).toEqual([]);
    expect(found.statements).toBeGreaterThan(200);
  });

  it('has JIT off in every kind of transaction of GCOS', async () => {
    const db = openDatabase(server.url);
    try {
      for (const isolation of ['read committed', 'repeatable read'] as const)
        for (const readOnly of [true, false])
          await db.transaction({ isolation, readOnly }, (tx) =>
            tx.script(`do $$ begin assert current_setting('jit') = 'off'; end $$`),
          );
      await db.rehearse({ isolation: 'read committed' }, (tx) =>
        tx.script(`do $$ begin assert current_setting('jit') = 'off'; end $$`),
      );
    } finally {
      await db.close();
    }
  });
});
