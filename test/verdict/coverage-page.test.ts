// The pages in which coverage is evaluated: their size, and what happens to one that takes too long.
import { describe, expect, it } from 'vitest';
import { dbErrors } from '../../src/db/index.js';
import { type Page, pageGroups, workInHalves } from '../../src/verdict/coverage/page.js';

const SCOPES = ['audit', 'health', 'policy'];
const group = (key: string, units: number) => ({ key, units });

describe('pages', () => {
  it('have at most as many rows as one statement evaluates; a larger group is divided by scope', () => {
    const groups = [
      group('a', 10),
      group('b', 20),
      group('c', 1),
      group('d', 45),
      group('e', 200),
      group('f', 2),
    ];
    expect(pageGroups(groups, SCOPES, 90)).toEqual([
      { keys: ['a', 'b'], scopes: null },
      { keys: ['c'], scopes: null },
      { keys: ['d'], scopes: ['audit', 'health'] },
      { keys: ['d'], scopes: ['policy'] },
      ...SCOPES.map((scope) => ({ keys: ['e'], scopes: [scope] })),
      { keys: ['f'], scopes: null },
    ]);
  });

  it('are one empty page without groups, for the canaries', () => {
    expect(pageGroups([], SCOPES, 90)).toEqual([{ keys: [], scopes: null }]);
  });
});

describe('a page that takes too long', () => {
  /** A statement that can process so many groups and scopes at once. */
  const slow = (most: number, attempts: Page[]) => async (page: Page) => {
    attempts.push(page);
    if (page.keys.length * (page.scopes ?? SCOPES).length > most)
      throw dbErrors.statement_timeout('too slow');
    return page.keys.flatMap((key) => (page.scopes ?? SCOPES).map((scope) => `${key} ${scope}`));
  };
  const keys = ['a', 'b', 'c', 'd', 'e'];
  const run = (most: number, attempts: Page[] = []) =>
    workInHalves({ keys, scopes: null }, SCOPES, (work) => work(), slow(most, attempts));

  it('is halved, and each group and scope is evaluated once', async () => {
    const attempts: Page[] = [];
    const done = (await run(2, attempts)).flat();
    expect(done.sort()).toEqual(keys.flatMap((key) => SCOPES.map((scope) => `${key} ${scope}`)).sort());
    expect(attempts.length).toBeGreaterThan(done.length / 2);
    expect((await run(100)).length).toBe(1);
  });

  it('fails when one scope of one group takes too long, and at once for another error', async () => {
    await expect(run(0)).rejects.toMatchObject({ code: 'statement_timeout' });
    let attempts = 0;
    const broken = () => {
      attempts += 1;
      return Promise.reject(new Error('broken'));
    };
    await expect(workInHalves({ keys, scopes: null }, SCOPES, (work) => work(), broken)).rejects.toThrow(
      'broken',
    );
    expect(attempts).toBe(1);
  });
});
