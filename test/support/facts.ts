// Facts about a unit, for tests of verdicts that do not need a database.
import type { CollectionDecision, CoverageProfile, DecisionMeaning } from '../../src/host/index.js';

export const decision = (means: DecisionMeaning): CollectionDecision => ({
  collection: 'articles',
  governanceRole: 'governed',
  coverageStatus: 'BIRTH_REQUIRED',
  coverageScopeStatus: 'IN_SCOPE',
  reason: null,
  reviewOwner: null,
  means,
});

export const profile = (more: Partial<CoverageProfile> = {}): CoverageProfile => ({
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
