// Owns what is said about a finding: what was observed, under which circumstances, and what became of it.
import type { HostMapping } from '../../host/index.js';

export type Severity = 'critical' | 'high' | 'medium' | 'low';

export type Link =
  | 'owner'
  | 'approval'
  | 'audit'
  | 'rollback'
  | 'issue_event'
  | 'law_ref'
  | 'design_ref'
  | 'dot_authority'
  | 'heartbeat';

export type RiskClass = 'write_high' | 'write_low' | 'read' | 'descriptive';

export interface Observation {
  readonly type: string;
  readonly subject: string;
  readonly scope?: string;
  /** Tells apart several causes on one subject in one scope. */
  readonly rootCause?: string;
  /** What the host's issue row is about. */
  readonly entityType: string;
  readonly entityCode: string;
  /** Whose effective owner is told, in the observation's scope. */
  readonly owner?: {
    readonly objectType: string;
    readonly objectRef: string;
    readonly collection?: string;
    readonly objectClass?: string;
  };
  /** The link that is missing, if one is. */
  readonly link?: Link;
  readonly riskClass?: RiskClass;
  /** How grave whoever wrote the rule thinks it is; within what its type allows. Instead of link and risk. */
  readonly severity?: Severity;
  /** Addresses and counts, never the contents of an object. */
  readonly evidence?: Readonly<Record<string, unknown>>;
  /** The finding that speaks for this one while it is open. */
  readonly parentKey?: string;
  /** How many times it was seen; 1 if not given. */
  readonly count?: number;
}

export interface FindingContext {
  readonly mapping: HostMapping;
  readonly runId: string;
  /** When it was observed, as timestamptz text. */
  readonly at: string;
  /** The rules the observation was made under; only under the active ones does a clean evaluation resolve. */
  readonly ruleset: string | null;
  readonly activeRuleset: string | null;
  /**
   * What this write evaluated completely: open findings of these types and subjects that were not observed
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
  /** Whether somebody is to be told: not for children of an open parent, and not within the cool-down. */
  readonly notify: boolean;
  /** How often it was seen in all. */
  readonly count: number;
}

export interface Transitions {
  readonly raised: Transition[];
  /**
   * Also those that were quiet when they opened and are told now, because parent or cool-down no longer speak
   * against it.
   */
  readonly reopened: Transition[];
  readonly resolved: Transition[];
  /** How many open findings were seen again. */
  readonly repeated: number;
}

/** Nothing was written, and nothing is to be told. */
export const NO_TRANSITIONS: Transitions = { raised: [], reopened: [], resolved: [], repeated: 0 };
