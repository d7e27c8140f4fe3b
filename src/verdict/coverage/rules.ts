// Owns the coverage rules that are data: what a reference must point at, which columns hold references, which
// registries must have owners. It also determines what this host supports. INVARIANT: a missing table makes a
// link unknown, never resolved.
import { z } from 'zod';
import { defineSetting, settingErrors, type Transaction } from '../../db/index.js';
import { type RulesetContent, rowsOf } from '../../host/index.js';
import { type ClassMap, hasMembers, type MemberRegistry, ONLY_SCOPE } from '../../inventory/group/index.js';
import { plainJson } from '../../kernel/index.js';
import type { Rules } from '../candidate/index.js';
import { readShape } from './rules.sql.js';

const name = z.string().min(1);
const where = z.record(name, z.array(z.string())).default({});
const linkEvidence = z.array(
  z.union([
    z.strictObject({ link: name, form: name }),
    z.strictObject({ link: name, table: name, column: name, prefix: name.optional(), where }),
    z.strictObject({ link: name, table: name, columns: z.array(name).min(1), where }),
  ]),
);
const linkColumns = z.strictObject({
  member: z.record(name, z.array(name)),
  executor: z.array(name),
  tool: z.strictObject({ table: name, code: name, authority: name }),
});
const ownedRegistries = z.array(
  z.strictObject({ finding: name, table: name, code: name, owner: name, where }),
);
const exceptionRegistry = z.strictObject({ table: name, code: name, approval: name, expires: name });

/** The settings of this module, with the defaults for missing rows. */
const settings = z.object({
  'verdict.link_evidence': linkEvidence.default([]),
  'verdict.link_columns': linkColumns.default({
    member: {},
    executor: [],
    tool: { table: 'dot_tools', code: 'dot_code', authority: 'authority_ref' },
  }),
  'verdict.owned_registries': ownedRegistries.default([]),
  'verdict.exception_registry': exceptionRegistry.nullable().default(null),
  'verdict.bypass_actions': z.array(name).default([]),
});

/** Their declarations. */
export const coverageSettings = [
  defineSetting({
    key: 'verdict.link_evidence',
    form: settings.shape['verdict.link_evidence'].unwrap(),
    default: [
      {
        link: 'approval',
        table: 'approval_requests',
        column: 'code',
        where: { status: ['approved', 'applied'] },
      },
      { link: 'audit', table: 'registry_changelog', column: 'id', prefix: 'registry_changelog/' },
      { link: 'rollback', table: 'governance_docs', column: 'doc_code' },
      {
        link: 'issue_event',
        table: 'event_type_registry',
        columns: ['event_domain', 'event_type'],
        where: { active: ['true'] },
      },
      { link: 'law_ref', table: 'normative_registry', column: 'law_code' },
      { link: 'law_ref', table: 'law_catalog', column: 'code' },
      { link: 'design_ref', table: 'governance_docs', column: 'doc_code' },
      { link: 'dot_authority', table: 'governance_registry', column: 'code', where: { status: ['active'] } },
      { link: 'heartbeat', table: 'queue_heartbeat', column: 'executor_name' },
    ],
    about:
      'what a reference must point at for its link to resolve: a row of a table, or, with "form", any text of that form, without a look-up',
  }),
  defineSetting({
    key: 'verdict.link_columns',
    form: settings.shape['verdict.link_columns'].unwrap(),
    default: {
      member: {
        approval: ['approval_ref'],
        audit: ['audit_ref'],
        rollback: ['rollback_ref'],
        issue_event: ['issue_event_ref'],
        law_ref: ['law_ref'],
        design_ref: ['design_ref'],
        dot_authority: ['authority_ref'],
        heartbeat: ['heartbeat_ref'],
      },
      executor: ['executor_dot'],
      tool: { table: 'dot_tools', code: 'dot_code', authority: 'authority_ref' },
    },
    about:
      'which columns of member registries hold the references of a member, which name the tool that executes it, and where tools have their authority',
  }),
  defineSetting({
    key: 'verdict.owned_registries',
    form: settings.shape['verdict.owned_registries'].unwrap(),
    default: [
      { finding: 'axis_owner_gap', table: 'axis_registry', code: 'axis_code', owner: 'owner_gov_code' },
      {
        finding: 'classification_policy_unowned',
        table: 'universal_rule_registry',
        code: 'rule_code',
        owner: 'owner_gov_code',
        where: { rule_kind: ['classification'] },
      },
    ],
    about: 'registries whose rows must have an owner, and the finding about those that have none',
  }),
  defineSetting({
    key: 'verdict.exception_registry',
    form: settings.shape['verdict.exception_registry'].unwrap(),
    default: {
      table: 'exception_registry',
      code: 'exception_code',
      approval: 'approval_ref',
      expires: 'expires_at',
    },
    about: "the host's own list of exceptions: it suppresses no finding, and errors in it are findings",
  }),
  defineSetting({
    key: 'verdict.bypass_actions',
    form: settings.shape['verdict.bypass_actions'].unwrap(),
    default: ['direct_insert', 'direct_update', 'direct_delete'],
    about: 'actions in registry_changelog that mean a governed row was changed outside its declared path',
  }),
];

function settingsIn(content: RulesetContent): z.infer<typeof settings> {
  const values = rowsOf(content, 'settings').map(
    (row) => [String(row['setting_key']), plainJson(row['setting_value'] ?? null)] as const,
  );
  const parsed = settings.safeParse(Object.fromEntries(values));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw settingErrors.setting_invalid(
    `setting \`${String(issue?.path[0])}\` of the ruleset: ${issue?.message ?? 'wrong form'}`,
  );
}

export type EvidenceRule = z.infer<typeof linkEvidence>[number];
export type OwnedRegistry = z.infer<typeof ownedRegistries>[number];
type ExceptionRegistry = z.infer<typeof exceptionRegistry>;

export interface CoverageRules {
  /** The rules whose tables exist. */
  readonly evidence: readonly EvidenceRule[];
  readonly columns: z.infer<typeof linkColumns>;
  readonly owned: readonly OwnedRegistry[];
  readonly exceptions: ExceptionRegistry | null;
  readonly bypassActions: readonly string[];
  /** The links that this host can resolve. */
  readonly evaluable: readonly string[];
  readonly ownershipAvailable: boolean;
  /** Whether a table has all of these columns and GCOS may read them. */
  has(table: string, ...columns: readonly string[]): boolean;
}

export const OWNERSHIP = 'governance_object_ownership';
const OWNERSHIP_COLUMNS = [
  'object_type',
  'object_ref',
  'scope',
  'owner_kind',
  'owner_gov_code',
  'is_inherited_anchor',
  'effective_from',
  'effective_to',
  'lifecycle_status',
  'approval_ref',
  'audit_ref',
  'rollback_ref',
  'source_law_ref',
  'source_design_ref',
];

const columnsOf = (rule: EvidenceRule): readonly string[] => {
  if ('form' in rule) return [];
  return [...('columns' in rule ? rule.columns : [rule.column]), ...Object.keys(rule.where)];
};

/** The rules and the tables they name that this host has, read in a fixed number of statements. */
export async function readCoverageRules(
  tx: Transaction,
  { content, map, scopes }: Pick<Rules, 'content' | 'map' | 'scopes'>,
): Promise<CoverageRules> {
  const {
    'verdict.link_evidence': evidence,
    'verdict.link_columns': columns,
    'verdict.owned_registries': owned,
    'verdict.exception_registry': exceptions,
    'verdict.bypass_actions': bypassActions,
  } = settingsIn(content);
  const tables = new Set([
    OWNERSHIP,
    'governance_registry',
    columns.tool.table,
    ...evidence.flatMap((rule) => ('form' in rule ? [] : [rule.table])),
    ...owned.map((each) => each.table),
    ...(exceptions === null ? [] : [exceptions.table]),
    ...map.classes.flatMap((each) => (each.registry === null ? [] : [each.registry.name])),
  ]);
  const found = new Map<string, Set<string>>();
  for (const row of await tx.run(readShape, { tables: [...tables] })) {
    const known = found.get(row.relation) ?? new Set();
    found.set(row.relation, known.add(row.column_name));
  }
  const has = (table: string, ...needed: readonly string[]): boolean =>
    found.has(table) && needed.every((column) => found.get(table)?.has(column) === true);
  const usable = evidence.filter((rule) => 'form' in rule || has(rule.table, ...columnsOf(rule)));
  const toolsThere = has(columns.tool.table, columns.tool.code, columns.tool.authority);
  return {
    evidence: usable,
    columns,
    owned,
    exceptions,
    bypassActions,
    evaluable: [...new Set(usable.map((rule) => rule.link))].filter(
      (link) => link !== 'dot_authority' || toolsThere,
    ),
    ownershipAvailable: has(OWNERSHIP, ...OWNERSHIP_COLUMNS) && !scopes.includes(ONLY_SCOPE),
    has,
  };
}

export interface LinkedRegistry {
  readonly registry: MemberRegistry;
  /** Link (or `executor`) → columns that hold it. */
  readonly columns: readonly (readonly [string, string])[];
}

/** The member registries of `collections` (null: all) that hold references, with the columns. */
export function linkedRegistries(
  rules: CoverageRules,
  map: ClassMap,
  collections: ReadonlySet<string> | null,
): readonly LinkedRegistry[] {
  const registries = new Map<string, MemberRegistry>();
  for (const { registry, inherits } of map.classes)
    if (registry !== null && !inherits && hasMembers(registry)) registries.set(registry.name, registry);
  const wanted = [
    ...Object.entries(rules.columns.member),
    ['executor', rules.columns.executor] as const,
  ].flatMap(([link, names]) => names.map((column) => [link, column] as const));
  return [...registries.values()]
    .filter((registry) => collections === null || collections.has(registry.name))
    .map((registry) => ({
      registry,
      columns: wanted.filter(([, column]) => rules.has(registry.name, column)),
    }))
    .filter((each) => each.columns.length > 0);
}
