// From a change of rules to its activation: the plan previews the effects, the approval is bound to the plan,
// and only the approved plan is activated.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { provideActors } from '../../src/demo/index.js';
import type { GcosError } from '../../src/index.js';
import { readInventory } from '../../src/inventory/snapshot/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { capture } from '../support/inventory.js';
import { createPeople } from '../support/people.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

const LAW_TABLES = ['normative_registry', 'law_catalog', 'governance_docs'];

let estate: Estate;
afterEach(() => estate.close());

const digestLaws = async () => {
  const rows = await Promise.all(
    LAW_TABLES.map((table) =>
      asHost(estate.url, `select md5(string_agg(t::text, '|' order by t::text)) as hash from ${table} t`),
    ),
  );
  return rows.map(([row]) => row?.['hash']);
};
const count = async (table: string) =>
  (await asHost(estate.url, `select count(*)::int as n from ${table}`))[0]?.['n'];

async function approve(code: string): Promise<void> {
  for (const as of ['president', 'council-1', 'council-2']) await estate.gcos.requests.approve(code, { as });
}

describe('gcos ruleset plan, propose, activate: the first rules', () => {
  beforeEach(async () => {
    estate = await createEstate('installed');
    await provideActors(estate.db);
    await estate.gcos.snapshots.capture({ kind: 'backfill' });
  });

  it('the first plan dirties every group, and writes nothing', async () => {
    const [rulesets, issues, audits] = [
      await count('governance_ruleset'),
      await count('system_issues'),
      await count('registry_changelog'),
    ];
    const plan = await estate.gcos.plans.plan();
    expect(plan.from).toBeNull();
    expect(plan.groups.total).toBeGreaterThan(0n);
    expect(plan.groups.dirtied).toBe(plan.groups.total);
    expect(plan.hash).toBe((await estate.gcos.plans.plan()).hash);
    expect([
      await count('governance_ruleset'),
      await count('system_issues'),
      await count('registry_changelog'),
    ]).toEqual([rulesets, issues, audits]);
  });

  it('38.10 #4 No law version-bump: the activation of an approved plan leaves the laws unchanged, byte for byte', async () => {
    const before = await digestLaws();
    const { code, plan } = await estate.gcos.plans.propose({ as: 'member-1' });
    await expect(estate.gcos.plans.activate(plan.to, code, { as: 'operator' })).rejects.toMatchObject({
      exit: 2,
    });
    await approve(code);
    const done = await estate.gcos.plans.activate(plan.to, code, { as: 'operator' });
    expect(done).toMatchObject({ version: plan.to, superseded: null });
    expect(await digestLaws()).toEqual(before);
    const audit = await asHost(
      estate.url,
      `select action from registry_changelog where entity_type = 'governance_ruleset' and entity_code = '${plan.to}' order by id`,
    );
    expect(audit.map((row) => row['action'])).toEqual(['draft', 'activate']);
  });

  it('a snapshot names the ruleset that was active when it was captured', async () => {
    const { snapshots } = await estate.gcos.snapshots.list();
    expect(snapshots.map((each) => each.rulesetVersion)).toEqual([null]);
    await putRulesIntoForce(estate.gcos);
    const [active] = await asHost(
      estate.url,
      "select ruleset_version from governance_ruleset where status = 'active'",
    );
    const { document } = await estate.gcos.snapshots.capture({ kind: 'full' });
    expect(document.ruleset_version).toBe(active?.['ruleset_version']);
  });

  it('rulesets stay drafts without approval tables or an owner, and a finding reports it until that changes', async () => {
    const other = await createEstate('installed');
    const people = createPeople(other.url);
    const unowned = async () =>
      (
        await asHost(
          other.url,
          `select split_part(k.coalesce_key, ':', -1) || ' ' || i.status as state from governance_finding_key k
           join system_issues i on i.id = k.issue_id where k.finding_type = 'ruleset_unowned' order by 1`,
        )
      ).map((row) => row['state']);
    try {
      await other.gcos.rulesets.draft();
      expect(await unowned()).toEqual([]);
      await asHost(
        other.url,
        "alter table apr_approvals rename to hidden; update governance_registry set status = 'dormant' where code = 'GOV-COUNCIL'",
      );
      // A login that may not write findings gets the same error; a login that may write them raises the
      // finding.
      const { gcos: person } = await people.login('person');
      const refused = { code: 'approvals_unavailable', exit: 4 };
      await expect(person.plans.propose()).rejects.toMatchObject(refused);
      expect(await person.rulesets.draft()).toMatchObject({ owner: null });
      expect(await unowned()).toEqual([]);
      await expect(other.gcos.plans.propose()).rejects.toMatchObject(refused);
      expect(await unowned()).toEqual(['no_approvals open', 'no_owner open']);
      await asHost(other.url, 'alter table hidden rename to apr_approvals');
      await other.gcos.rulesets.draft();
      expect(await unowned()).toEqual(['no_approvals resolved', 'no_owner open']);
      await asHost(other.url, "update governance_registry set status = 'active' where code = 'GOV-COUNCIL'");
      const { gcos: worker } = await people.login('worker', 'gcos_worker');
      await worker.rulesets.drift();
      expect(await unowned()).toEqual(['no_approvals resolved', 'no_owner resolved']);
      await asHost(other.url, 'alter table apr_approvals rename to hidden');
      await worker.rulesets.draft();
      expect(await unowned()).toEqual(['no_approvals open', 'no_owner resolved']);
    } finally {
      await people.close();
      await other.close();
    }
  });
});

describe('gcos ruleset plan, propose, activate: a change of the rules in force', () => {
  beforeEach(async () => {
    estate = await createEstate('ruled');
    await estate.gcos.snapshots.capture({ kind: 'backfill' });
  });
  /** Changes the comparison of one detector. */
  const changeComparison = (comparison: string) =>
    asHost(
      estate.url,
      `update measurement_registry set comparison = '${comparison}' where measurement_id = (select min(measurement_id) from measurement_registry where enabled)`,
    );

  it('the active rules give an empty plan, which cannot be proposed', async () => {
    const plan = await estate.gcos.plans.plan();
    expect(plan).toMatchObject({ changes: [], groups: { dirtied: 0n } });
    await expect(estate.gcos.plans.propose({ as: 'member-1' })).rejects.toMatchObject({ code: 'plan_empty' });
  });

  it('a changed detector dirties only its reach', async () => {
    const [detector] = await asHost(
      estate.url,
      `select m.measurement_id, r.scope from measurement_registry m
       join governance_rule_reach r on r.rule_kind = 'law' and r.rule_code = m.law_code
       where m.enabled and r.scope is not null and (select count(*) from governance_rule_reach x where x.rule_code = m.law_code) = 1
       order by 1 limit 1`,
    );
    await asHost(
      estate.url,
      `update measurement_registry set severity = severity || '!' where measurement_id = '${detector?.['measurement_id']}'`,
    );
    const plan = await estate.gcos.plans.plan();
    expect(plan.changes).toHaveLength(1);
    const [groups] = await asHost(
      estate.url,
      `select count(*)::int as n from governance_group where scope = '${detector?.['scope']}'`,
    );
    expect(plan.groups.dirtied).toBe(BigInt(groups?.['n'] as number));
    expect(plan.groups.carried).toBe(plan.groups.total - plan.groups.dirtied);
  });

  it('a profile concerns the classes that its pattern matches, also with a backslash', async () => {
    const before = await estate.gcos.plans.plan();
    await asHost(
      estate.url,
      String.raw`insert into coverage_profile (profile_code, class_pattern, risk_class, ttl)
        select 'PRF-ODD', '%\', risk_class, ttl from coverage_profile where profile_code = 'PRF-006'`,
    );
    const plan = await estate.gcos.plans.plan();
    expect(plan.changes).toHaveLength(before.changes.length + 1);
    expect(plan.changes.find((each) => each.text.includes('PRF-ODD'))).toMatchObject({ groups: 0n });
  });

  it('an approval is bound to its plan: rules changed since then are not activated', async () => {
    await changeComparison('at_most');
    const { code, plan } = await estate.gcos.plans.propose({ as: 'member-1' });
    await approve(code);
    await changeComparison('at_least');
    await expect(estate.gcos.plans.activate(plan.to, code, { as: 'operator' })).rejects.toMatchObject({
      code: 'plan_changed',
      exit: 2,
    });
    const [active] = await asHost(
      estate.url,
      "select count(*)::int as n from governance_ruleset where status = 'active'",
    );
    expect(active?.['n']).toBe(1);
  });

  it('no ruleset is activated while two reads of a snapshot differ', async () => {
    await changeComparison('at_least');
    const { code, plan } = await estate.gcos.plans.propose({ as: 'member-1' });
    await approve(code);
    const disagreeing = capture(estate.db, {
      kind: 'full',
      secondReader: async (tx, map, options) => {
        const inventory = await readInventory(tx, map, options);
        return { ...inventory, groups: inventory.groups.slice(1) };
      },
    });
    await expect(disagreeing).rejects.toMatchObject({ code: 'snapshot_nondeterministic' });
    await expect(estate.gcos.plans.activate(plan.to, code, { as: 'operator' })).rejects.toMatchObject({
      code: 'activation_frozen',
      exit: 2,
    });
    expect(await estate.gcos.rulesets.show('active')).not.toMatchObject({ version: plan.to });
    await estate.gcos.snapshots.capture({ kind: 'full' });
    expect(await estate.gcos.plans.activate(plan.to, code, { as: 'operator' })).toMatchObject({
      version: plan.to,
    });
  });

  it('of three concurrent activations one succeeds, and the others are refused', async () => {
    await changeComparison('at_least');
    const { code, plan } = await estate.gcos.plans.propose({ as: 'member-1' });
    await approve(code);
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => estate.gcos.plans.activate(plan.to, code, { as: 'operator' })),
    );
    expect(
      results.map((each) => (each.status === 'fulfilled' ? 'done' : (each.reason as GcosError).code)).sort(),
    ).toEqual(['done', 'ruleset_superseded', 'ruleset_superseded']);
    expect(
      await asHost(estate.url, "select ruleset_version from governance_ruleset where status = 'active'"),
    ).toEqual([{ ruleset_version: plan.to }]);
  });
});
