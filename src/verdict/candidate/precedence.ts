// Owns the precedence of verdicts: eight lines, each a condition over data. The first line that applies
// decides. INVARIANT: the decision and its explanation use the same list, so they cannot disagree.
import type { CollectionDecision, CoverageProfile } from '../../host/index.js';
import { ONLY_SCOPE, type UnresolvedReason } from '../../inventory/group/index.js';
import type { JsonValue } from '../../kernel/index.js';
import { ACCEPTED, BIRTH_MISSING, type InputState, NEEDS_BACKFILL } from '../input/index.js';

export type Verdict =
  | 'relevant'
  | 'not_relevant'
  | 'class_0'
  | 'deferred_birth'
  | 'retired'
  | 'needs_input'
  | 'unknown';

/** The risk of an object without a profile. */
const HIGHEST_RISK = 'write_high';

export interface VerdictFacts {
  readonly scope: string;
  /** A member registry lists it, and it has no birth. */
  readonly unborn: boolean;
  /** It has a birth, and the member registry of its class does not list it. */
  readonly unlisted: boolean;
  readonly inputState: InputState | null;
  readonly lifecycleStatus: string | null;
  /** Whether the status is terminal: the object is no longer governed. */
  readonly terminal: boolean;
  /**
   * The members of its registry that replace it, the nearest first. Only an explanation reads them: the
   * lifecycle status says already that it was replaced.
   */
  readonly supersededBy?: readonly string[];
  /** The source row no longer exists, or the group has no members any more. */
  readonly sourceGone: boolean;
  /** Shared data (ownership, an axis or a rule) refers to its collection or class. */
  readonly shared: boolean;
  /** Shared data refers to the object itself. */
  readonly sharedItself: boolean;
  /** Null when the collection is not registered. */
  readonly decision: CollectionDecision | null;
  readonly unresolved: UnresolvedReason | null;
  readonly profile: CoverageProfile | null;
  /** False when the host has no profiles at all. */
  readonly profilesAvailable: boolean;
  /** The links the profile requires in the scope. */
  readonly requiredLinks: readonly string[];
}

export type LineNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
export type LineData = Readonly<Record<string, JsonValue>>;

export interface PrecedenceLine {
  readonly line: LineNumber;
  readonly verdict: Verdict;
  /** The condition as text. */
  readonly when: string;
  readonly applies: boolean;
  /** Whether it is the first line that applies. */
  readonly decides: boolean;
  /** The data that the condition read. */
  readonly data: LineData;
}

export interface Decided {
  readonly verdict: Verdict;
  readonly line: LineNumber;
  readonly evidence: LineData;
  readonly riskClass: string;
  readonly coverageRequired: boolean;
  /** Null when no profile sets how long a verdict is valid. */
  readonly ttlSeconds: bigint | null;
}

/** The links that `profile` requires in `scope`; with a single scope, the links of all scopes. */
export function requiredLinksIn(profile: CoverageProfile | null, scope: string): readonly string[] {
  if (profile === null) return [];
  const links =
    scope === ONLY_SCOPE ? Object.values(profile.requiredLinks).flat() : profile.requiredLinks[scope];
  return [...new Set(links ?? [])].sort();
}

function decisionData(decision: CollectionDecision | null): LineData {
  if (decision === null) return { decision: null };
  const { coverageStatus, coverageScopeStatus, means } = decision;
  return { decision: { coverage_status: coverageStatus, coverage_scope_status: coverageScopeStatus, means } };
}

function supersededData({ terminal, supersededBy = [] }: VerdictFacts): LineData {
  if (supersededBy.length === 0) return {};
  return { [terminal ? 'superseded_by' : 'superseded_without_effect_by']: [...supersededBy] };
}

function conditions(facts: VerdictFacts): readonly Omit<PrecedenceLine, 'decides'>[] {
  const { decision, profile, inputState, requiredLinks } = facts;
  const decided = decisionData(decision);
  const shared = facts.shared || facts.sharedItself;
  const profileCode = { profile: profile?.code ?? null };
  const held = inputState !== null && inputState !== ACCEPTED && inputState !== BIRTH_MISSING;
  return [
    {
      line: 1,
      verdict: 'deferred_birth',
      when: 'a member registry lists it, but it was never born',
      applies: facts.unborn,
      data: { born: !facts.unborn },
    },
    {
      line: 2,
      verdict: inputState === NEEDS_BACKFILL ? 'unknown' : 'needs_input',
      when: 'the input gate has not accepted it',
      applies: held,
      data: { input_state: inputState ?? ACCEPTED },
    },
    {
      line: 3,
      verdict: 'retired',
      when: 'its lifecycle has ended, its source is gone, or its collection is exempt from birth',
      applies: facts.terminal || facts.sourceGone || decision?.means === 'retired',
      data: {
        lifecycle_status: facts.lifecycleStatus,
        terminal: facts.terminal,
        ...supersededData(facts),
        ...(facts.sourceGone ? { source_row_gone: true } : {}),
        ...decided,
      },
    },
    {
      line: 4,
      verdict: 'class_0',
      when: 'the profile of its class is class 0, or its collection is excluded by its users, and nothing shared refers to it',
      applies: (profile?.class0 === true || decision?.means === 'class_0') && !shared,
      data: {
        ...profileCode,
        class_0: profile?.class0 ?? null,
        ...(shared ? { reached_shared_truth: true } : {}),
        ...decided,
      },
    },
    {
      line: 5,
      verdict: 'deferred_birth',
      when: 'its collection is in future scope',
      applies: decision?.means === 'deferred_birth',
      data: decided,
    },
    {
      line: 6,
      verdict: 'unknown',
      when: 'its class, registry or profile cannot be resolved, or the decision about its collection is open',
      applies:
        facts.unresolved !== null ||
        facts.unlisted ||
        inputState === BIRTH_MISSING ||
        profile === null ||
        decision === null ||
        decision.means === 'unknown',
      data: {
        unresolved: facts.unresolved,
        ...(facts.unlisted ? { listed: false } : {}),
        ...profileCode,
        profiles_available: facts.profilesAvailable,
        ...decided,
      },
    },
    {
      line: 7,
      verdict: 'not_relevant',
      when: 'the profile of its class requires nothing in this scope',
      applies: profile !== null && requiredLinks.length === 0,
      data: { ...profileCode, required_links: requiredLinks },
    },
    {
      line: 8,
      verdict: 'relevant',
      when: 'otherwise',
      applies: true,
      data: { ...profileCode, required_links: requiredLinks },
    },
  ];
}

/** All eight lines in order, each with whether it applies and whether it decides. */
export function precedenceLines(facts: VerdictFacts): readonly PrecedenceLine[] {
  const lines = conditions(facts);
  const first = lines.findIndex((each) => each.applies);
  return lines.map((each, index) => ({ ...each, decides: index === first }));
}

/** The verdict of the first line that applies, with its consequences. */
export function decideVerdict(facts: VerdictFacts): Decided {
  const found = conditions(facts).find((each) => each.applies);
  // INVARIANT: the last line always applies.
  if (found === undefined) throw new Error('no line of precedence applies');
  const { profile } = facts;
  return {
    verdict: found.verdict,
    line: found.line,
    evidence: { line: found.line, ...found.data },
    riskClass: profile === null || found.line === 6 ? HIGHEST_RISK : profile.riskClass,
    coverageRequired: found.verdict === 'relevant',
    ttlSeconds: profile?.ttlSeconds ?? null,
  };
}

/**
 * The verdict when no rules are active or the inventory is too large to evaluate: unknown, with the highest
 * risk.
 */
export function withholdVerdict(why: string): Decided {
  return {
    verdict: 'unknown',
    line: 6,
    evidence: { line: 6, withheld: why },
    riskClass: HIGHEST_RISK,
    coverageRequired: false,
    ttlSeconds: null,
  };
}
