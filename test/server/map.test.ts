// The map over HTTP: its units are those of the ledger, by group and by owner, and each number is the length
// of its list.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

let estate: Estate;
let server: TestServer;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

interface Count {
  readonly count: number;
  readonly href: string;
}
interface Terms {
  readonly owner: string | null;
  readonly terms: readonly { readonly term: string; readonly units: Count }[];
}

/** Units by term, added up. */
function sumOf(all: readonly Terms[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { terms } of all)
    for (const { term, units } of terms) sums[term] = (sums[term] ?? 0) + units.count;
  return sums;
}
const lengthOf = async ({ href }: Count): Promise<number> =>
  (await server.call(`${href}&limit=1000`)).json.units.length;

describe('the map', () => {
  it('has the units of the ledger, by group', async () => {
    const { json: map } = await server.call('/api/v1/map?scope=execution');
    const { json: ledger } = await server.call(`/api/v1/ledger?scope=execution&as_of=${map.as_of}`);
    const sums = sumOf(map.groups.flatMap((group: { readonly owners: readonly Terms[] }) => group.owners));
    // A group without members is not on the map; its units are retired.
    for (const term of ['covered', 'orphans', 'exceptions', 'unverified'])
      expect(sums[term] ?? 0, term).toBe(ledger.now[0][term].count);
    expect(map.smaller).toEqual({ groups: 0, recorded_members: '0' });
    const sizes = map.groups.map((group: { readonly recorded_members: string }) =>
      Number(group.recorded_members),
    );
    expect(sizes).toEqual([...sizes].sort((left, right) => right - left));
  });

  it('has the first scope by default, and none that does not exist', async () => {
    const { json } = await server.call('/api/v1/map');
    expect(json.scope).toBe(json.scopes[0]);
    const refused = await server.call('/api/v1/map?scope=none');
    expect([refused.status, refused.json.code]).toEqual([400, 'value_unknown']);
  });
});

describe('owners', () => {
  it('have the units of the ledger, and each number is the length of its list', async () => {
    const { json } = await server.call('/api/v1/owners');
    const { json: ledger } = await server.call(`/api/v1/ledger?as_of=${json.as_of}`);
    for (const { scope, orphans, unverified } of ledger.now) {
      const sums = sumOf(json.owners.filter((each: { readonly scope: string }) => each.scope === scope));
      expect([sums['orphans'] ?? 0, sums['unverified'] ?? 0], scope).toEqual([
        orphans.count,
        unverified.count,
      ]);
    }
    const unowned = json.owners.find((each: Terms) => each.owner === null);
    expect(await lengthOf(unowned.total)).toBe(unowned.total.count);
    for (const { term, units } of unowned.terms) expect(await lengthOf(units), term).toBe(units.count);
  });
});
