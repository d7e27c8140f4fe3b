// The precedence of verdicts for random facts: the first line that applies decides; the explanation agrees.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { DecisionMeaning } from '../../src/host/index.js';
import { decideVerdict, precedenceLines, type VerdictFacts } from '../../src/verdict/candidate/index.js';
import { decision, profile } from '../support/facts.js';
import { holds } from '../support/property.js';

const anyFacts: fc.Arbitrary<VerdictFacts> = fc.record({
  scope: fc.constantFrom('policy', 'audit'),
  unborn: fc.boolean(),
  unlisted: fc.boolean(),
  inputState: fc.constantFrom(
    null,
    'accepted_for_candidate_scan',
    'birth_or_registry_missing',
    'invalid_schema',
    'duplicate',
    'needs_backfill',
    'quarantined',
  ),
  lifecycleStatus: fc.constantFrom(null, 'born', 'retired'),
  terminal: fc.boolean(),
  sourceGone: fc.boolean(),
  shared: fc.boolean(),
  sharedItself: fc.boolean(),
  decision: fc.option(
    fc
      .constantFrom<DecisionMeaning>('retired', 'class_0', 'deferred_birth', 'unknown', 'in_scope')
      .map(decision),
  ),
  unresolved: fc.constantFrom(null, 'no_class' as const, 'registry_missing' as const),
  profile: fc.option(
    fc.record({ class0: fc.boolean(), riskClass: fc.constantFrom('read', 'write_low') }).map(profile),
  ),
  profilesAvailable: fc.boolean(),
  requiredLinks: fc.constantFrom<readonly string[]>([], ['owner']),
});

/** An independent implementation of the precedence table, evaluated from the top. */
function expected(facts: VerdictFacts): readonly [number, string] {
  const { inputState: input, decision: decided, profile: found } = facts;
  if (facts.unborn) return [1, 'deferred_birth'];
  if (input === 'needs_backfill') return [2, 'unknown'];
  if (input === 'invalid_schema' || input === 'duplicate' || input === 'quarantined')
    return [2, 'needs_input'];
  if (facts.terminal || facts.sourceGone || decided?.means === 'retired') return [3, 'retired'];
  const isPrivate = found?.class0 || decided?.means === 'class_0';
  if (isPrivate && !facts.shared && !facts.sharedItself) return [4, 'class_0'];
  if (decided?.means === 'deferred_birth') return [5, 'deferred_birth'];
  const open = decided === null || decided.means === 'unknown';
  if (open || !found || facts.unlisted || facts.unresolved || input === 'birth_or_registry_missing')
    return [6, 'unknown'];
  return facts.requiredLinks.length === 0 ? [7, 'not_relevant'] : [8, 'relevant'];
}

holds('the first line that applies decides, whatever other lines apply', {
  cases: anyFacts,
  check: (facts) => {
    const decided = decideVerdict(facts);
    expect([decided.line, decided.verdict]).toEqual(expected(facts));
    const lines = precedenceLines(facts);
    expect(lines.map((each) => each.line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(lines.filter((each) => each.decides)).toHaveLength(1);
    expect(lines.find((each) => each.applies)).toMatchObject({
      decides: true,
      line: decided.line,
      verdict: decided.verdict,
    });
    expect(decided.coverageRequired).toBe(decided.verdict === 'relevant');
    if (decided.line === 6) expect(decided.riskClass).toBe('write_high');
  },
  seeds: [40, 2_026],
  runs: 1_000,
});
