// Owners in the demo estate: of the object, of its collection or of its class, in conflict, or none.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultOwners, type OwnershipSubject, resolveOwners } from '../../src/host/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const AT = '2026-06-01 12:00:00+00';
const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

const memberOf = (objectClass: string, collection: string, scope: string): OwnershipSubject => ({
  objectType: objectClass,
  objectRef: `${objectClass}-without-rows`,
  collection,
  objectClass,
  scope,
});

describe('the effective owner', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('host');
  });
  afterEach(() => estate.close());
  const resolve = (subjects: readonly OwnershipSubject[], at = AT) =>
    estate.db.transaction(READ_ONLY, (tx) => resolveOwners(tx, subjects, at));

  it('is that of the object, else of the collection, else of the class; two owners are a conflict; the order is kept', async () => {
    const direct = {
      objectType: 'dot_tool',
      objectRef: 'DOT-117',
      collection: 'dot_tools',
      scope: 'execution',
    };
    const { available, owners } = await resolve([
      direct,
      memberOf('article', 'articles', 'health'),
      memberOf('course', 'courses', 'render'),
      memberOf('product', 'products', 'policy'),
      memberOf('venue', 'venues', 'policy'),
      memberOf('ticket', 'tickets', 'execution'),
    ]);
    expect(available).toBe(true);
    expect(owners).toEqual([
      { owner: 'GOV-DOT', conflict: false, level: 'object' },
      { owner: 'GOV-SIV', conflict: false, level: 'collection' },
      { owner: 'GOV-MOUT', conflict: false, level: 'class' },
      { owner: null, conflict: true, level: 'collection' },
      // Revoked and expired rows name no owner, and a delegate is not accountable.
      { owner: null, conflict: false, level: 'none' },
      { owner: null, conflict: false, level: 'none' },
    ]);
    await asHost(
      estate.url,
      `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, effective_from)
       values ('product', 'P-1', 'policy', 'accountable', 'GOV-TRADE', '2026-01-01'),
         ('article', 'A-1', 'policy', 'accountable', 'GOV-TRADE', '2026-01-01'),
         ('article', 'A-1', 'policy', 'accountable', 'GOV-IU', '2026-01-01'),
         ('collection', 'venues', 'render', 'accountable', 'GOV-IU', '2026-01-01')`,
    );
    const nearest = await resolve([
      // The nearest rows decide: an owner of the object overrides a conflict of the collection, and a
      // conflict of the object overrides an anchor.
      { ...memberOf('product', 'products', 'policy'), objectRef: 'P-1' },
      { ...memberOf('article', 'articles', 'policy'), objectRef: 'A-1' },
      // A row that is not an anchor names the owner of the collection, not of its members.
      memberOf('venue', 'venues', 'render'),
      { objectType: 'collection', objectRef: 'venues', scope: 'render' },
    ]);
    expect(nearest.owners).toEqual([
      { owner: 'GOV-TRADE', conflict: false, level: 'object' },
      { owner: null, conflict: true, level: 'object' },
      { owner: null, conflict: false, level: 'none' },
      { owner: 'GOV-IU', conflict: false, level: 'object' },
    ]);
  });

  it('is that of the given time: from the start of a row, up to but not including its end', async () => {
    await asHost(
      estate.url,
      `insert into governance_object_ownership
         (object_type, object_ref, scope, owner_kind, owner_gov_code, effective_from, effective_to)
       values ('note', 'N-1', 'policy', 'accountable', 'GOV-A', '2026-03-01 00:00+00', '2026-04-01 00:00+00'),
         ('note', 'N-1', 'policy', 'accountable', 'GOV-B', '2026-04-01 00:00+00', null)`,
    );
    const subject = { objectType: 'note', objectRef: 'N-1', scope: 'policy' };
    const owner = async (at: string) => (await resolve([subject], at)).owners[0]?.owner;
    expect(await owner('2026-02-28 23:59:59.999999+00')).toBeNull();
    expect(await owner('2026-03-01 00:00:00+00')).toBe('GOV-A');
    expect(await owner('2026-03-31 23:59:59.999999+00')).toBe('GOV-A');
    expect(await owner('2026-04-01 00:00:00+00')).toBe('GOV-B');
  });

  it('is resolved for 20,000 subjects in one call', async () => {
    const subjects = Array.from({ length: 20_000 }, (_, n) => ({
      ...memberOf('article', 'articles', 'health'),
      objectRef: `A-${n}`,
    }));
    const { owners } = await resolve(subjects);
    expect(owners).toHaveLength(20_000);
    expect(new Set(owners.map((each) => each.owner))).toEqual(new Set(['GOV-SIV']));
  });

  it('has a default for each scope', async () => {
    const defaults = await estate.db.transaction(READ_ONLY, (tx) =>
      defaultOwners(tx, ['policy', 'audit', 'nowhere']),
    );
    expect(Object.fromEntries(defaults)).toEqual({ policy: 'GOV-COUNCIL', audit: 'GOV-SIV' });
  });

  it('is unknown if the host lacks the tables or their columns', async () => {
    const subjects = [memberOf('article', 'articles', 'health')];
    const unknown = { available: false, owners: [{ owner: null, conflict: false, level: 'none' }] };
    await asHost(
      estate.url,
      'alter table governance_object_ownership rename column is_inherited_anchor to anchor',
    );
    expect(await resolve(subjects)).toEqual(unknown);
    await asHost(
      estate.url,
      'drop table governance_object_ownership; drop table governance_responsibility_scope',
    );
    expect(await resolve(subjects)).toEqual(unknown);
    expect(await estate.db.transaction(READ_ONLY, (tx) => defaultOwners(tx, ['policy']))).toEqual(new Map());
  });
});
