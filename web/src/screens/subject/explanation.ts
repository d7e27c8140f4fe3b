// The explanation of an object or a group, as the API answers it.
export interface Explanation {
  readonly known: boolean;
  readonly why_unknown: string | null;
  readonly subject:
    | { readonly kind: 'object'; readonly collection: string; readonly code: string }
    | { readonly kind: 'group'; readonly key: string };
  readonly births: readonly {
    readonly id: string;
    readonly born_at: string;
    readonly status: string | null;
  }[];
  readonly listed: boolean | null;
  readonly decision: {
    readonly collection: string;
    readonly coverage_status: string | null;
    readonly coverage_scope_status: string | null;
    readonly reason: string | null;
    readonly review_owner: string | null;
    readonly means: string;
  } | null;
  readonly legacy: { readonly until: string; readonly overdue: boolean } | null;
  readonly ruleset_self_approved: boolean | null;
  readonly scopes: readonly ScopeExplanation[];
}

export interface ScopeExplanation {
  readonly scope: string;
  readonly sentence: string;
  readonly reads_as: string;
  readonly verdict: string | null;
  readonly valid: boolean;
  readonly why_not_valid: string | null;
  readonly ruleset_version: string | null;
  readonly snapshot: string | null;
  readonly scan_time: string | null;
  readonly stale_after: string | null;
  readonly risk_class: string | null;
  readonly coverage_outcome: string | null;
  readonly links: readonly {
    readonly link: string;
    readonly state: string;
    readonly sentence: string;
    readonly exception: string | null;
  }[];
  readonly objects: Readonly<Record<string, number>> | null;
  readonly exceptions: readonly {
    readonly code: string;
    readonly status: string;
    readonly link: string | null;
    readonly until: string;
    readonly sentence: string;
  }[];
  readonly exception_change: string | null;
  readonly finding: { readonly code: string; readonly type: string; readonly status: string | null } | null;
  readonly input_finding: {
    readonly code: string;
    readonly type: string;
    readonly status: string | null;
  } | null;
  readonly because: string | null;
  readonly would_be: string | null;
  readonly group: {
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly inherits: boolean;
    readonly members: string | null;
    readonly owner: string | null;
    readonly anchor: string | null;
  } | null;
  readonly lines: readonly {
    readonly line: number;
    readonly verdict: string;
    readonly when: string;
    readonly applies: boolean;
    readonly decides: boolean;
    readonly data: unknown;
  }[];
  readonly history: readonly {
    readonly history_id: string;
    readonly verdict_before: string | null;
    readonly verdict_after: string;
    readonly outcome_before: string | null;
    readonly outcome_after: string | null;
    readonly cause: string;
    readonly recorded_at: string;
    readonly ruleset_version: string;
    readonly source_snapshot_ref: string;
  }[];
  readonly dirtied_by: readonly string[];
}

/** What a scope says in two words; the outcome of coverage matters only while the verdict is valid. */
export const stateOfScope = (of: ScopeExplanation): string =>
  of.reads_as === 'relevant' && of.coverage_outcome !== null ? of.coverage_outcome : of.reads_as;
