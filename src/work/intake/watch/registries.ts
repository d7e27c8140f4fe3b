// Owns which registries are watched, the relevant columns of each, and the columns that name the affected
// groups. The meaning of a change is in governance_handoff_map. Rules are not watched here: an edit of a rule
// decides nothing until a ruleset with it becomes active, and every activation is watched.
import { DEFAULT_FAMILY } from '../../../host/index.js';

export const ACTIVATIONS = 'governance_ruleset_activation';

export interface Watched {
  /** As in governance_handoff_map; mostly equal to `table`. */
  readonly source: string;
  readonly table: string;
  readonly key: readonly string[];
  /** Columns whose change counts as a change. */
  readonly content: readonly string[];
  /**
   * Columns that name the affected groups, or the owner that a signal names; stored, so that both the old and
   * the new groups are re-evaluated, and a change of owners can be announced.
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
  watched('axis_owner', 'axis_code', 'axis_family owner_gov_code', '', {
    table: 'axis_registry',
    content: ['owner_gov_code'],
  }),
  watched('normative_registry', 'law_code', 'law_code', 'title version body enacted_at status'),
  watched(
    'governance_object_ownership',
    'id',
    'object_type object_ref scope approval_ref owner_kind owner_gov_code effective_from effective_to lifecycle_status',
    'is_inherited_anchor audit_ref rollback_ref source_law_ref source_design_ref supersedes_id',
    RESHAPES,
  ),
  watched('scope_owner', 'scope_code', 'scope_code', '', {
    table: 'governance_responsibility_scope',
    content: ['default_owner_hint'],
  }),
  watched('governance_registry', 'code', 'code', 'status'),
  watched('approval_requests', 'code', 'code', 'status'),
  watched(
    'exception_registry',
    'exception_code',
    'subject_collection subject_code scope',
    'approval_ref expires_at status',
  ),
  watched(ACTIVATIONS, 'id', 'ruleset_version supersedes', '', {
    ...RESHAPES,
    only: { column: 'family', value: DEFAULT_FAMILY },
  }),
];
