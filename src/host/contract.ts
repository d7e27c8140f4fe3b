// Owns the host contract: the host tables that GCOS uses, the columns it needs, how it accesses each table,
// and which capability is lost if a table is missing. GCOS never alters the structure of a host table.

/** Type families: a host may use varchar for text, or bigint for integer. */
type TypeFamily =
  | 'integer'
  | 'text'
  | 'boolean'
  | 'timestamptz'
  | 'timestamp'
  | 'json'
  | 'uuid'
  | 'array'
  | 'interval'
  | 'any';

export interface ColumnContract {
  readonly name: string;
  readonly type: TypeFamily;
}

/**
 * read: GCOS only reads · append: inserts rows · prune: inserts rows and deletes its own old rows · write:
 * inserts rows and updates its own · never: GCOS only reads, and proves that the table is unchanged.
 */
export type Access = 'read' | 'append' | 'prune' | 'write' | 'never';

export interface TableContract {
  readonly name: string;
  readonly required: boolean;
  readonly access: Access;
  readonly columns: readonly ColumnContract[];
  /** The effect on GCOS's answers if the table is absent or has a different shape. */
  readonly without: string;
}

const TYPES: Readonly<Record<string, TypeFamily>> = {
  i: 'integer',
  t: 'text',
  b: 'boolean',
  z: 'timestamptz',
  s: 'timestamp',
  j: 'json',
  u: 'uuid',
  a: 'array',
  v: 'interval',
  '?': 'any',
};

/** `'id:i code:t'` → the columns with their type families; the letters are the keys of TYPES. */
function columns(list: string): ColumnContract[] {
  return list
    .split(/\s+/)
    .filter((item) => item !== '')
    .map((item) => {
      const [name = '', letter = ''] = item.split(':');
      const type = TYPES[letter];
      if (type === undefined) throw new Error(`unknown type letter in the host contract: ${item}`);
      return { name, type };
    });
}

function required(name: string, access: Access, list: string, without: string): TableContract {
  return { name, required: true, access, columns: columns(list), without };
}

function optional(name: string, access: Access, list: string, without: string): TableContract {
  return { name, required: false, access, columns: columns(list), without };
}

export const hostContract: readonly TableContract[] = [
  required(
    'birth_registry',
    'read',
    'id:i entity_code:t collection_name:t species_code:t composition_level:? dot_origin:t born_at:z governance_role:t certified:b status:t canonical_address:t',
    'there is no inventory to account for',
  ),
  required(
    'registry_changelog',
    'append',
    'id:i entity_type:t entity_code:t action:t timestamp:s alert_level:t resolved:b changed_by:t alert_detail:t',
    'no action of GCOS can be audited',
  ),
  required(
    'meta_catalog',
    'read',
    'code:t entity_type:t registry_collection:t collection_name:t species_code:t record_count:i status:t',
    'no object class can be resolved',
  ),
  required(
    'collection_registry',
    'read',
    'code:t collection_name:t governance_role:t coverage_status:t coverage_scope_status:t coverage_exemption_reason:t coverage_review_owner:t',
    'no collection decision can be read',
  ),
  required(
    'measurement_registry',
    'read',
    'measurement_id:t measurement_name:t law_code:t method:i source_query:t target_query:t comparison:t severity:t enabled:b auto_generated:b last_run_at:z last_result:? last_evidence:?',
    'there are no rules to version',
  ),
  required(
    'evolution_snapshots',
    'prune',
    'id:i snapshot_at:z scope:t metrics:j delta_previous:j notes:t',
    'no verdict can be tied to an inventory',
  ),
  required(
    'system_issues',
    'write',
    'id:i code:t issue_type:t issue_class:t sub_class:t severity:t entity_type:t entity_code:t source:t source_system:t coalesce_key:t occurrence_count:i reopen_count:i business_logic_hash:t violation_hash:t run_id:t parent_issue_id:i evidence_snapshot:j status:t first_seen_at:z last_seen_at:z',
    'no finding can be recorded',
  ),
  required(
    'event_type_registry',
    'write',
    'event_domain:t event_type:t event_stream:t delivery_lane:t default_severity:t description:t active:b created_at:z',
    'no signal type can be registered, so no signal can be emitted',
  ),
  required(
    'event_outbox',
    'append',
    'id:u event_domain:t event_type:t event_stream:t delivery_lane:t event_severity:t event_subject_table:t event_subject_ref:t canonical_address:t actor_ref:t source_system:t correlation_id:? payload_classification:t safe_payload:j occurred_at:z created_at:z',
    'no signal can be emitted',
  ),
  required(
    'event_pending',
    'write',
    'id:? event_domain:t event_type_hint:t entity_table:t entity_ref:t canonical_address:t actor_ref:t capture_payload:j processed_at:z error_count:i last_error:t',
    'signals cannot be held, and failures cannot be kept for a retry',
  ),
  required(
    'event_subscription',
    'write',
    'id:? recipient_ref:t event_domain:t event_type:t event_stream:t scope_subject_table:t scope_filter:j mute:b',
    'no recipient can be notified of a finding',
  ),
  required(
    'event_read',
    'append',
    'event_id:u actor_ref:t read_at:z read_status_source:t',
    'a replay would notify recipients twice',
  ),
  required(
    'queue_heartbeat',
    'write',
    'executor_name:t executor_kind:t last_tick_at:z last_tick_status:t lease_owner:t ticks_total:i metadata:j',
    'a stopped worker would go unnoticed',
  ),
  required('pivot_definitions', 'read', 'code:t group_spec:j', 'the axes in use are not known'),
  required(
    'law_jurisdiction',
    'read',
    'law_code:t domain:t coverage_type:t',
    'the reach of a rule cannot be seeded',
  ),
  optional(
    'derived_objects_registry',
    'read',
    'code:t object_type:t depends_on_collections:a stale_after:z recompute_status:t',
    'derived objects are not part of the inventory',
  ),
  optional(
    'governance_responsibility_scope',
    'read',
    'scope_code:t default_owner_hint:t status:t',
    'there is one scope, `all`, and owner-dependent outcomes are not evaluated',
  ),
  optional(
    'governance_object_ownership',
    'read',
    'id:i object_type:t object_ref:t scope:t owner_kind:t owner_gov_code:t is_inherited_anchor:b effective_from:z effective_to:z lifecycle_status:t approval_ref:t audit_ref:t rollback_ref:t source_law_ref:t source_design_ref:t supersedes_id:i',
    'owner-dependent outcomes are not evaluated, and never count as covered',
  ),
  optional('governance_registry', 'read', 'code:t name:t status:t', 'owner codes cannot be checked'),
  optional(
    'axis_registry',
    'read',
    'axis_code:t axis_family:t object_class:t owner_gov_code:t status:t',
    'axes come from the pivot definitions, and each counts as unregistered',
  ),
  optional(
    'coverage_profile',
    'read',
    'profile_code:t class_pattern:t risk_class:t ttl:v class_0:b inherits:b primary_axis_family:t required_links:j status:t',
    'no class has a profile: every verdict is unknown, and treated as high risk',
  ),
  optional(
    'approval_requests',
    'write',
    'id:i code:t action_code:t status:t proposed_action:j proposer:t created_at:z decided_at:z',
    'nothing can be approved: rulesets stay drafts',
  ),
  optional(
    'apr_approvals',
    'append',
    'id:i apr_id:i approver:t approver_type:t decision:t decided_at:z',
    'nothing can be approved: rulesets stay drafts',
  ),
  optional(
    'apr_action_types',
    'append',
    'action_code:t risk:t',
    'the quorum of a request is unknown, so none can be met',
  ),
  optional('normative_registry', 'never', '', 'one law table fewer to prove untouched'),
  optional('law_catalog', 'never', '', 'one law table fewer to prove untouched'),
  optional('governance_docs', 'never', '', 'one law table fewer to prove untouched'),
];

/** What a home has beside the contract: its sources, and what they list. */
export const homeTables: readonly TableContract[] = [
  'gcos_source',
  'gcos_source_collection',
  'gcos_source_object',
].map((name) => optional(name, 'read', '', 'nothing fills this host'));
