// Who answers for what in the demo estate: directly, through a collection, through a class, twice, or nobody.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultOwners, type OwnershipSubject, resolveOwners } from '../../src/host/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const AT = '2026-06-01 12:00:00+00';
const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

const child = (objectClass: string, collection: string, scope: string): OwnershipSubject => ({
  objectType: objectClass,
  objectRef: `${objectClass}-without-rows`,
  collection,
  objectClass,
  scope,
});

describe('effective owner', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('host');
  });
  afterEach(() => estate.close());
  const ask = (subjects: readonly OwnershipSubject[], at = AT) =>
    estate.db.transaction(READ_ONLY, (tx) => resolveOwners(tx, subjects, at));

  it('is direct, else through the collection, else through the class; two are a conflict; in the order asked', async () => {
    const direct = {
      objectType: 'dot_tool',
      objectRef: 'DOT-117',
      collection: 'dot_tools',
      scope: 'execution',
    };
    const { available, owners } = await ask([
      direct,
      child('article', 'articles', 'health'),
      child('course', 'courses', 'render'),
      child('product', 'products', 'policy'),
      child('venue', 'venues', 'policy'),
      child('ticket', 'tickets', 'execution'),
    ]);
    expect(available).toBe(true);
    expect(owners).toEqual([
      { owner: 'GOV-DOT', conflict: false, level: 'object' },
      { owner: 'GOV-SIV', conflict: false, level: 'collection' },
      { owner: 'GOV-MOUT', conflict: false, level: 'class' },
      { owner: null, conflict: true, level: 'collection' },
      // Revoked and expired rows make nobody an owner, and a delegate is not accountable.
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
    const nearest = await ask([
      // The nearest rows decide: an owner of its own settles a conflict further up, and a conflict of its own hides an anchor.
      { ...child('product', 'products', 'policy'), objectRef: 'P-1' },
      { ...child('article', 'articles', 'policy'), objectRef: 'A-1' },
      // A row that is no anchor owns the collection, not its members.
      child('venue', 'venues', 'render'),
      { objectType: 'collection', objectRef: 'venues', scope: 'render' },
    ]);
    expect(nearest.owners).toEqual([
      { owner: 'GOV-TRADE', conflict: false, level: 'object' },
      { owner: null, conflict: true, level: 'object' },
      { owner: null, conflict: false, level: 'none' },
      { owner: 'GOV-IU', conflict: false, level: 'object' },
    ]);
  });

  it('is that of the time asked for: from its start, up to but not at its end', async () => {
    await asHost(
      estate.url,
      `insert into governance_object_ownership
         (object_type, object_ref, scope, owner_kind, owner_gov_code, effective_from, effective_to)
       values ('note', 'N-1', 'policy', 'accountable', 'GOV-A', '2026-03-01 00:00+00', '2026-04-01 00:00+00'),
         ('note', 'N-1', 'policy', 'accountable', 'GOV-B', '2026-04-01 00:00+00', null)`,
    );
    const subject = { objectType: 'note', objectRef: 'N-1', scope: 'policy' };
    const owner = async (at: string) => (await ask([subject], at)).owners[0]?.owner;
    expect(await owner('2026-02-28 23:59:59.999999+00')).toBeNull();
    expect(await owner('2026-03-01 00:00:00+00')).toBe('GOV-A');
    expect(await owner('2026-03-31 23:59:59.999999+00')).toBe('GOV-A');
    expect(await owner('2026-04-01 00:00:00+00')).toBe('GOV-B');
  });

  it('of 20,000 subjects is one statement', async () => {
    const subjects = Array.from({ length: 20_000 }, (_, n) => ({
      ...child('article', 'articles', 'health'),
      objectRef: `A-${n}`,
    }));
    const { owners } = await ask(subjects);
    expect(owners).toHaveLength(20_000);
    expect(new Set(owners.map((each) => each.owner))).toEqual(new Set(['GOV-SIV']));
  });

  it('knows the default owner of a scope', async () => {
    const defaults = await estate.db.transaction(READ_ONLY, (tx) =>
      defaultOwners(tx, ['policy', 'audit', 'nowhere']),
    );
    expect(Object.fromEntries(defaults)).toEqual({ policy: 'GOV-COUNCIL', audit: 'GOV-SIV' });
  });

  it('is unknown, not an error, where the host lacks the tables or their columns', async () => {
    const subjects = [child('article', 'articles', 'health')];
    const unknown = { available: false, owners: [{ owner: null, conflict: false, level: 'none' }] };
    await asHost(
      estate.url,
      'alter table governance_object_ownership rename column is_inherited_anchor to anchor',
    );
    expect(await ask(subjects)).toEqual(unknown);
    await asHost(
      estate.url,
      'drop table governance_object_ownership; drop table governance_responsibility_scope',
    );
    expect(await ask(subjects)).toEqual(unknown);
    expect(await estate.db.transaction(READ_ONLY, (tx) => defaultOwners(tx, ['policy']))).toEqual(new Map());
  });
});
