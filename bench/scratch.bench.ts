import { afterAll, beforeAll, it } from 'vitest';
import { Transaction } from '../src/db/transaction.js';
import { buildEstate } from '../src/demo/index.js';
import { acquireLease, holderName } from '../src/record/index.js';
import { INTAKE_LEASE, intakeRound } from '../src/work/handoff/index.js';
import { asHost, openDatabase, urlFor } from '../test/support/database.js';
import { openAt } from '../test/support/estate.js';
import { putRulesIntoForce } from '../test/support/ruleset-in-force.js';
import { startServer, type TestServer } from '../test/support/server.js';

let server: TestServer;
let url = '';
const N = Number(process.env['N'] ?? 100_000);
const BACK = Number(process.env['BACK'] ?? 50_000);
beforeAll(async () => {
  server = await startServer();
  await asHost(server.url, 'create database small');
  url = urlFor(server.url, { database: 'small' });
  const t = performance.now();
  const db = openDatabase(url, { statementTimeoutMs: 600_000 });
  await buildEstate(db, { rows: N });
  await db.close();
  await asHost(url, 'vacuum analyze birth_registry');
  const gcos = await openAt(url);
  await gcos.init();
  await putRulesIntoForce(gcos);
  await gcos.backfills.run();
  await gcos.close();
  console.log('built', performance.now() - t);
});
afterAll(() => server?.stop());
const text = (
  rows: number,
) => `insert into birth_registry (entity_code, collection_name, species_code, dot_origin, governance_role, born_at)
  select 'S-' || nextval('bench_code'), p.collection_name, p.species_code, p.dot_origin, p.governance_role,
    clock_timestamp() - case when n % 7 = 0 then interval '40 days' else interval '0' end
  from generate_series(1, ${rows}) as n,
    (select collection_name, species_code, dot_origin, governance_role from birth_registry where collection_name = 'comments' order by id limit 1) as p`;
it('profile', async () => {
  await asHost(url, 'create sequence if not exists bench_code');
  const gcos = await openAt(url, { GCOS_POOL_SIZE: '1' });
  const lease = await acquireLease(gcos.db, { ...INTAKE_LEASE, holder: holderName(), ttlMs: 600_000 });
  if (!lease) throw new Error('x');
  const context = { db: gcos.db, mapping: await gcos.words(), lease, runId: 'bench' };
  const costs = new Map<string, { n: number; ms: number; rows: number }>();
  const run = Transaction.prototype.run;
  Transaction.prototype.run = async function (this: Transaction, st: never, p: never) {
    const t = performance.now();
    const rows = await run.call(this, st, p);
    const c = costs.get((st as { name: string }).name) ?? { n: 0, ms: 0, rows: 0 };
    c.n += 1;
    c.ms += performance.now() - t;
    c.rows += (rows as unknown[]).length;
    costs.set((st as { name: string }).name, c);
    return rows;
  } as never;
  const show = (title: string, ms: number) => {
    console.log(
      `\n## ${title}: ${ms.toFixed(0)} ms; in statements ${[...costs.values()].reduce((s, c) => s + c.ms, 0).toFixed(0)}`,
    );
    for (const [name, c] of [...costs].sort((a, b) => b[1].ms - a[1].ms).slice(0, 14))
      console.log(
        `  ${c.ms.toFixed(1).padStart(8)} ms ${String(c.n).padStart(4)}x ${String(c.rows).padStart(7)} rows ${name}`,
      );
    costs.clear();
  };
  do;
  while ((await intakeRound(context, 'wide')).more);
  for (let turn = 0; turn < 3; turn += 1) {
    await asHost(url, text(BACK));
    costs.clear();
    let t = performance.now();
    let seen = 0;
    for (let more = true; more; ) {
      const r = await intakeRound(context, 'near');
      seen += r.births;
      more = r.more;
    }
    show(
      `near backlog ${seen}: ${Math.round((seen / (performance.now() - t)) * 1000)} rows/s`,
      performance.now() - t,
    );
    t = performance.now();
    await intakeRound(context, 'near');
    show('idle near', performance.now() - t);
    t = performance.now();
    do;
    while ((await intakeRound(context, 'wide')).more);
    show('wide', performance.now() - t);
    t = performance.now();
    do;
    while ((await intakeRound(context, 'wide')).more);
    show('idle wide', performance.now() - t);
    await asHost(url, text(250));
    t = performance.now();
    await intakeRound(context, 'near');
    show('near 250', performance.now() - t);
    await asHost(url, text(9000));
    t = performance.now();
    do;
    while ((await intakeRound(context, 'wide')).more);
    show('wide 9000', performance.now() - t);
  }
  await lease.release();
  await gcos.close();
});
