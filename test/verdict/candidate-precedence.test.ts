// The precedence of verdicts, without a database: the first line that applies decides, and the explanation cannot disagree.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CollectionDecision, CoverageProfile, DecisionMeaning } from '../../src/host/index.js';
import {
  decideVerdict,
  precedenceLines,
  requiredLinksIn,
  type VerdictFacts,
} from '../../src/verdict/candidate/index.js';

const decision = (means: DecisionMeaning): CollectionDecision => ({
  collection: 'articles',
  governanceRole: 'governed',
  coverageStatus: 'BIRTH_REQUIRED',
  coverageScopeStatus: 'IN_SCOPE',
  reason: null,
  reviewOwner: null,
  means,
});

const profile = (more: Partial<CoverageProfile> = {}): CoverageProfile => ({
  code: 'CP-1',
  classPattern: 'article%',
  riskClass: 'read',
  ttl: 'P1D',
  ttlSeconds: 86_400n,
  class0: false,
  inherits: true,
  primaryAxisFamily: null,
  requiredLinks: { policy: ['owner', 'law_ref'], audit: [] },
  ...more,
});

/** Nothing speaks against it. */
const plain: VerdictFacts = {
  scope: 'policy',
  unborn: false,
  unlisted: false,
  inputState: null,
  lifecycleStatus: 'born',
  terminal: false,
  sourceGone: false,
  shared: false,
  sharedItself: false,
  decision: decision('in_scope'),
  unresolved: null,
  profile: profile(),
  profilesAvailable: true,
  requiredLinks: ['law_ref', 'owner'],
};

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

/** The table of the design, written a second time and read from the top. */
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

describe('the precedence of verdicts', () => {
  it('the first line that applies wins, whatever else holds', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
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
      }),
      { numRuns: 2_000, seed: 40 },
    );
  });

  it('says which data each line read', () => {
    expect(decideVerdict(plain)).toEqual({
      verdict: 'relevant',
      line: 8,
      evidence: { line: 8, profile: 'CP-1', required_links: ['law_ref', 'owner'] },
      riskClass: 'read',
      coverageRequired: true,
      ttlSeconds: 86_400n,
    });
    expect(decideVerdict({ ...plain, sourceGone: true }).evidence).toMatchObject({ source_row_gone: true });
    expect(decideVerdict({ ...plain, decision: decision('class_0') }).evidence).toMatchObject({
      line: 4,
      decision: { coverage_status: 'BIRTH_REQUIRED', means: 'class_0' },
    });
    expect(decideVerdict({ ...plain, inputState: 'duplicate' }).evidence).toMatchObject({
      input_state: 'duplicate',
    });
  });

  it('what nobody described has the highest risk, and holds as long as the setting says', () => {
    expect(decideVerdict({ ...plain, profile: null })).toMatchObject({
      verdict: 'unknown',
      riskClass: 'write_high',
      ttlSeconds: null,
    });
  });

  it('links are required per scope; where there is only one scope, those of all', () => {
    expect(requiredLinksIn(profile(), 'policy')).toEqual(['law_ref', 'owner']);
    expect(requiredLinksIn(profile(), 'audit')).toEqual([]);
    expect(requiredLinksIn(profile(), 'render')).toEqual([]);
    expect(
      requiredLinksIn(profile({ requiredLinks: { a: ['owner'], b: ['audit', 'owner'] } }), 'all'),
    ).toEqual(['audit', 'owner']);
    expect(requiredLinksIn(null, 'policy')).toEqual([]);
  });
});
