// Reads by plain SQL what flips after an activation and a full scan, for comparison with a plan.
import type { Flips } from '../../src/answer/plan/index.js';
import { readTermRows } from '../../src/verdict/ledger/row/terms.sql.js';
import { asHost } from './database.js';
import type { Estate } from './estate.js';
import { from, SCOPES } from './history.js';
import { everyTerm, withLiterals } from './sql.js';

/** Findings that a plan does not preview: about GCOS's own processes, and about rules without an approval. */
const NOT_PREVIEWED = [
  'backfill_inventory_gap',
  'candidate_scan_lag',
  'candidate_stale',
  'governance_schema_drift',
  'ruleset_drift',
];

export type KnownState = ReadonlyMap<string, string>;

/** Everything that can flip, by subject. */
export async function readFlippable(url: string, at: string): Promise<KnownState> {
  const rows = await asHost(
    url,
    // New rows have no statistics yet; nested loops over them take seconds.
    `set enable_nestloop = off; with live as (
       select 'group ' || c.inventory_key || ' ' || c.scope as name, c.candidate_verdict, c.coverage_outcome, c.row_state
       from governance_candidate_state c where c.row_state in ('active', 'retired')
       union all
       select 'object ' || c.collection_name || ' ' || c.entity_code || ' ' || c.scope, c.candidate_verdict, c.coverage_outcome, c.row_state
       from governance_candidate_object c where c.row_state = 'active' or (c.row_state = 'retired' and c.evidence ? 'source_row_gone')
     )
     select 'verdict ' || name as what, candidate_verdict as is from live
     union all
     select 'outcome ' || name, coverage_outcome from live where coverage_outcome is not null and row_state = 'active'
     union all
     select 'finding ' || k.coalesce_key, 'open'
     from governance_finding_key k join system_issues s on s.id = k.issue_id
     where s.status = 'open' and k.finding_type <> all (array['${NOT_PREVIEWED.join("', '")}'])
     union all
     select 'term ' || t.scope || ' ' || t.term, sum(t.units)::text
     from (${withLiterals(readTermRows, everyTerm(at))}) t group by t.scope, t.term`,
  );
  return new Map(rows.map((row) => [String(row['what']), String(row['is'])]));
}

const UNIT_CODES = [
  'unknown',
  'needs_input',
  'deferred_birth',
  'coverage_not_scanned',
  'orphan',
  'exception_lapsed',
];

/**
 * The gate's answers about every object and group with its own rows, by the reasons that units give. Other
 * reasons depend on the time of the check.
 */
export async function readGate({ gcos, url }: Pick<Estate, 'gcos' | 'url'>): Promise<KnownState> {
  const rows = await asHost(
    url,
    `select distinct collection_name as collection, entity_code as code, null as group from governance_candidate_object where row_state = 'active' and entity_code <> ''
     union all select distinct null, null, inventory_key from governance_candidate_state where row_state = 'active' and weight = 1`,
  );
  const subjects = rows.map((row) =>
    row['group'] === null
      ? { collection: String(row['collection']), code: String(row['code']) }
      : { group: String(row['group']) },
  );
  const { decisions } = await gcos.gates.check(subjects, { deadlineMs: 60_000 });
  return new Map(
    decisions.map(({ subject, reasons, highRisk: high }) => {
      const name =
        'group' in subject ? `group ${subject.group}` : `object ${subject.collection} ${subject.code}`;
      const against = reasons.some(({ code }) => UNIT_CODES.includes(code));
      return [`gate ${name}`, against ? (high ? 'block' : 'allow_and_rescan') : 'allow'];
    }),
  );
}

/** One line per flip between two states. */
export function flipsBetween(before: KnownState, after: KnownState): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => `${key}: ${before.get(key) ?? '-'} → ${after.get(key) ?? '-'}`)
    .sort();
}

/** The flips of a plan as the same kind of lines. */
export function flipsOf(flips: Flips): string[] {
  const unit = (what: string) => (each: Flips['verdicts'][number]) => {
    const name =
      each.code === null ? `group ${each.inventoryKey}` : `object ${each.sourceRegistry} ${each.code}`;
    return `${what} ${name} ${each.scope}: ${each.from ?? '-'} → ${each.to ?? '-'}`;
  };
  const number = (count: number) => (count === 0 ? '-' : String(count));
  return [
    ...flips.verdicts.map(unit('verdict')),
    ...flips.outcomes.map(unit('outcome')),
    ...flips.findings
      .filter((each) => !NOT_PREVIEWED.includes(each.type))
      .map(({ key, change }) => `finding ${key}: ${change === 'resolved' ? 'open → -' : '- → open'}`),
    ...flips.gates.map(({ code, inventoryKey, sourceRegistry, from, to }) => {
      const name = code === null ? `group ${inventoryKey}` : `object ${sourceRegistry} ${code}`;
      return `gate ${name}: ${from} → ${to}`;
    }),
    ...flips.ledger.map(
      ({ scope, term, before, after }) => `term ${scope} ${term}: ${number(before)} → ${number(after)}`,
    ),
  ].sort();
}

const LINKS = ['approval', 'audit', 'rollback', 'law_ref', 'heartbeat', 'dot_authority'];
const profile = (n: number) =>
  `(select profile_code from coverage_profile order by md5(profile_code || '${n}') limit 1)`;
const COLLECTIONS = [
  'orders',
  'dot_tools',
  'publishing_jobs',
  'articles',
  'policy_registry',
  'user_drafts',
  'nobody_knows',
];
const birth = (n: number) =>
  `(select id from birth_registry where collection_name = '${from(COLLECTIONS, n)}' order by md5(entity_code || '${n}'), id limit 1)`;
const set = (what: string, n: number) =>
  `update coverage_profile set ${what} where profile_code = ${profile(n)}`;

/** Changes to rules; `n` selects the row. */
const RULES = {
  more: (n) =>
    set(
      `required_links = required_links || jsonb_build_object('${from(SCOPES, n)}', jsonb_build_array('owner', '${from(LINKS, n >> 3)}'))`,
      n,
    ),
  fewer: (n) => set(`required_links = required_links - '${from(SCOPES, n)}'`, n),
  risk: (n) => set(`risk_class = '${from(['write_high', 'write_low', 'read', 'descriptive'], n)}'`, n),
  private: (n) => set(`class_0 = not class_0`, n),
  container: (n) => set(`inherits = not inherits`, n),
  family: (n) => set(`primary_axis_family = ${from(["'topic'", 'null', "'nowhere'"], n)}`, n),
  pattern: (n) => {
    const pattern = from(
      ["p.class_pattern || '%'", "'no ' || p.class_pattern", "left(p.class_pattern, 3) || '%'"],
      n,
    );
    return `update coverage_profile p set class_pattern = ${pattern} where p.profile_code = ${profile(n)}
      and not exists (select from coverage_profile o where o.class_pattern = ${pattern})`;
  },
  scope: (n) =>
    `update governance_responsibility_scope set status = case when status = 'active' then 'retired' else 'active' end where scope_code = '${from(SCOPES, n)}'`,
  reach: (n) =>
    `insert into governance_rule_reach (rule_kind, rule_code, scope, source_registry) select 'law', 'LAW-' || '${n}', null, '${from(['user_drafts', 'saved_views', 'orders'], n)}'`,
  limits: (n) =>
    `update governance_setting set setting_value = setting_value || '{"code_length": ${from([14, 512, 16, 18], n)}}' where setting_key = 'input.limits'`,
  bypass: (n) =>
    `update governance_setting set setting_value = '${from(['[]', '["direct_update"]', '["direct_insert", "direct_update", "direct_delete"]'], n)}' where setting_key = 'verdict.bypass_actions'`,
  axis: (n) =>
    `update axis_registry set status = case when status = 'active' then 'retired' else 'active' end where axis_code = (select axis_code from axis_registry order by md5(axis_code || '${n}') limit 1)`,
  detector: (n) =>
    `update measurement_registry set enabled = false where measurement_id = (select measurement_id from measurement_registry where enabled order by md5(measurement_id || '${n}') limit 1)`,
} satisfies Record<string, (n: number) => string>;
/** Changes in the host that wait for a scan: they flip as well. */
const HOST = {
  born: (n) =>
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role)
     select 'F-${n}', collection_name, species_code, composition_level, dot_origin, governance_role from birth_registry where id = ${birth(n)}`,
  bornTwice: (n) =>
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role)
     select entity_code, collection_name, species_code, composition_level, dot_origin, governance_role from birth_registry where id = ${birth(n)}`,
  bornBare: (n) =>
    `insert into birth_registry (entity_code, collection_name, status) values ('E-${n}', '${from(COLLECTIONS, n)}', 'born')`,
  ended: (n) => `update birth_registry set status = 'retired' where id = ${birth(n)}`,
  deleted: (n) => `delete from birth_registry where id = ${birth(n)}`,
  ownerEnds: (n) =>
    `update governance_object_ownership set lifecycle_status = 'revoked', effective_to = greatest(now(), effective_from + interval '1 second')
     where id = (select id from governance_object_ownership where lifecycle_status = 'active' order by md5(id || '${n}') limit 1)`,
  tool: (n) =>
    `insert into dot_tools (dot_code, name, tier) values ('DOT-F${n}', 'made up', 'A') on conflict do nothing`,
  toolGone: (n) =>
    `delete from dot_tools where dot_code = (select dot_code from dot_tools order by md5(dot_code || '${n}') limit 1)`,
} satisfies Record<string, (n: number) => string>;

const EDITS: Readonly<Record<string, (n: number) => string>> = { ...RULES, ...HOST };
export type EditKind = keyof typeof RULES | keyof typeof HOST;
export type Edit = readonly [kind: EditKind, n: number];
export const EDIT_KINDS = Object.keys(EDITS) as readonly EditKind[];

/** Whether the edits change only rules, so that rules cause every flip. An axis is also an object. */
export const areOfRules = (edits: readonly Edit[]): boolean =>
  edits.every(([kind]) => kind in RULES && kind !== 'axis');

/** Applies `edits`. */
export async function editRules(url: string, edits: readonly Edit[]): Promise<void> {
  for (const [kind, n] of edits) await asHost(url, EDITS[kind]?.(n) ?? '');
}
