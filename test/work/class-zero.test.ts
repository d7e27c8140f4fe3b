// An object of class 0 that ownership, an axis or a rule begins to name leaves class 0 with the next
// incremental scan, and returns when nothing names it any more.
import { describe, expect, it } from 'vitest';
import { catchUp, differences, readKnownState, startOver } from '../support/from-scratch.js';
import { estate, host, intake, number, scan, useReconciled } from '../support/reconciled.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

useReconciled();

const own = (type: string, ref: string) =>
  `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, effective_from, lifecycle_status)
   select '${type}', '${ref}', scope, owner_kind, owner_gov_code, effective_from, lifecycle_status from governance_object_ownership
   where object_type = 'collection' and object_ref = 'orders' and lifecycle_status = 'active'`;

interface Place {
  readonly collection: string;
  readonly objectClass: string;
  readonly code: string;
}
/** A collection whose objects are class 0, with its class and one of its objects. */
async function findPlace(): Promise<Place> {
  const [row] = await host(
    `select i.source_registry as collection, i.object_class as "objectClass", min(b.entity_code) as code
     from governance_candidate_state c join governance_inventory i using (inventory_key)
     join birth_registry b on b.collection_name = i.source_registry and b.status = i.lifecycle_status
     where c.row_state = 'active' and c.candidate_verdict = 'class_0' and i.member_count > 0 group by 1, 2 order by 1 limit 1`,
  );
  if (row === undefined) throw new Error('the estate has no class 0');
  return row as unknown as Place;
}
const zeros = ({ collection }: Place) =>
  number(`select count(*)::int as n from governance_candidate_state c join governance_inventory i using (inventory_key)
    where i.source_registry = '${collection}' and c.row_state = 'active' and c.candidate_verdict = 'class_0'`);
const verdictsOf = async ({ collection, code }: Place) =>
  (
    await host(`select distinct candidate_verdict as v from governance_candidate_object
      where collection_name = '${collection}' and entity_code = '${code}' and row_state = 'active'`)
  ).map((row) => row['v']);
const state = async () =>
  readKnownState(estate.url, String((await host('select now()::text as at'))[0]?.['at']));

describe('class 0', () => {
  it.each(['collection', 'class'] as const)(
    'ends for a %s that ownership begins to name, and returns',
    async (kind) => {
      const place = await findPlace();
      const before = await zeros(place);
      expect(before).toBeGreaterThan(0);
      await host(own(kind, kind === 'class' ? place.objectClass : place.collection));
      await intake();
      await scan('incremental');
      expect(await zeros(place)).toBe(0);
      await host(
        `delete from governance_object_ownership where object_type = '${kind}' and object_ref in ('${place.objectClass}', '${place.collection}')`,
      );
      await intake();
      await scan('incremental');
      expect(await zeros(place)).toBe(before);
    },
  );

  it('ends for a single object that ownership begins to name, as a scan from nothing sees it, and returns', async () => {
    const place = await findPlace();
    expect(await verdictsOf(place)).toEqual([]);
    await host(own(place.objectClass, place.code));
    await intake();
    await scan('incremental');
    const named = await verdictsOf(place);
    expect(named).not.toEqual([]);
    expect(named).not.toContain('class_0');
    await catchUp(estate.gcos);
    const incremental = await state();
    await startOver(estate.url, estate.gcos);
    expect(differences(incremental, await state())).toEqual([]);
    await host(`delete from governance_object_ownership where object_ref = '${place.code}'`);
    await intake();
    await scan('incremental');
    expect(await verdictsOf(place)).toEqual([]);
  });

  it.each([
    [
      'an axis',
      ({ objectClass }: Place) =>
        `insert into axis_registry (axis_code, name, axis_family, object_class, status) values ('AX-ZERO', 'zero', 'zero', '${objectClass}', 'active')`,
    ],
    [
      'a rule',
      ({ collection }: Place) =>
        `insert into governance_rule_reach (rule_kind, rule_code, source_registry) values ('law', 'LAW-01', '${collection}')`,
    ],
  ] as const)('ends for what %s of a new ruleset names', async (_, edit) => {
    const place = await findPlace();
    await host(edit(place));
    await putRulesIntoForce(estate.gcos);
    await intake();
    await scan('incremental');
    expect(await zeros(place)).toBe(0);
  });
});
