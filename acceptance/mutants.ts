// Owns the mutants: for each line of docs/acceptance.md a small change of the product that breaks exactly
// what the line claims. A change is a list of edits; each must match exactly once.

export interface Edit {
  /** Relative to the root of the project. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  readonly number: string;
  /** What no longer holds, for docs/acceptance.md. */
  readonly breaks: string;
  readonly edits: readonly Edit[];
}

/** The text after an edit; an edit that does not match exactly once is an error. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`the edit of ${file} matches ${parts.length - 1} times, not once: ${find}`);
  return parts.join(replace);
}

/** The cell of a mutant in docs/acceptance.md. */
export function describeMutant({ breaks, edits }: Mutant): string {
  const files = [...new Set(edits.map(({ file }) => file))];
  const links = files.map((file) => `[${file.split('/').at(-1)}](../${file})`);
  return `${breaks}: ${links.join(', ')}`;
}

export const mutants: readonly Mutant[] = [
  {
    number: '38.10 #1',
    breaks: 'the version depends on the physical order of rows',
    edits: [
      { file: 'src/host/rule/content.ts', find: 'named.sort(', replace: '[...named].sort(' },
      {
        file: 'src/host/rule/read-content.sql',
        find: 'order by m.measurement_id::text collate "C"',
        replace: 'order by m.ctid',
      },
    ],
  },
  {
    number: '38.10 #2',
    breaks: 'with one group, every group counts as drifted',
    edits: [
      {
        file: 'src/inventory/snapshot/drift.ts',
        find: 'groups: changed.flatMap((key) => driftOf(key, old[key], now[key])),',
        replace:
          'groups: (changed.length > 0 ? keys : []).flatMap((key) => driftOf(key, old[key], now[key])),',
      },
    ],
  },
  {
    number: '38.10 #3',
    breaks: 'a changed detector reaches every scope',
    edits: [
      {
        file: 'src/rule/ruleset/schema/change-reach.sql',
        find: 'select r.scope, r.axis_family, r.source_registry, null::text from ruled r',
        replace: 'select null::text, r.axis_family, r.source_registry, null::text from ruled r',
      },
    ],
  },
  {
    number: '38.10 #4',
    breaks: 'an activation writes a table of laws',
    edits: [
      {
        file: 'src/host/contract.ts',
        find: "optional('normative_registry', 'never',",
        replace: "optional('normative_registry', 'write',",
      },
      {
        file: 'src/verdict/candidate/schema/carry.sql',
        find: '  -- Of the stored rulesets, not of the tables.\n',
        replace: '  update {{schema}}.normative_registry set version = version;\n',
      },
    ],
  },
  {
    number: '38.10 #5',
    breaks: 'the first birth is left out of the fingerprints',
    edits: [
      {
        file: 'src/inventory/snapshot/fingerprint/range.ts',
        find: 'let first = whole.first;',
        replace: 'let first = whole.first + 1n;',
      },
    ],
  },
  {
    number: '38.10 #6',
    breaks: 'a verdict stays valid without its snapshot',
    edits: [
      {
        file: 'src/verdict/candidate/schema/candidate.sql',
        find: "when p_snapshot_there is not true then 'snapshot_gone'",
        replace: "when p_snapshot_there is null then 'snapshot_gone'",
      },
    ],
  },
  {
    number: '38.10 #7',
    breaks: 'an activation has no audit row',
    edits: [
      {
        file: 'src/rule/ruleset/schema/activate.sql',
        find: "perform {{trust}}.gcos_audit(array['governance_ruleset'], array[p_version], array['activate'],",
        replace:
          "perform {{trust}}.gcos_audit(array['governance_ruleset'], array[p_version], array['draft'],",
      },
    ],
  },
  {
    number: '40.10 #1',
    breaks: 'a verdict stays valid when its ruleset is superseded',
    edits: [
      {
        file: 'src/verdict/candidate/schema/candidate.sql',
        find: "when p_ruleset_status is distinct from 'active' then 'ruleset_not_active'",
        replace: "when p_ruleset_status is null then 'ruleset_not_active'",
      },
    ],
  },
  {
    number: '40.10 #2',
    breaks: 'the verdict of a container depends on its children',
    edits: [
      {
        file: 'src/verdict/candidate/group/evaluate.ts',
        find: 'fingerprint: row.inherits ? null : [',
        replace: 'fingerprint: [',
      },
    ],
  },
  {
    number: '40.10 #3',
    breaks: 'an object keeps its row when its last reason lapses',
    edits: [
      {
        file: 'src/verdict/candidate/objects/materialize.ts',
        find: 'await endRows(tx, REASONS, representedByGroup, ',
        replace: 'await endRows(tx, REASONS, representedByGroup.slice(0, 0), ',
      },
    ],
  },
  {
    number: '40.10 #4',
    breaks: 'a change in one scope marks every scope',
    edits: [
      {
        file: 'src/verdict/candidate/dirty.sql',
        find: "    and (:scopes::text[] is null or c.depends_on -> 'rule_scopes' ?| :scopes::text[])\n    and (:axis_families",
        replace: '    and (:scopes::text[] is null or true)\n    and (:axis_families',
      },
    ],
  },
  {
    number: '40.10 #5',
    breaks: 'high risk and unknown is allowed with a rescan',
    edits: [
      {
        file: 'src/answer/gate/schema/codes.sql',
        find: "when p_high_risk is false then 'allow_and_rescan'",
        replace: "when p_high_risk is not null then 'allow_and_rescan'",
      },
    ],
  },
  {
    number: '40.10 #6',
    breaks: 'a scope in which groups differ has no finding',
    edits: [
      {
        file: 'src/verdict/ledger/close.ts',
        find: 'ledger.scopes.filter((each) => !each.closes).map(observe)',
        replace: 'ledger.scopes.filter((each) => !each.closes && each.differing === 0).map(observe)',
      },
    ],
  },
  {
    number: '40.10 #7',
    breaks: 'a replay finds other inputs than the first run',
    edits: [
      {
        file: 'src/verdict/candidate/rules.ts',
        find: "return hash('gcos-candidate-object', [",
        replace: "return hash('gcos-candidate-object', [\n    String(Math.random()),",
      },
    ],
  },
  {
    number: '40.10 #8',
    breaks: 'the row of a deleted object ends instead of becoming a tombstone',
    edits: [
      {
        file: 'src/verdict/candidate/objects/objects.sql',
        find: "g.input_hash, p.fingerprint, :run_id::text,\n    'retired', :at",
        replace: "g.input_hash, p.fingerprint, :run_id::text,\n    'superseded', :at",
      },
    ],
  },
  {
    number: '41.11 #1',
    breaks: 'inactive types are emitted',
    edits: [
      {
        file: 'src/record/event/migration/emit-function.sql',
        find: 'r.default_severity::text, r.active\n',
        replace: 'r.default_severity::text, true as active\n',
      },
    ],
  },
  {
    number: '41.11 #2',
    breaks: 'signals carry the title of the finding',
    edits: [
      {
        file: 'src/record/event/payload/schema.ts',
        find: 'const copy = guardPayload(payload);',
        replace: "const copy = type === '' ? guardPayload(payload) : (payload as object);",
      },
      {
        file: 'src/record/event/payload/schema.ts',
        find: '  if (!parsed.success) {',
        replace: "  if (!parsed.success && type === '') {",
      },
      {
        file: 'src/work/announcement.ts',
        find: '      issue_id: String(transition.issueId),\n      severity',
        replace:
          "      title: transition.type + ': ' + transition.subject,\n      issue_id: String(transition.issueId),\n      severity",
      },
    ],
  },
  {
    number: '41.11 #3',
    breaks: 'GCOS may insert births',
    edits: [
      {
        file: 'src/host/contract.ts',
        find: "    'birth_registry',\n    'read',",
        replace: "    'birth_registry',\n    'append',",
      },
    ],
  },
  {
    number: '41.11 #4',
    breaks: 'a birth that fails is not recorded',
    edits: [
      {
        file: 'src/work/follow/set-aside.ts',
        find: 'await recordFailures(tx, lease, round, failures);',
        replace: 'await recordFailures(tx, lease, round, failures.slice(0, 0));',
      },
    ],
  },
  {
    number: '41.11 #5',
    breaks: 'the intake reacts to governance signals',
    edits: [
      {
        file: 'src/work/intake/log.sql',
        find: "coalesce(b.event_domain = 'governance' or b.source_system = 'gcos' or starts_with(b.event_subject_ref::text, 'GCOS-'), false) as own",
        replace: "coalesce(b.event_domain = 'none', false) as own",
      },
    ],
  },
  {
    number: '41.11 #6',
    breaks: 'silence counts only after a thousand times its threshold',
    edits: [
      {
        file: 'src/record/cursor/watch.ts',
        find: 'if (isSilent(beat, limits.silence_seconds))',
        replace: 'if (isSilent(beat, limits.silence_seconds * 1_000))',
      },
    ],
  },
  {
    number: '41.11 #7',
    breaks: 'a muted recipient is notified',
    edits: [
      {
        file: 'src/record/event/migration/deliver-function.sql',
        find: 'and not exists (select from {{schema}}.event_subscription b where not b.mute and',
        replace: 'and not exists (select from {{schema}}.event_subscription b where',
      },
      {
        file: 'src/record/event/migration/deliver-function.sql',
        find: 'select u.recipient_ref, u.pos from subscribed u where not u.mute',
        replace: 'select u.recipient_ref, u.pos from subscribed u',
      },
      {
        file: 'src/record/event/migration/emit-function.sql',
        find: "select from {{schema}}.event_subscription b where not b.mute and coalesce(b.event_domain, 'governance') = 'governance'))",
        replace:
          "select from {{schema}}.event_subscription b where coalesce(b.event_domain, 'governance') = 'governance'))",
      },
    ],
  },
  {
    number: '41.11 #8',
    breaks: 'types of workers are in a domain of their own',
    edits: [
      {
        file: 'src/record/event/migration/type-functions.sql',
        find: "select 'governance', t.event_type,",
        replace:
          "select case when t.event_type like 'cursor.%' then 'workers' else 'governance' end, t.event_type,",
      },
    ],
  },
  {
    number: '31 §9 #1',
    breaks: 'members without a birth are left out on both sides of the ledger',
    edits: [
      {
        file: 'src/verdict/ledger/inventory/count.ts',
        find: 'for (const row of unborn) {',
        replace: 'for (const row of unborn.slice(unborn.length)) {',
      },
      {
        file: 'src/verdict/candidate/objects/materialize.ts',
        find: 'const drafts = await findUnbornDrafts(tx, rules);',
        replace: 'const drafts = (await findUnbornDrafts(tx, rules)).slice(0, 0);',
      },
    ],
  },
  {
    number: '31 §9 #2',
    breaks: 'a scope closes although a key has two live rows',
    edits: [
      {
        file: 'src/verdict/ledger/ledger.ts',
        find: 'closes: differences.length === 0 && duplicates === 0,',
        replace: 'closes: differences.length === 0 && duplicates >= 0,',
      },
    ],
  },
  {
    number: '31 §9 #3',
    breaks: 'a scope closes although rows are gone',
    edits: [
      {
        file: 'src/verdict/ledger/ledger.ts',
        find: 'return { ...ledger, gone, closes: ledger.closes && gone.length === 0 };',
        replace: 'return { ...ledger, gone, closes: ledger.closes || gone.length > 0 };',
      },
    ],
  },
  {
    number: '31 §9 #4',
    breaks: 'the closing snapshot has no ledger',
    edits: [
      {
        file: 'src/work/closing/reconcile.ts',
        find: 'closing: { proof: toWire(proof), ledger: toWire(closing.ledger) }',
        replace: 'closing: { proof: toWire(proof), ledger: {} }',
      },
    ],
  },
  {
    number: '34 §0 #1',
    breaks: 'the tables of GCOS need no owner',
    edits: [
      {
        file: 'src/demo/insert/profiles.sql',
        find: `(53, 'governance_record', 'write_low', 'member', null,
    '{"policy":["owner"],"health":["owner"],"execution":["owner","rollback"],"render":["owner"],"approval":["owner","approval"],"audit":["owner","audit"]}')`,
        replace: "(53, 'governance_record', 'write_low', 'member', null, '{}')",
      },
    ],
  },
  {
    number: '34 §4 #1',
    breaks: 'a birth marks nothing',
    edits: [
      {
        file: 'src/work/intake/schema/intake.sql',
        find: "('birth_registry', 'added', 'object_born', '{object_class,source_registry,lifecycle_status}', 'handoff:object_born',",
        replace: "('birth_registry', 'added', 'object_born', '{}', null,",
      },
    ],
  },
  {
    number: '34 §4 #2',
    breaks: 'an owner of an axis changes, and nothing is marked',
    edits: [
      {
        file: 'src/work/intake/schema/intake.sql',
        find: "('axis_owner', 'updated', 'authority_changed', '{axis_family}', 'authority',",
        replace: "('axis_owner', 'updated', 'authority_changed', '{}', null,",
      },
    ],
  },
  {
    number: '34 §4 #3',
    breaks: 'a law changes, and nothing is marked',
    edits: [
      {
        file: 'src/work/intake/schema/intake.sql',
        find: "('normative_registry', '*', 'policy_changed', '{scope,axis_family,source_registry}', 'policy',",
        replace: "('normative_registry', '*', 'policy_changed', '{}', null,",
      },
    ],
  },
  {
    number: '34 §4 #4',
    breaks: 'a change of an owner marks every scope',
    edits: [
      {
        file: 'src/work/intake/schema/intake.sql',
        find: "('governance_object_ownership', '*', 'authority_changed', '{object_class,source_registry,lifecycle_status,scope}',",
        replace:
          "('governance_object_ownership', '*', 'authority_changed', '{object_class,source_registry,lifecycle_status}',",
      },
    ],
  },
  {
    number: '34 §4 #5',
    breaks: 'a changed profile reaches every class',
    edits: [
      {
        file: 'src/rule/ruleset/schema/change-reach.sql',
        find: "when 'profiles' then 'class_pattern' else",
        replace: "when 'profiles' then 'no such column' else",
      },
    ],
  },
  {
    number: '34 §4 #6',
    breaks: 'a drift between snapshots marks nothing',
    edits: [
      {
        file: 'src/work/intake/schema/intake.sql',
        find: "('evolution_snapshots', 'drifted', 'count_changed', '{object_class,source_registry,lifecycle_status}', 'snapshot_drift',",
        replace: "('evolution_snapshots', 'drifted', 'count_changed', '{}', null,",
      },
    ],
  },
  {
    number: '34 §4 #7',
    breaks: 'expired groups are not due',
    edits: [
      {
        file: 'src/work/scan/backlog.sql',
        find: "where :expired::boolean and c.row_state = 'active' and",
        replace: "where :expired::boolean and c.row_state = 'superseded' and",
      },
    ],
  },
  {
    number: '34 §4 #8',
    breaks: 'a corrected input marks nothing',
    edits: [
      {
        file: 'src/work/intake/schema/intake.sql',
        find: "('birth_registry', 'corrected', 'source_changed', '{object_class,source_registry,lifecycle_status}', 'input_correction',",
        replace: "('birth_registry', 'corrected', 'source_changed', '{}', null,",
      },
    ],
  },
  {
    number: '34 §4 #9',
    breaks: 'scans are not throttled in a storm',
    edits: [
      {
        file: 'src/work/scan/scan.ts',
        find: 'const limit = storm === null ? pace.at_once : pace.storm_at_once;',
        replace: 'const limit = pace.at_once;',
      },
    ],
  },
  {
    number: '34 §5 #1',
    breaks: 'an event scan does not wait for the window of a mark',
    edits: [
      {
        file: 'src/work/scan/scan.ts',
        find: "const restMs = mode === 'event' ? pace.debounce_ms : 0;",
        replace: 'const restMs = 0;',
      },
    ],
  },
  {
    number: '34 §5 #2',
    breaks: 'an incremental scan leaves expired verdicts',
    edits: [
      {
        file: 'src/work/scan/scan.ts',
        find: "expired: mode === 'incremental' };",
        replace: 'expired: false };',
      },
    ],
  },
  {
    number: '34 §5 #3',
    breaks: 'a full scan evaluates no group that is not marked',
    edits: [
      {
        file: 'src/work/scan/full.ts',
        find: 'cover(part.length === groups.length ? {} : { inventoryKeys: part.map((each) => each.inventoryKey) }),',
        replace: 'cover({ inventoryKeys: part.slice(part.length).map((each) => each.inventoryKey) }),',
      },
    ],
  },
  {
    number: '34 §6 #1',
    breaks: 'every verdict has the default time to live',
    edits: [
      {
        file: 'src/verdict/candidate/group/evaluate.ts',
        find: 'ttlSeconds: fresh.map((each) => each.ttlSeconds ?? rules.defaultTtlSeconds),',
        replace: 'ttlSeconds: fresh.map(() => rules.defaultTtlSeconds),',
      },
    ],
  },
  {
    number: '34 §6 #2',
    breaks: 'an expired verdict reads as valid',
    edits: [
      {
        file: 'src/verdict/candidate/schema/candidate.sql',
        find: "when as_of >= p_stale_after then 'expired'",
        replace: "when as_of >= p_stale_after + interval '100 years' then 'expired'",
      },
    ],
  },
  {
    number: '34 §9 #1',
    breaks: 'a finding out of reach keeps the old ruleset',
    edits: [
      {
        file: 'src/record/finding/functions.sql',
        find: '  set ruleset = p_to\n  from held',
        replace: '  set ruleset = p_from\n  from held',
      },
    ],
  },
];
