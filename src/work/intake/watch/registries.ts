// Owns which registries are watched, what counts in a row of each, and what says whom it concerns. The meaning of a change is in the
// table of the handoff; here is only where to look.

export interface Watched {
  /** As in the map; the table, unless `table` says otherwise. */
  readonly source: string;
  readonly table: string;
  readonly key: readonly string[];
  /** Columns whose change is a change. */
  readonly content: readonly string[];
  /** Columns that say whom a row concerns; kept as they were, so that the old and the new are looked at. */
  readonly facts: readonly string[];
  /** Whether groups may be others by it, or have another owner. */
  readonly reshapes: boolean;
  /** Only rows that have this value in this column. */
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
