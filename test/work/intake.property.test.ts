// After any history of the host, taken in step by step, the running fingerprints match the tables, and every
// unmarked group would get the same verdict again.
import fc from 'fast-check';
import { expect } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import { readActive } from '../../src/rule/ruleset/index.js';
import { evaluateGroups, readRules } from '../../src/verdict/candidate/index.js';
import { asHost } from '../support/database.js';
import { createIntake, type IntakeEstate } from '../support/intake.js';
import { holds } from '../support/property.js';
import { keepRulesInForce } from '../support/ruleset-in-force.js';
import { wrongGroupsOf } from '../support/tail.js';

const COLLECTIONS = ['orders', 'articles', 'payments', 'dot_tools', 'publishing_jobs', 'nobody_knows'];
const DECISIONS = ['IN_SCOPE', 'FUTURE_SCOPE', 'USER_EXCLUDED'];

/** A change in the host, as SQL: takes a collection, two numbers for choices, and a unique suffix. */
type Mutation = (collection: string, a: number, b: number, mark: string) => string;
const MUTATIONS = {
  born: (c, _a, _b, mark) =>
    `insert into birth_registry (entity_code, collection_name, status) values ('F-${mark}', '${c}', 'born')`,
  bornMany: (c, a, b, mark) =>
    `insert into birth_registry (entity_code, collection_name, status, born_at) select 'M-${mark}-' || g, '${c}', 'born', now() - interval '${a % 90} days' from generate_series(1, ${1 + (b % 20)}) g`,
  status: (_c, a, b) =>
    `update birth_registry set status = '${a % 2 ? 'retired' : 'born'}' where id = ${1 + (b % 20_000)}`,
  moved: (c, a) => `update birth_registry set collection_name = '${c}' where id = ${1 + (a % 20_000)}`,
  deleted: (_c, a) => `delete from birth_registry where id = ${1 + (a % 20_000)}`,
  owner: (_c, a, _b, mark) =>
    `update governance_object_ownership set owner_gov_code = 'GOV-F${a % 3}' where id = (select id from governance_object_ownership order by md5(id || '${mark}') limit 1)`,
  decision: (_c, a, _b, mark) =>
    `update collection_registry set coverage_scope_status = '${DECISIONS[a % 3]}' where code = (select code from collection_registry order by md5(code || '${mark}') limit 1)`,
  ttl: (_c, a, _b, mark) =>
    `update coverage_profile set ttl = interval '${1 + (a % 9)} days' where profile_code = (select profile_code from coverage_profile order by md5(profile_code || '${mark}') limit 1)`,
  tool: (_c, a, b) =>
    `update dot_tools set status = '${a % 2 ? 'retired' : 'active'}' where dot_code = 'DOT-0${10 + (b % 80)}'`,
  line: (_c, _a, _b, mark) =>
    `insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('dot_tool', 'DOT-117', 'act_${mark.length}', 'DOT-001')`,
} satisfies Record<string, Mutation>;
type Kind = keyof typeof MUTATIONS;
type Step = readonly [kind: Kind, collection: number, a: number, b: number, mark: string];
const KINDS = Object.keys(MUTATIONS) as Kind[];
const AT_ONCE = 25;

const sqlOf = ([kind, collection, a, b, mark]: Step): string =>
  MUTATIONS[kind](COLLECTIONS[collection % COLLECTIONS.length] ?? '', a, b, mark);

async function applySteps(h: IntakeEstate, steps: readonly Step[]): Promise<void> {
  for (let from = 0; from < steps.length; from += AT_ONCE) {
    await asHost(
      h.estate.url,
      steps
        .slice(from, from + AT_ONCE)
        .map(sqlOf)
        .join(';\n'),
    );
    await h.once();
  }
}

/** Returns the number of unmarked groups. */
async function expectNothingMissed(h: IntakeEstate): Promise<number> {
  expect(await wrongGroupsOf(h.estate.db)).toEqual([]);
  // Nothing is evaluated under rules that were not approved, so the random edits of rules are approved first.
  await keepRulesInForce(h.estate.gcos);
  await h.once();
  const clean = await h.host(
    `select inventory_key from governance_inventory i where not exists (
     select from governance_candidate_state c where c.inventory_key = i.inventory_key and c.row_state <> 'superseded' and c.dirty)`,
  );
  const evaluation = await h.estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) =>
    evaluateGroups(tx, {
      inventoryKeys: clean.map((row) => String(row['inventory_key'])),
      rulesetVersion: (await readActive(tx))?.version ?? '',
      runId: 'property',
      at: await readServerTime(tx),
      rules: await readRules(tx),
    }),
  );
  expect(evaluation).toMatchObject({ inserted: 0, changed: 0, superseded: 0 });
  const { proof } = await h.estate.gcos.backfills.verify();
  expect(proof).toMatchObject({ closed: true, omitted: 0n, duplicated: 0n, mismatchedGroups: [] });
  return clean.length;
}

holds<readonly Step[]>('the intake counts correctly, and marks every group whose verdict would change', {
  cases: fc.array(
    fc.tuple(
      fc.constantFrom(...KINDS),
      fc.nat(COLLECTIONS.length - 1),
      fc.nat(19_999),
      fc.nat(19_999),
      fc.nat(999_999).map(String),
    ),
    { minLength: 1, maxLength: 100, size: 'max' },
  ),
  check: async (steps) => {
    const h = await createIntake();
    try {
      await applySteps(h, steps);
      return await expectNothingMissed(h);
    } finally {
      await h.close();
    }
  },
  seeds: [7, 2_026],
  runs: 1,
  kept: new URL('./seeds/handoff.json', import.meta.url),
});
