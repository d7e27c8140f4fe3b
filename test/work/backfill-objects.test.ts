// A later run updates objects with rows of their own when something other than a birth has changed. The
// births do not show such a change, but the ledger must still close and every verdict must be valid.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { keepRulesInForce } from '../support/ruleset-in-force.js';

describe('a later run', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('backfilled');
  });
  afterEach(() => estate.close());

  const host = (sql: string) => asHost(estate.url, sql);
  const notValid = () =>
    host(
      `select v.reason, count(*)::int as rows from governance_validity(now()) v
       join governance_candidate_object o using (row_id) where not v.valid and o.row_state = 'active' group by v.reason`,
    );
  const verdictsOf = async (code: string) =>
    Object.fromEntries(
      (
        await host(
          `select scope, candidate_verdict from governance_candidate_object
           where entity_code = '${code}' and row_state = 'active'`,
        )
      ).map((row) => [row['scope'], row['candidate_verdict']]),
    );

  const setScope = (status: string) =>
    `insert into governance_responsibility_scope (scope_code, default_owner_hint, status) values ('new', 'GOV-COUNCIL', '${status}')
     on conflict (scope_code) do update set status = excluded.status`;
  const setInherits = (yes: boolean) =>
    `update coverage_profile set inherits = ${yes} where class_pattern = 'order%'`;
  /** Makes the change, activates the resulting rules, and runs a backfill. */
  const runAfter = async (change: string) => {
    await host(change);
    await keepRulesInForce(estate.gcos);
    return estate.gcos.backfills.run({});
  };

  it.each([
    ['a scope is added', setScope('active')],
    ['a scope is retired', setScope('retired'), setScope('active')],
    ['a scope becomes active again', setScope('active'), setScope('retired')],
    [
      'the owner of a collection changes',
      `update governance_object_ownership set owner_gov_code = 'GOV-SIV'
       where object_type = 'collection' and object_ref in ('dot_tools', 'orders')`,
    ],
    [
      'the status of a member changes in its registry',
      `update dot_tools set status = 'retired' where dot_code = 'DOT-116'`,
    ],
    ['a class no longer inherits', setInherits(false)],
    ['a class inherits again', setInherits(true), setInherits(false)],
    [
      'rows expire',
      `update governance_candidate_object set stale_after = now() - interval '1 second' where collection_name = 'dot_tools'`,
    ],
    [
      'rows become dirty',
      `update governance_candidate_object set dirty = true, dirty_reason = 'test', dirtied_at = now()
       where input_quality_state is not null or collection_name = 'policies'`,
    ],
  ])('evaluates the objects again after %s', async (_, change, before = '') => {
    if (before !== '') await runAfter(before);
    const report = await runAfter(change);
    expect(report.ledger?.scopes.filter((each) => !each.closes)).toEqual([]);
    expect(report).toMatchObject({ phase: 'tailing', proof: { closed: true } });
    expect(await notValid()).toEqual([]);
    expect(await estate.gcos.backfills.run({})).toMatchObject({ changedRows: 0n });
  });

  it('evaluates objects again when the decision about their collection changes', async () => {
    expect(await verdictsOf('DOT-117')).toMatchObject({ approval: 'relevant', render: 'not_relevant' });
    await host(
      `update collection_registry set coverage_scope_status = 'FUTURE_SCOPE' where collection_name = 'dot_tools'`,
    );
    await estate.gcos.backfills.run({});
    expect(await verdictsOf('DOT-117')).toMatchObject({
      approval: 'deferred_birth',
      render: 'deferred_birth',
    });
  });

  it('names and restores a row of an object that was deleted by hand; the run after it closes', async () => {
    await host(
      `delete from governance_candidate_object where collection_name = 'dot_tools' and entity_code = 'DOT-118' and scope = 'audit' and row_state = 'active'`,
    );
    const first = await estate.gcos.backfills.run({});
    expect(
      first.ledger?.scopes.filter((each) => !each.closes).map(({ scope, gone }) => [scope, gone]),
    ).toEqual([['audit', [{ group: null, collection: 'dot_tools', rows: 1 }]]]);
    expect(await verdictsOf('DOT-118')).toHaveProperty('audit');
    expect((await estate.gcos.backfills.run({})).ledger?.closes).toBe(true);
  });
});
