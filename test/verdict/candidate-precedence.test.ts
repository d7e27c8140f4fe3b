// The precedence of verdicts, without a database: the evidence of each line, risk, and required links.
import { describe, expect, it } from 'vitest';
import { decideVerdict, requiredLinksIn, type VerdictFacts } from '../../src/verdict/candidate/index.js';
import { decision, profile } from '../support/facts.js';

/** No line above the last applies: the verdict is `relevant`. */
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

describe('the precedence of verdicts', () => {
  it('records as evidence the data that the deciding line read', () => {
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

  it('a class without a profile has the highest risk, and its verdict expires after the default time', () => {
    expect(decideVerdict({ ...plain, profile: null })).toMatchObject({
      verdict: 'unknown',
      riskClass: 'write_high',
      ttlSeconds: null,
    });
  });

  it('requires links per scope; the scope `all` requires the links of every scope', () => {
    expect(requiredLinksIn(profile(), 'policy')).toEqual(['law_ref', 'owner']);
    expect(requiredLinksIn(profile(), 'audit')).toEqual([]);
    expect(requiredLinksIn(profile(), 'render')).toEqual([]);
    expect(
      requiredLinksIn(profile({ requiredLinks: { a: ['owner'], b: ['audit', 'owner'] } }), 'all'),
    ).toEqual(['audit', 'owner']);
    expect(requiredLinksIn(null, 'policy')).toEqual([]);
  });
});
