// Rules are read once for as long as nothing they are read from has changed: a remembered rule that is no longer the one in the tables
// would judge in its name. So every table, the structure, and whose transaction it is are tried.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Memo } from '../../src/db/memo.js';
import { Transaction } from '../../src/db/transaction.js';
import { RULE_TABLES, readRulesVersion } from '../../src/host/index.js';
import { evaluateCoverage } from '../../src/verdict/index.js';
import { readRulesInForce, readRulesOrWithhold } from '../../src/work/follow/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const LOOK = { isolation: 'repeatable read', readOnly: true } as const;
const WORK = { isolation: 'repeatable read' } as const;

describe('rules that were read before', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('backfilled');
  });
  afterAll(() => estate.close());
  const version = () => estate.db.transaction(LOOK, readRulesVersion);
  const host = (text: string) => asHost(estate.url, text);

  /** The statements that `work` runs, and which of them fill the memory. */
  async function watch<T>(work: () => Promise<T>) {
    const ran: string[] = [];
    const kept: { readonly text: string; readonly values: unknown[] }[] = [];
    let depth = 0;
    const run = Transaction.prototype.run;
    const recall = Memo.prototype.recall;
    const spies = [
      vi.spyOn(Transaction.prototype, 'run').mockImplementation(function (
        this: Transaction,
        statement,
        params,
      ) {
        ran.push(statement.name);
        if (depth > 0) kept.push({ text: statement.text, values: Object.values(params) });
        return run.call(this, statement, params);
      }),
      vi.spyOn(Memo.prototype, 'recall').mockImplementation(function (this: Memo, name, at, read) {
        return recall.call(this, name, at, async () => {
          depth += 1;
          return read().finally(() => {
            depth -= 1;
          });
        }) as never;
      }),
    ];
    try {
      return { value: await work(), ran, kept };
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }

  /** Everything that is ever remembered, read on a connection of its own. */
  async function readAll(db = estate.db) {
    return db.rehearse(WORK, async (tx) => {
      const rules = await readRulesInForce(tx);
      await evaluateCoverage(tx, { runId: 'look', at: '2026-06-01', rules, inventoryKeys: [] });
      return rules;
    });
  }

  it('are not read again', async () => {
    const first = await readAll();
    const { value, ran } = await watch(() => readAll());
    expect(value.map).toBe(first.map);
    expect(ran).toContain('host.read_structure');
    expect(
      ran.filter((name) => /^(ruleset|profile|group)\.|coverage\.read_s(ettings|hape)/.test(name)),
    ).toEqual([]);
  });

  it('come from the watched tables and the catalog alone', async () => {
    const db = openDatabase(estate.url);
    const { kept } = await watch(() => readAll(db));
    await db.close();
    expect(kept.length).toBeGreaterThan(20);
    const client = new pg.Client({ connectionString: estate.url });
    await client.connect();
    const plans: string[] = [];
    for (const { text, values } of kept) {
      const wire = values.map((value) => (typeof value === 'bigint' ? String(value) : value));
      plans.push(JSON.stringify((await client.query(`explain (format json, verbose) ${text}`, wire)).rows));
    }
    await client.end();
    const relations = plans.flatMap((plan) =>
      [...plan.matchAll(/"Relation Name":"([^"]+)","Schema":"([^"]+)"/g)]
        .filter(([, , schema]) => schema !== 'pg_catalog')
        .map(([, name]) => name),
    );
    expect(new Set(relations)).toEqual(new Set(RULE_TABLES));
  });

  it.each(RULE_TABLES)(
    'are read again when a row of %s was written, and not when that was undone',
    async (table) => {
      const before = await version();
      const [column] = await host(`select quote_ident(attname) as name from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attidentity = '' order by attnum limit 1`);
      // Triggers that refuse any change are not what is tried here.
      const touch = `set local session_replication_role = replica; update ${table} set ${column?.name} = ${column?.name} where ctid = (select min(ctid) from ${table})`;
      await host(`begin; ${touch}; rollback`);
      expect(await version()).toBe(before);
      await host(`begin; ${touch}; commit`);
      expect(await version()).not.toBe(before);
    },
  );

  it.each([
    ['alter table dot_tools add column added text', ''],
    ['alter table dot_tools rename column named to renamed', 'alter table dot_tools add column named text'],
    ['alter table dot_tools drop column dropped', 'alter table dot_tools add column dropped text'],
    ['create table a_new_registry (code text)', ''],
    ['drop table an_old_registry', 'create table an_old_registry (code text)'],
    ['revoke select on axis_registry from gcos_worker', ''],
    [
      'grant select on pivot_definitions to gcos_worker',
      'revoke select on pivot_definitions from gcos_worker',
    ],
  ])('are read again after %s', async (change, first) => {
    await host(first);
    const before = await version();
    await host(change);
    expect(await version()).not.toBe(before);
  });

  it('are no longer those in force as soon as somebody edits one, also in the transaction that edits it', async () => {
    const own = await createEstate('backfilled');
    await readAll(own.db);
    await expect(
      own.db.rehearse(WORK, async (tx) => {
        await readRulesInForce(tx);
        await tx.script(`update coverage_profile set risk_class = 'read' where risk_class = 'write_high'`);
        return readRulesInForce(tx);
      }),
    ).rejects.toMatchObject({ code: 'rules_not_in_force' });
    await readAll(own.db);
    await asHost(own.url, `update coverage_profile set risk_class = 'read' where risk_class = 'write_high'`);
    await expect(readAll(own.db)).rejects.toMatchObject({ code: 'rules_not_in_force' });
    const { withheld } = await own.db.transaction(LOOK, (tx) => readRulesOrWithhold(tx));
    expect(withheld).toBe('rules_not_in_force');
    await own.close();
  });

  it('are always read where a table has no versions of rows, and where later statements may see a later state', async () => {
    await host(
      'alter table pivot_definitions rename to pivots; create view pivot_definitions as select * from pivots',
    );
    expect(await version()).toBeUndefined();
    await host('drop view pivot_definitions; alter table pivots rename to pivot_definitions');
    expect(await version()).toBeDefined();
    expect(await estate.db.transaction({ isolation: 'read committed' }, readRulesVersion)).toBeUndefined();
  });
});
