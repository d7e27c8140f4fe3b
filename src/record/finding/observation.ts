// Owns the types of findings: the observation, its context, and the resulting transitions.
import type { OwnedSource } from '../../host/index.js';

/** From the most to the least severe. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The links that a profile can require. */
export const LINKS = [
  'owner',
  'approval',
  'audit',
  'rollback',
  'issue_event',
  'law_ref',
  'design_ref',
  'dot_authority',
  'heartbeat',
] as const;
export type Link = (typeof LINKS)[number];

export type RiskClass = 'write_high' | 'write_low' | 'read' | 'descriptive';

export interface Observation {
  readonly type: string;
  readonly subject: string;
  readonly scope?: string;
  /** Distinguishes several causes on one subject in one scope. */
  readonly rootCause?: string;
  /** The entity that the host's issue row names. */
  readonly entityType: string;
  readonly entityCode: string;
  /** The object whose effective owner in the observation's scope is notified. */
  readonly owner?: {
    readonly objectType: string;
    readonly objectRef: string;
    readonly collection?: string;
    readonly objectClass?: string;
  };
  /**
   * The source of births that is not in order, if it is about no scope: its owner in most scopes is notified.
   */
  readonly source?: OwnedSource;
  /** The body that the host names for this question. It is asked first, if it is a governing body. */
  readonly ask?: string;
  /** The link that is missing, if one is. */
  readonly link?: Link;
  readonly riskClass?: RiskClass;
  /**
   * The severity that the author of the rule chose, instead of link and risk; limited by the finding type.
   */
  readonly severity?: Severity;
  /** It goes to the council, not to the owner; an open finding that does not yet is taken there. */
  readonly escalated?: boolean;
  /** Addresses and counts, never the contents of an object. */
  readonly evidence?: Readonly<Record<string, unknown>>;
  /** The finding that represents this one while it is open. */
  readonly parentKey?: string;
  /** How many times it was observed; 1 by default. */
  readonly count?: number;
}

export interface FindingContext {
  readonly runId: string;
  /** As of when owners are looked up, as timestamptz text. The database records its own time. */
  readonly at: string;
  /** The ruleset of the observation. A clean evaluation resolves findings only under the active ruleset. */
  readonly ruleset: string | null;
  readonly activeRuleset: string | null;
  /**
   * The types and subjects that this write evaluated completely: their open findings that were not observed
   * are clean.
   */
  readonly evaluated?: {
    readonly types: readonly string[];
    readonly subjects: readonly string[] | 'all';
  };
}

export interface Transition {
  readonly key: string;
  readonly code: string;
  readonly issueId: bigint;
  readonly type: string;
  readonly family: string;
  readonly eventType: string;
  readonly subject: string;
  readonly scope: string | null;
  readonly severity: Severity;
  readonly routes: readonly string[];
  readonly change: 'raised' | 'reopened' | 'resolved';
  /** Whether to notify recipients: not for children of an open parent, and not within the cool-down. */
  readonly notify: boolean;
  /** The total number of observations. */
  readonly count: number;
}

export interface Transitions {
  readonly raised: Transition[];
  /**
   * Includes findings that were not announced when they opened and are announced now, because the parent
   * closed or the cool-down ended.
   */
  readonly reopened: Transition[];
  readonly resolved: Transition[];
  /** How many open findings were observed again. */
  readonly repeated: number;
}

/** Nothing was written, and nothing is to be announced. */
export const NO_TRANSITIONS: Transitions = { raised: [], reopened: [], resolved: [], repeated: 0 };
