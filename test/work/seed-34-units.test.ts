// Seed 34 §6 to §8: what a count, an expiry or an unborn object must not cause.
import { describe, expect, it } from 'vitest';
import { readGroupRows, readsAs } from '../../src/verdict/candidate/index.js';
import { evidence, some } from '../support/evidence.js';
import { ask, codesOf } from '../support/gate.js';
import {
  bear,
  coverage,
  estate,
  host,
  intake,
  number,
  others,
  scan,
  useReconciled,
} from '../support/reconciled.js';

useReconciled();

describe('seed 34 §6: time to live', () => {
  it('seed 34 §6 rule 1, time to live by risk: a verdict ends after the time that the profile of its class sets', async () => {
    const spans = (await host(
      `select p.risk_class as risk, extract(epoch from p.ttl)::int as ttl, min(extract(epoch from c.stale_after - c.scan_time))::int as least,
         max(extract(epoch from c.stale_after - c.scan_time))::int as most, count(*)::int as n
       from governance_candidate_state c join governance_inventory i using (inventory_key)
       cross join lateral (select * from coverage_profile p where i.object_class like p.class_pattern order by p.class_pattern = i.object_class desc limit 1) p
       where c.row_state = 'active' group by p.risk_class, p.ttl order by p.ttl`,
    )) as { risk: string; ttl: number; least: number; most: number; n: number }[];
    expect(spans.map(({ risk, ttl }) => [risk, ttl / 86_400])).toEqual([
      ['write_high', 1],
      ['write_low', 7],
      ['read', 30],
      ['descriptive', 90],
    ]);
    // Verdicts of one run get 90 to 100 % of their time, so that they do not end together.
    for (const { ttl, least, most } of spans) {
      expect(least).toBeGreaterThanOrEqual(0.9 * ttl - 1);
      expect(most).toBeLessThanOrEqual(ttl + 1);
    }
    evidence(spans.map(({ risk, ttl, n }) => `${risk} ${ttl / 86_400} d (${n} verdicts)`).join(', '));
  });
});

describe('seed 34 §6: stale', () => {
  it('seed 34 §6 rule 2, stale at read: an expired verdict is stale in every answer, with no write', async () => {
    const before = await others([]);
    const [{ now, later } = { now: '', later: '' }] = (await host(
      `select now()::text as now, (now() + interval '10 years')::text as later`,
    )) as { now: string; later: string }[];
    await estate.db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
      const [early, late] = [await readGroupRows(tx, { at: now }), await readGroupRows(tx, { at: later })];
      expect(early.filter((row) => readsAs(row) === 'stale')).toEqual([]);
      const alive = late.filter((row) => row.rowState === 'active');
      expect(alive.length).toBeGreaterThan(600);
      expect(alive.filter((row) => readsAs(row) !== 'stale')).toEqual([]);
      expect(alive.map((row) => row.candidateVerdict)).toEqual(
        early.filter((row) => row.rowState === 'active').map((row) => row.candidateVerdict),
      );
    });
    // The gate and the database's own answer.
    const tool = { collection: 'dot_tools', code: 'DOT-118' };
    expect((await ask(estate, tool, { at: now })).answer).toBe('allow');
    const stale = await ask(estate, tool, { at: later });
    expect(stale.answer).toBe('block');
    expect(codesOf(stale)).toContain('stale');
    const [valid] = await host(
      `select count(*) filter (where valid)::int as valid, count(*) filter (where reason = 'expired')::int as expired from governance_validity('${later}')`,
    );
    expect(valid).toMatchObject({ valid: 0 });
    expect(await others([])).toEqual(before);
    evidence(`${some(Number(valid?.['expired']), 'verdict')} stale in ten years, 0 rows written`);
  });
});

describe('seed 34 §7: count > 1 is candidacy only', () => {
  it('many births in collections that are exempt, private or inherit add no required owner, no finding and no row', async () => {
    const rows = () =>
      number(
        `select (select count(*) from governance_candidate_state) + (select count(*) from governance_candidate_object) as n`,
      );
    const before = [await rows(), await coverage()];
    for (const collection of ['tags', 'user_drafts', 'articles'])
      await bear(collection, `S34-N-${collection}`, 500);
    await intake();
    expect(await scan('incremental')).toMatchObject({ findings: { raised: 0, reopened: 0 }, changed: 0 });
    expect([await rows(), await coverage()]).toEqual(before);
    const required = await number(
      `select count(*)::int as n from governance_candidate_state c join governance_inventory i using (inventory_key)
       where i.source_registry in ('tags', 'user_drafts') and c.row_state = 'active' and c.coverage_required`,
    );
    expect(required).toBe(0);
  });
});

describe('seed 34 §8: deferred_birth', () => {
  it('counts members that were never born and collections of future scope, and raises no governance finding', async () => {
    const before = await coverage();
    await host(
      `insert into route_registry select (jsonb_populate_record(r, '{"route_code": "RT-S34"}')).* from route_registry r where r.route_code = 'RT-009'`,
    );
    await bear('ml_features', 'S34-ML', 5);
    await intake();
    expect((await scan('full')).ledger).toMatchObject({ closes: true });
    const verdicts = await host(
      `select distinct candidate_verdict as verdict, weight from governance_candidate_object where entity_code = 'RT-S34' and row_state = 'active'`,
    );
    expect(verdicts).toEqual([{ verdict: 'deferred_birth', weight: 1 }]);
    expect(await coverage()).toBe(before);
    expect(await coverage(`s.entity_code in ('RT-S34', 'ml_features')`)).toBe(0);
  });

  it('seed 40 §40.10 test 6: the ledger of the scan closes in every scope, term by term', async () => {
    const { closes, scopes } = await estate.gcos.ledgers.show();
    expect(closes).toBe(true);
    expect(scopes).toHaveLength(6);
    for (const each of scopes) {
      const { covered, orphans, exceptions, retired, unverified, deferredBirth, class_0 } = each;
      expect(covered + orphans + exceptions + retired + unverified + deferredBirth + class_0).toBe(
        each.total,
      );
      expect(each.total + each.notRelevant).toBe(each.inventory);
    }
    evidence(scopes.map(({ scope, total }) => `${scope} ${total}`).join(', '));
  });
});
