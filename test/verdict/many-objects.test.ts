// Many objects that count one by one: what is written and read in parts is the same as in one statement, and
// a statement that writes objects meets the groups of its own objects only.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readServerTime, type Transaction } from '../../src/db/index.js';
import { materializeObjects, readRules } from '../../src/verdict/candidate/index.js';
import { readDuplicates, readTerms } from '../../src/verdict/ledger/row/terms.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const STATUSES = 400;

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('judged');
});
afterAll(() => estate.close());

const rows = (counts: Awaited<ReturnType<typeof readTerms>>): readonly string[] =>
  counts
    .map((each) => `${each.scope} ${each.inventoryKey} ${each.term} ${each.cause} ${each.units} ${each.keys}`)
    .sort();

it('the terms of a ledger, and surplus rows, are the same in one range and in many', async () => {
  await asHost(
    estate.url,
    `drop index governance_candidate_object_one_live;
     insert into governance_candidate_object (object_key, collection_name, entity_code, group_key, ruleset_version, inventory_key, scope,
       materialization_reason, reasons, source_snapshot_ref, scan_time, stale_after, candidate_verdict, verdict_line, risk_class,
       coverage_required, weight, input_hash, last_run_id, created_at, updated_at)
     select 'again ' || entity_code, collection_name, entity_code, group_key, ruleset_version, inventory_key, scope, materialization_reason, reasons,
       source_snapshot_ref, scan_time, stale_after, candidate_verdict, verdict_line, risk_class, coverage_required, weight, input_hash,
       last_run_id, created_at, updated_at
     from governance_candidate_object where collection_name = 'dot_tools' and scope = 'audit' and row_state = 'active'`,
  );
  await estate.db.transaction(READ_ONLY, async (tx) => {
    const at = await readServerTime(tx);
    const whole = await readTerms(tx, at);
    const surplus = await readDuplicates(tx);
    expect(whole.length).toBeGreaterThan(100);
    expect(surplus.get('audit')).toBeGreaterThan(50n);
    for (const parts of [2, 7, 40]) {
      expect(rows(await readTerms(tx, at, { parts }))).toEqual(rows(whole));
      expect(await readDuplicates(tx, parts)).toEqual(surplus);
    }
  });
});

it('a statement that writes objects meets the groups of its objects, and births are judged some at a time', async () => {
  await asHost(
    estate.url,
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, certified, status)
     select 'MANY-' || n, 'devices', 'SP-DEVICE', 'atom', 'DOT-103', 'governed', false, 'state-' || n % ${STATUSES}
     from generate_series(1, 5000) as n`,
  );
  const met: number[] = [];
  const judged: number[] = [];
  const version = (
    await asHost(
      estate.url,
      `select ruleset_version as version from governance_ruleset where status = 'active'`,
    )
  )[0]?.['version'];
  await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
    const counting = new Proxy(tx, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (name !== 'run' && name !== 'one') return typeof value === 'function' ? value.bind(target) : value;
        return async (...args: Parameters<Transaction['run']>) => {
          if (args[0].name === 'objects.writeObjects')
            met.push(new Set((args[1] as { inventoryKeys: string[] }).inventoryKeys).size);
          if (args[0].name === 'birth.pickIds') judged.push((args[1] as { ids: bigint[] }).ids.length);
          return name === 'run' ? target.run(...args) : target.one(...args);
        };
      },
    });
    const options = {
      ...{ rulesetVersion: String(version), runId: 'many-objects' },
      ...{ at: await readServerTime(tx), rules: await readRules(tx) },
    };
    const written = await materializeObjects(counting, { ...options, of: { collections: ['devices'] } });
    expect(written.objects).toBeGreaterThanOrEqual(5_000);
    // In the order of births each of the three statements meets all groups.
    expect(met.length).toBeGreaterThanOrEqual(3);
    expect(met.reduce((sum, each) => sum + each, 0)).toBeLessThan(STATUSES * 2);
    judged.length = 0;
    // Ids of no births: only how many are judged at once matters.
    await materializeObjects(counting, {
      ...options,
      of: { ids: Array.from({ length: 25_000 }, (_, index) => BigInt(1_000_000_000 + index)) },
    });
    expect(judged).toEqual([10_000, 10_000, 5_000]);
  });
});
