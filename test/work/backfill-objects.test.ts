// What a later run does for objects with rows of their own when something else than a birth has changed: nothing in the births
// tells of it, and the ledger must close and every verdict must hold all the same.
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
  /** Makes the change, and lets a run close under the rules that then hold. */
  const follow = async (change: string) => {
    await host(change);
    await keepRulesInForce(estate.gcos);
    return estate.gcos.backfills.run({});
  };

  it.each([
    ['a scope that is new', setScope('active')],
    ['a scope that is no longer active', setScope('retired'), setScope('active')],
    ['a scope that is active again', setScope('active'), setScope('retired')],
    [
      'another owner of a collection',
      `update governance_object_ownership set owner_gov_code = 'GOV-SIV'
       where object_type = 'collection' and object_ref in ('dot_tools', 'orders')`,
    ],
    [
      'a member with another status in its registry',
      `update dot_tools set status = 'retired' where dot_code = 'DOT-116'`,
    ],
    ['a class that no longer inherits', setInherits(false)],
    ['a class that inherits again', setInherits(true), setInherits(false)],
    [
      'rows that have expired',
      `update governance_candidate_object set stale_after = now() - interval '1 second' where collection_name = 'dot_tools'`,
    ],
    [
      'rows that are dirty',
      `update governance_candidate_object set dirty = true, dirty_reason = 'test', dirtied_at = now()
       where input_quality_state is not null or collection_name = 'policies'`,
    ],
  ])('looks at the objects again after %s', async (_, change, before = '') => {
    if (before !== '') await follow(before);
    const report = await follow(change);
    expect(report.ledger?.scopes.filter((each) => !each.closes)).toEqual([]);
    expect(report).toMatchObject({ phase: 'tailing', proof: { closed: true } });
    expect(await notValid()).toEqual([]);
    expect(await estate.gcos.backfills.run({})).toMatchObject({ changedRows: 0n });
  });

  it('decides them anew when the decision about their collection changes, as it does their groups', async () => {
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

  it('one row of an object deleted by hand: the next run names it and repairs, the one after closes', async () => {
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
