// Verdicts refer to their open findings (issue_ref, input_quality_ref), from the transaction that raises a
// finding to the one that resolves it; `gcos explain` names them. Findings carry hashes of rule and evidence.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

let estate: Estate;
const sql = (text: string) => asHost(estate.url, text);
const follow = async () => {
  await estate.gcos.intakes.once();
  await estate.gcos.scans.run({ mode: 'incremental' });
};
/** The finding of an object in a scope, as explain shows it. */
const explained = async (code: string, scope: string) => {
  const { scopes } = await estate.gcos.explanations.object('dot_tools', code, { scope });
  return scopes[0];
};

beforeAll(async () => {
  estate = await createEstate('scanned');
});
afterAll(() => estate.close());

describe('issue_ref', () => {
  it('names an open finding about exactly that group or object, and every orphan has one', async () => {
    const [rows] = await sql(`
      with linked as (
        select c.scope, c.coverage_outcome, c.inventory_key, null as code, c.issue_ref from governance_candidate_state c where c.row_state = 'active'
        union all
        select o.scope, o.coverage_outcome, o.inventory_key, o.entity_code, o.issue_ref from governance_candidate_object o where o.row_state = 'active')
      select count(*) filter (where l.coverage_outcome = 'orphan')::int as orphans,
        count(*) filter (where l.coverage_outcome = 'orphan' and l.issue_ref is null)::int as unlinked,
        count(*) filter (where l.code is not null and l.issue_ref is not null and k.entity_code = l.code)::int as named,
        count(*) filter (where l.issue_ref is not null and (i.status = 'open' and (k.scope is null or k.scope = l.scope)
          and (k.subject = l.inventory_key and k.finding_type in ('governance_orphan', 'anarchic_object')
              and l.coverage_outcome = 'orphan'
            or k.entity_code = l.code)) is not true)::int as wrong
      from linked l
      left join system_issues i on i.id = l.issue_ref
      left join governance_finding_key k on k.issue_id = l.issue_ref`);
    expect(rows).toMatchObject({ unlinked: 0, wrong: 0 });
    expect(rows?.['orphans']).toBeGreaterThan(20);
    expect(rows?.['named']).toBeGreaterThan(20);
  });

  it('is the finding that names the object, and goes and comes back with it; explain shows it', async () => {
    const before = await explained('DOT-117', 'approval');
    expect(before?.finding).toMatchObject({ type: 'approval_path_gap', status: 'open' });
    const code = before?.finding?.code ?? '';
    const { stdout } = await runCli([
      ...['explain', 'dot_tools', 'DOT-117', '--scope', 'approval', '--database-url', estate.url],
    ]);
    expect(stdout).toContain(`  finding: ${code}, approval_path_gap (open); see gcos finding show ${code}`);

    const [{ approval_ref: approval } = {}] = await sql(
      `select approval_ref from dot_tools where dot_code = 'DOT-118'`,
    );
    await sql(`update dot_tools set approval_ref = '${approval}' where dot_code = 'DOT-117'`);
    await follow();
    expect(await explained('DOT-117', 'approval')).toMatchObject({
      coverageOutcome: 'covered',
      finding: null,
    });
    await sql(`update dot_tools set approval_ref = null where dot_code = 'DOT-117'`);
    await follow();
    expect((await explained('DOT-117', 'approval'))?.finding).toMatchObject({ code, status: 'open' });
  });

  it('survives the activation of another ruleset', async () => {
    const refs = () =>
      sql(`select c.inventory_key, c.scope, c.issue_ref from governance_candidate_state c
           where c.row_state = 'active' and c.issue_ref is not null order by 1, 2`);
    const before = await refs();
    expect(before.length).toBeGreaterThan(10);
    await sql(`update measurement_registry set source_query = 'select 1' where measurement_id = 'MSR-001'`);
    await putRulesIntoForce(estate.gcos);
    expect(await refs()).toEqual(before);
  });
});

describe('input_quality_ref', () => {
  const problems = () =>
    sql(`select o.entity_code, o.scope, o.input_quality_state as state, k.finding_type as type, i.status
         from governance_candidate_object o
         left join system_issues i on i.id = o.input_quality_ref
         left join governance_finding_key k on k.issue_id = o.input_quality_ref
         where o.row_state = 'active' and o.input_quality_state not in ('needs_backfill', 'birth_or_registry_missing')
         order by 1, 2`);

  it('names the finding about the input problem of the row', async () => {
    const rows = await problems();
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows)
      expect(row, JSON.stringify(row)).toMatchObject({
        type: `input_${String(row['state']).replace('incomplete_input', 'incomplete')}`,
        status: 'open',
      });
  });

  it('begins with the problem of a birth and ends with it, in the round of the intake', async () => {
    await sql(
      `insert into birth_registry (entity_code, collection_name, species_code, status, governance_role, dot_origin, composition_level)
       select b.entity_code, b.collection_name, b.species_code, b.status, b.governance_role, b.dot_origin, b.composition_level
       from birth_registry b where b.collection_name = 'dot_tools' and b.entity_code = 'DOT-120' limit 1`,
    );
    await estate.gcos.intakes.once();
    const twice = await explained('DOT-120', 'audit');
    expect(twice?.inputFinding).toMatchObject({ type: 'input_duplicate', status: 'open' });
    await sql(
      `delete from birth_registry where id = (select max(id) from birth_registry where entity_code = 'DOT-120')`,
    );
    await estate.gcos.intakes.once();
    await follow();
    expect(await explained('DOT-120', 'audit')).toMatchObject({ inputFinding: null, verdict: 'relevant' });
  });
});

describe('the hashes of a finding', () => {
  it('are the same when the same evidence comes back, and other ones for other evidence or rules', async () => {
    const hashes = async () => {
      const code = (await explained('DOT-117', 'approval'))?.finding?.code;
      const [row] = await sql(
        `select business_logic_hash as rule, violation_hash as evidence, reopen_count::int as reopened from system_issues where code = '${code}'`,
      );
      return row;
    };
    const setApproval = async (value: string) => {
      await sql(`update dot_tools set approval_ref = ${value} where dot_code = 'DOT-117'`);
      await follow();
    };
    // Another test may have activated other rules since the finding was raised.
    await setApproval(`(select approval_ref from dot_tools where dot_code = 'DOT-118')`);
    await setApproval('null');
    const first = await hashes();
    expect(first).toMatchObject({
      rule: expect.stringMatching(/^[0-9a-f]{64}$/),
      evidence: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await setApproval(`(select approval_ref from dot_tools where dot_code = 'DOT-118')`);
    await setApproval('null');
    expect(await hashes()).toEqual({ ...first, reopened: Number(first?.['reopened']) + 1 });
    const [all] = await sql(
      `select count(*)::int as findings, count(distinct violation_hash)::int as violations, count(distinct business_logic_hash)::int as rules,
         count(distinct issue_type)::int as types, count(*) filter (where business_logic_hash is null or violation_hash is null)::int as without
       from system_issues where source_system = 'gcos'`,
    );
    expect(all).toMatchObject({ without: 0 });
    expect(Number(all?.['rules'])).toBeGreaterThanOrEqual(Number(all?.['types']));
    expect(all?.['violations']).toBe(all?.['findings']);
  });
});
