// Demo traffic: the same actions in the same order for the same seed. It needs a demo estate, and leaves the
// births of the estate unchanged.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTraffic, TrafficPlan } from '../../src/demo/index.js';
import { asHost, createDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

let estate: Estate;
beforeEach(async () => {
  estate = await createEstate('host');
});
afterEach(() => estate?.close());

const digestBirths = (url: string, ofEstate = false) =>
  asHost(
    url,
    `select count(*)::int as rows, md5(string_agg(concat_ws('|', entity_code, collection_name, species_code, certified, status), ',' order by entity_code collate "C")) as content
     from birth_registry where ${ofEstate ? 'not ' : ''}starts_with(entity_code, 'TR-')`,
  );
const digestOwnership = (url: string) =>
  asHost(
    url,
    `select md5(string_agg(concat_ws('|', object_ref, scope, owner_gov_code, lifecycle_status), ',' order by object_ref, scope, owner_gov_code, lifecycle_status, effective_from)) as content
     from governance_object_ownership`,
  );

describe('demo traffic', () => {
  it('does the same actions in the same order for the same seed', async () => {
    const other = await createEstate('host');
    try {
      const before = await digestBirths(estate.url, true);
      const first = await runTraffic(estate.db, { rate: 5_000, seed: 7, count: 3_000 });
      const second = await runTraffic(other.db, { rate: 100_000, seed: 7, count: 3_000 });
      expect(first.actions).toBe(3_000);
      expect(second.counts).toEqual(first.counts);
      expect(await digestBirths(other.url)).toEqual(await digestBirths(estate.url));
      expect((await digestOwnership(other.url))[0]?.['content']).toEqual(
        (await digestOwnership(estate.url))[0]?.['content'],
      );
      for (const count of Object.values(first.counts)) expect(count).toBeGreaterThan(0);
      const bornAt = await asHost(
        estate.url,
        `select count(*) filter (where born_at < now() - interval '1 day')::int > 100 as back, count(*) filter (where born_at > now())::int > 10 as ahead
         from birth_registry where starts_with(entity_code, 'TR-')`,
      );
      expect(bornAt).toEqual([{ back: true, ahead: true }]);
      // The births of the estate and its one conflict of owners are unchanged.
      expect(await digestBirths(estate.url, true)).toEqual(before);
      expect(
        await asHost(
          estate.url,
          `select object_ref, scope from governance_object_ownership where owner_kind = 'accountable' and lifecycle_status = 'active'
           group by object_type, object_ref, scope having count(*) > 1`,
        ),
      ).toEqual([{ object_ref: 'products', scope: 'policy' }]);
    } finally {
      await other.close();
    }
  });

  it('continues after an earlier run with the same seed: no key is born twice', async () => {
    for (let run = 0; run < 2; run += 1) await runTraffic(estate.db, { rate: 5_000, seed: 7, count: 500 });
    const [born] = await digestBirths(estate.url);
    expect(born?.['rows']).toBeGreaterThan(300);
    expect(
      await asHost(
        estate.url,
        "select entity_code from birth_registry where starts_with(entity_code, 'TR-') group by entity_code having count(*) > 1",
      ),
    ).toEqual([]);
  });

  it('keeps its rate, and ends after its duration or when it is aborted', async () => {
    const timed = await runTraffic(estate.db, { rate: 50, seed: 8, forMs: 1_000 });
    expect(timed.actions).toBe(50);
    expect(timed.elapsed_ms).toBeGreaterThanOrEqual(900);
    const stop = new AbortController();
    const stopped = runTraffic(estate.db, {
      rate: 50,
      seed: 9,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    // Only the signal ends this run.
    expect((await stopped).actions).toBeGreaterThan(0);
  });

  it('refuses any database but a demo estate', async () => {
    const foreign = await createDatabase();
    try {
      await asHost(foreign.url, 'create table birth_registry (id serial primary key)');
      await expect(runTraffic(foreign.db, { rate: 10, seed: 1, count: 1 })).rejects.toMatchObject({
        code: 'demo_estate_missing',
      });
    } finally {
      await foreign.close();
    }
  });

  it('plans births and later actions, and no action for a retired or deleted object', () => {
    const plan = new TrafficPlan(3, 0);
    const alive = new Map<string, string>();
    for (let turn = 0; turn < 20_000; turn += 1) {
      const action = plan.next();
      if (action.kind === 'owner' || action.kind === 'rule') continue;
      if (action.kind === 'born') {
        expect(alive.has(action.code)).toBe(false);
        alive.set(action.code, action.collection);
        continue;
      }
      expect(alive.get(action.code)).toBe(action.collection);
      if (action.kind === 'moved') alive.set(action.code, action.target);
      if (action.kind === 'retired' || action.kind === 'deleted') alive.delete(action.code);
    }
  });
});
