// Every function that a login may call has an entry that says what it derives, and no argument is a fact of
// the caller without a reason. The reference page is made of both (npm run docs writes it).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEstate, type Estate } from '../support/estate.js';
import { functionCatalogue } from '../support/function-catalogue.js';
import { functionsPage, looksLikeFact, problemsOf, readGranted } from '../support/function-page.js';

describe('the catalogue of functions', () => {
  let estate: Estate;
  let granted: Awaited<ReturnType<typeof readGranted>>;
  beforeAll(async () => {
    estate = await createEstate('installed');
    granted = await readGranted(estate.url);
  });
  afterAll(() => estate.close());

  it('has an entry for every function that a login may call, and a reason for every fact', () => {
    expect(granted.length).toBeGreaterThan(60);
    expect(problemsOf(granted)).toEqual([]);
  });

  it('notices a function without an entry, an entry without a function, and a fact without a reason', () => {
    const added = [
      ...granted,
      { name: 'gcos_new', args: [], callers: ['gcos_api'], runsAs: 'gcos_owner', writes: true },
    ];
    expect(problemsOf(added)).toEqual(['gcos_new is granted and has no entry']);
    const entries = { ...functionCatalogue, gcos_gone: { does: 'x', derives: 'x' } };
    expect(problemsOf(granted, entries)).toEqual(['gcos_gone has an entry and is not granted to a login']);
    const { facts: _, ...withoutReason } = functionCatalogue['governance_validity'] ?? {
      does: '',
      derives: '',
    };
    expect(problemsOf(granted, { ...functionCatalogue, governance_validity: withoutReason })).toEqual([
      'governance_validity takes the fact as_of without a reason',
    ]);
    const text = (name: string) => looksLikeFact({ name, type: 'text' });
    expect(['p_at', 'p_closed', 'p_risk', 'p_reached', 'p_hash', 'p_plan_hash'].every(text)).toBe(true);
    expect(looksLikeFact({ name: 'p_anything', type: 'timestamp with time zone' })).toBe(true);
    expect(['p_code', 'p_reason', 'p_as', 'p_collections'].some(text)).toBe(false);
  });

  it('is the page docs/reference/functions.md', async () => {
    await expect(functionsPage(granted)).toMatchFileSnapshot('../../docs/reference/functions.md');
  });
});
