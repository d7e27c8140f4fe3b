// Many people decide at the same moment, each on their own connection. Every interleaving leaves one
// consistent result that follows from the accepted decisions.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { holds } from '../support/property.js';

const ACTIONS = {
  high: 'gcos.ruleset.activate',
  medium: 'gcos.exception.grant',
  low: 'gcos.remediation.propose',
} as const;
type Risk = keyof typeof ACTIONS;
type Act = 'approve' | 'reject' | 'withdraw';

/** A small seeded generator: a failing seed can be repeated. */
function seeded(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return (state >>> 8) % below;
  };
}

/** The quorum rule, written independently of the database. */
function quorumMet(risk: Risk, approved: readonly Person[]): boolean {
  const of = (type: string) => approved.filter((each) => each.name.startsWith(type)).length;
  if (risk === 'low') return approved.length >= 1;
  return of('president') >= 1 && (risk === 'medium' || of('council') >= 2);
}

describe('decisions at the same moment', () => {
  let estate: Estate;
  let people: People;
  let proposer: Person;
  const voters: Person[] = [];

  beforeAll(async () => {
    estate = await createEstate('installed');
    people = createPeople(estate.url);
    proposer = await people.person('member-0', 'member');
    for (const name of ['president-1', 'president-2']) voters.push(await people.person(name, 'president'));
    for (const name of ['council-1', 'council-2', 'council-3', 'council-4'])
      voters.push(await people.person(name, 'council'));
    for (const name of ['member-1', 'member-2']) voters.push(await people.person(name, 'member'));
  });
  afterAll(async () => {
    await people?.close();
    await estate?.close();
  });

  /** All people act at once, some of them twice; returns the accepted decisions. */
  async function storm(seed: number) {
    const pick = seeded(seed);
    const risk = (['high', 'high', 'medium', 'low'] as const)[pick(4)] ?? 'high';
    const { code } = await proposer.gcos.requests.open(ACTIONS[risk], { seed });
    const rejecters = pick(3);
    const acts: { who: Person; act: Act }[] = voters.flatMap((who) => {
      const act: Act = pick(voters.length) < rejecters ? 'reject' : 'approve';
      return pick(3) === 0
        ? [
            { who, act },
            { who, act },
          ]
        : [{ who, act }];
    });
    if (pick(5) === 0) acts.push({ who: proposer, act: 'withdraw' });
    acts.push({ who: proposer, act: 'approve' });
    for (let index = acts.length - 1; index > 0; index -= 1) {
      const other = pick(index + 1);
      [acts[index], acts[other]] = [acts[other] as (typeof acts)[0], acts[index] as (typeof acts)[0]];
    }
    const results = await Promise.allSettled(
      acts.map(({ who, act }) => who.gcos.requests[act](code, { reason: `seed ${seed}` })),
    );
    const refused = results.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as { code?: string }).code] : [],
    );
    const accepted = acts.filter((_, index) => results[index]?.status === 'fulfilled');
    return { code, risk, accepted, refused };
  }

  async function expectOneResult(seed: number): Promise<string> {
    const { code, risk, accepted, refused } = await storm(seed);
    const by = (act: Act) => accepted.filter((each) => each.act === act).map((each) => each.who);
    const outcome = by('reject').length
      ? 'rejected'
      : by('withdraw').length
        ? 'withdrawn'
        : quorumMet(risk, by('approve'))
          ? 'approved'
          : 'pending';

    const shown = await proposer.gcos.requests.show(code);
    expect(shown).toMatchObject({ status: outcome, hostStatus: outcome });
    // At most one act closes a request, and nothing is accepted after it.
    expect(by('reject').length + by('withdraw').length).toBeLessThanOrEqual(1);
    const last = shown.decisions.at(-1);
    if (outcome === 'rejected') expect(last?.decision).toBe('reject');
    if (outcome === 'approved') {
      expect(last?.decision).toBe('approve');
      const before = accepted.filter((each) => each.who.name !== last?.person).map((each) => each.who);
      expect(quorumMet(risk, before)).toBe(false);
    }
    if (outcome === 'pending') expect(accepted.length).toBe(voters.length);

    // Each person has one vote, the proposer has none, and both tables agree.
    expect(new Set(accepted.map((each) => each.who.name)).size).toBe(accepted.length);
    expect(by('approve')).not.toContain(proposer);
    expect(shown.decisions.map((each) => `${each.person} ${each.decision}`).sort()).toEqual(
      accepted.map((each) => `${each.who.name} ${each.act}`).sort(),
    );
    const [rows] = await asHost(
      estate.url,
      `select count(*)::int as n from apr_approvals where apr_id = (select id from approval_requests where code = '${code}')`,
    );
    expect(rows?.['n']).toBe(accepted.length - by('withdraw').length);
    const expected = ['request_closed', 'decision_repeated', 'decision_by_proposer'];
    expect(refused.filter((each) => !expected.includes(each ?? ''))).toEqual([]);
    return outcome;
  }

  const ends = new Set<string>();
  holds('leave one result, which follows from the accepted decisions', {
    cases: fc.nat(999_999),
    check: async (seed) => {
      ends.add(await expectOneResult(seed));
    },
    after: () => expect([...ends]).toEqual(expect.arrayContaining(['approved', 'rejected'])),
    seeds: [1, 2_026],
    runs: 20,
    kept: new URL('./seeds/approval.json', import.meta.url),
  });
});
