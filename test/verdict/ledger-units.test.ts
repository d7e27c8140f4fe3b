// The list of units: for each scope, each term and each cause, it has exactly the units that the ledger counts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gcos, ScopeTerms, UnitFilter, UnitLine } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

/** All pages of the list. */
async function unitsOf(gcos: Gcos, filter: UnitFilter): Promise<UnitLine[]> {
  const units: UnitLine[] = [];
  for (let after: string | undefined; ; ) {
    const page = await gcos.ledgers.units({ ...filter, ...(after === undefined ? {} : { after }) });
    units.push(...page.units);
    if (page.next === null) return units;
    after = page.next;
  }
}
const nameOf = (unit: UnitLine) =>
  JSON.stringify([
    unit.kind,
    unit.scope,
    unit.inventoryKey,
    unit.collection,
    unit.code,
    unit.birthId?.toString(),
  ]);

const TERMS = [
  'covered',
  'orphans',
  'exceptions',
  'retired',
  'unverified',
  'deferred_birth',
  'class_0',
] as const;
const countOf = (ledger: ScopeTerms, term: (typeof TERMS)[number]) =>
  term === 'deferred_birth' ? ledger.deferredBirth : ledger[term];

/** Every count of the ledger is the length of its list. Returns how many there were. */
async function compare(gcos: Gcos): Promise<number> {
  const { scopes } = await gcos.ledgers.terms();
  let compared = 0;
  for (const ledger of scopes) {
    const { scope } = ledger;
    const all = await unitsOf(gcos, { scope, limit: 10_000 });
    expect(new Set(all.map(nameOf)).size).toBe(all.length);
    expect(all).toHaveLength(ledger.total + ledger.notRelevant);
    const counts: [UnitFilter, number][] = [
      [{ term: 'total' }, ledger.total],
      [{ term: 'not_relevant' }, ledger.notRelevant],
      [{ cause: 'tombstone' }, ledger.tombstones],
      ...TERMS.map((term): [UnitFilter, number] => [{ term }, countOf(ledger, term)]),
      ...Object.entries({ ...ledger.unverifiedBy, ...ledger.deferredBy }).map(
        ([cause, count]): [UnitFilter, number] => [{ cause }, count],
      ),
    ];
    for (const [filter, count] of counts) {
      expect([filter, (await unitsOf(gcos, { scope, limit: 10_000, ...filter })).length]).toEqual([
        filter,
        count,
      ]);
      compared += 1;
    }
  }
  return compared;
}

describe('the list of units', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('scanned');
    // Everything that has no row of a verdict, and a tombstone, expired and dirty rows.
    await asHost(
      estate.url,
      `alter table birth_registry alter entity_code drop not null;
      insert into birth_registry (entity_code, collection_name, born_at) values (null, 'articles', now()), (null, 'dot_tools', now());
      insert into birth_registry (entity_code, collection_name, born_at) values ('DOT-FAILED', 'dot_tools', now());
      insert into gov_worker_retry (worker, source, round, failed_table, failed_ref, address, failures, last_error, detail,
          first_failed_at, last_failed_at, next_attempt_at)
        select 'intake', 'birth_registry', 'near', 'birth_registry', b.id::text, 'DOT-FAILED', 1, 'a test', '{}', now(), now(), now()
        from birth_registry b where b.entity_code = 'DOT-FAILED';
      update governance_candidate_object set stale_after = now() - interval '1 s' where entity_code < 'B';
      update governance_candidate_state set dirty = true, dirty_reason = 'a test', dirtied_at = now() where scope = 'audit'`,
    );
  });
  afterAll(() => estate.close());

  it('has as many units as the ledger counts, of every term and cause', async () => {
    const { gcos } = estate;
    expect(await compare(gcos.at(await gcos.moment()))).toBeGreaterThan(60);
  });

  it('has every unit once, whatever the size of its pages', async () => {
    const { gcos } = estate;
    const pinned = gcos.at(await gcos.moment());
    const whole = (await unitsOf(pinned, { scope: 'approval', limit: 10_000 })).map(nameOf);
    expect((await unitsOf(pinned, { scope: 'approval', limit: 37 })).map(nameOf)).toEqual(whole);
    expect(
      new Set((await unitsOf(pinned, { limit: 10_000 })).map((unit) => unit.scope)).size,
    ).toBeGreaterThan(1);
  });

  it.each([
    [{ scope: 'aproval' }, 'did you mean `approval`'],
    [{ term: 'orphan' }, 'did you mean `orphans`'],
    [{ cause: 'dirt' }, 'did you mean `dirty`'],
    [{ owner: 'GOV-SIW' }, 'GOV-SIV'],
    [{ collection: 'dot_tool' }, 'did you mean `dot_tools`'],
    [{ objectClass: 'dot_tols' }, 'did you mean'],
    [{ group: 'ig-0' }, 'there is no group'],
    [{ after: 'x' }, 'after'],
    [{ limit: 0 }, 'limit'],
  ] as unknown as [UnitFilter, string][])('refuses %j', async (filter, text) => {
    await expect(estate.gcos.ledgers.units(filter)).rejects.toThrow(text);
  });
});
