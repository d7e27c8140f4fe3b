// Owns which registries are watched, the relevant columns of each, and the columns that name the affected
// groups. The meaning of a change is in governance_handoff_map.

export interface Watched {
  /** As in governance_handoff_map; equals `table`, except for member registries. */
  readonly source: string;
  readonly table: string;
  readonly key: readonly string[];
  /** Columns whose change counts as a change. */
  readonly content: readonly string[];
  /**
   * Columns that name the affected groups; stored, so that both the old and the new groups are re-evaluated.
   */
  readonly facts: readonly string[];
  /** Whether a change can create groups or change their owners. */
  readonly reshapes: boolean;
  /** Limits the watch to rows with this value in this column. */
  readonly only?: { readonly column: string; readonly value: string };
}

const watched = (
  source: string,
  key: string,
  facts: string,
  content: string,
  more: Partial<Watched> = {},
): Watched => {
  const words = (text: string) => text.split(' ').filter((word) => word !== '');
  return {
    source,
    table: source,
    key: words(key),
    facts: words(facts),
    content: [...new Set([...words(facts), ...words(content)])],
    reshapes: false,
    ...more,
  };
};
const RESHAPES = { reshapes: true } as const;

export const REGISTRIES: readonly Watched[] = [
  watched(
    'collection_registry',
    'code',
    'collection_name',
    'governance_role coverage_status coverage_scope_status',
  ),
  watched(
    'meta_catalog',
    'code',
    'registry_collection collection_name',
    'entity_type species_code',
    RESHAPES,
  ),
  watched('axis_registry', 'axis_code', 'axis_family', 'object_class owner_gov_code status', RESHAPES),
  watched('pivot_definitions', 'code', 'group_spec', 'object_class source_collection status', RESHAPES),
  watched(
    'coverage_profile',
    'profile_code',
    'class_pattern',
    'risk_class ttl class_0 inherits primary_axis_family required_links status',
    RESHAPES,
  ),
  watched('normative_registry', 'law_code', 'law_code', 'title version body enacted_at status'),
  watched('law_jurisdiction', 'code', 'law_code', 'domain coverage_type'),
  watched(
    'measurement_registry',
    'measurement_id',
    'measurement_id law_code',
    'method source_query target_query comparison severity enabled',
  ),
  watched(
    'governance_object_ownership',
    'id',
    'object_type object_ref scope approval_ref',
    'owner_kind owner_gov_code is_inherited_anchor effective_from effective_to lifecycle_status audit_ref rollback_ref source_law_ref source_design_ref',
    RESHAPES,
  ),
  watched(
    'governance_responsibility_scope',
    'scope_code',
    'scope_code',
    'default_owner_hint status',
    RESHAPES,
  ),
  watched('governance_registry', 'code', 'code', 'status'),
  watched('approval_requests', 'code', 'code', 'status'),
  watched(
    'exception_registry',
    'exception_code',
    'subject_collection subject_code scope',
    'approval_ref expires_at status',
  ),
  watched('governance_ruleset', 'ruleset_version', 'ruleset_version', 'status', {
    only: { column: 'status', value: 'active' },
  }),
];
