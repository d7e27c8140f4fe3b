// The rules in force are the rules that were approved: an edit of a rule table is drift, and decides nothing
// until a ruleset with it becomes active. Everything goes on meanwhile.
import { describe, expect, it } from 'vitest';
import { decodeContent } from '../../src/host/index.js';
import {
  type BelievedUnit,
  type JudgedUnit,
  previewVerdicts,
  readStored,
  unitName,
} from '../../src/verdict/candidate/index.js';
import { evidence, some } from '../support/evidence.js';
import { differences, readKnownState, startOver } from '../support/from-scratch.js';
import { bear, estate, host, intake, marks, number, scan, useReconciled } from '../support/reconciled.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

useReconciled();

/** One edit or more of every table that is part of a ruleset. */
const EDITS: Readonly<Record<string, string>> = {
  detectors: `update measurement_registry set source_query = 'select 1', target_query = 'select 2'`,
  profiles: `update coverage_profile set risk_class = 'read', ttl = '1 second', inherits = not inherits, class_0 = not class_0,
    required_links = '{}', primary_axis_family = 'elsewhere'`,
  axes: `update axis_registry set axis_family = 'elsewhere', object_class = null`,
  pivots: `update pivot_definitions set group_spec = '{"dims": ["elsewhere"]}'`,
  jurisdictions: `update law_jurisdiction set domain = domain || ' elsewhere'`,
  scopes: `update governance_responsibility_scope set status = 'retired' where scope_code <> 'audit'`,
  reach: `insert into governance_rule_reach (rule_kind, rule_code, source_registry) select 'law', 'LAW-01', collection_name from collection_registry`,
  settings: `update governance_setting set setting_value = '[]' where setting_key in
      ('verdict.collection_decisions', 'lifecycle.terminal', 'verdict.link_evidence', 'verdict.owned_registries');
    update governance_setting set setting_value = '1' where setting_key = 'verdict.default_ttl_seconds';
    update governance_setting set setting_value = '{"prod": "observe"}' where setting_key = 'gate.mode';
    update governance_setting set setting_value = '{"high_minutes": 1, "low_minutes": 1}' where setting_key = 'gate.max_unwatched';
    update governance_setting set setting_value = setting_value || '{"trust_by_risk": {}}' where setting_key = 'input.policy';
    update governance_setting set setting_value = '{"longest_days": 1}' where setting_key = 'exception.limits'`,
};
const now = async () => String((await host('select now()::text as at'))[0]?.['at']);
const state = async () => readKnownState(estate.url, await now());
const onlyDrift = (lines: readonly string[]) =>
  lines.filter((line) => !line.startsWith('finding ruleset_drift '));
const drift = () =>
  number(
    `select count(*)::int as n from system_issues where issue_type = 'ruleset_drift' and status = 'open'`,
  );

describe('an unapproved edit of a rule', () => {
  it('in any table raises ruleset_drift, marks no group, and changes no verdict; births are judged meanwhile', async () => {
    const before = await state();
    for (const [part, edit] of Object.entries(EDITS)) {
      await host(edit);
      await intake();
      expect(await marks(), part).toEqual([]);
      await bear('orders', part, 1);
      await intake();
      expect(await scan('incremental'), part).toMatchObject({ changed: 0 });
      expect(onlyDrift(differences(before, await state())), part).toEqual([]);
      expect(await drift(), part).toBe(1);
    }
    expect((await estate.gcos.status()).ruleset).toMatchObject({ drifted: true });
    // The same from nothing: neither a backfill nor a full scan reads the edited tables.
    const births = await state();
    await startOver(estate.url, estate.gcos);
    await intake();
    expect(onlyDrift(differences(births, await state()))).toEqual([]);
    evidence(
      `${some(births.size, 'fact')} are the same under ${some(Object.keys(EDITS).length, 'edited table')}`,
    );
  });
});

it('1,000 random verdicts follow from the stored bytes of their ruleset and the facts of the host, after every rule table was edited', async () => {
  for (const edit of Object.values(EDITS)) await host(edit);
  const { rederived, sample } = await estate.db.transaction(
    { isolation: 'repeatable read', readOnly: true },
    async (tx) => {
      const [row] = await host(
        `select ruleset_version as version, encode(canonical_bytes, 'base64') as bytes from governance_ruleset
         where ruleset_version = (select distinct ruleset_version from governance_candidate_state where row_state = 'active')`,
      );
      const content = decodeContent(String(row?.['version']), Buffer.from(String(row?.['bytes']), 'base64'));
      const preview = await previewVerdicts(tx, await readStored(tx), {
        content,
        at: await now(),
        limitMs: 60_000,
      });
      const [believed, units]: [BelievedUnit[], JudgedUnit[]] = [[], []];
      for await (const part of preview.parts()) {
        believed.push(...part.stored);
        units.push(...part.units);
      }
      const live = believed.filter((unit) => !unit.over);
      const shuffled = live
        .map((unit) => ({ unit, by: Math.random() }))
        .sort((left, right) => left.by - right.by);
      return { rederived: units, sample: shuffled.slice(0, 1_000).map(({ unit }) => unit) };
    },
  );
  const found = new Map(rederived.map((unit) => [unitName(unit), unit]));
  const wrong = sample.filter((unit) => {
    const again = found.get(unitName(unit));
    return (
      again === undefined ||
      again.verdict !== unit.verdict ||
      again.line !== unit.line ||
      again.riskClass !== unit.riskClass
    );
  });
  expect(sample).toHaveLength(1_000);
  expect(wrong).toEqual([]);
  evidence(`${some(sample.length, 'verdict')} re-derived`);
});

describe('an activation', () => {
  const signals = async (type: string, about: string) =>
    number(
      `select count(*)::int as n from (
         select event_type as type, event_subject_ref as ref from event_outbox union all
         select event_type_hint, entity_ref from event_pending) as s where s.type = '${type}' and s.ref = '${about}'`,
    );

  it('is announced in its own transaction, whatever it reaches, and once more for every group that it reaches', async () => {
    const [first] = await host(
      `select ruleset_version as version from governance_ruleset where status = 'active'`,
    );
    for (const type of ['ruleset.activated', 'handoff.ruleset_changed'])
      expect(await signals(type, String(first?.['version']))).toBe(1);
    // The intake sees the edit first.
    await host(`update coverage_profile set risk_class = 'write_high' where class_pattern = 'article%';
      update axis_registry set axis_family = 'elsewhere' where object_class = 'order'`);
    await intake();
    const version = await putRulesIntoForce(estate.gcos);
    for (const type of ['ruleset.activated', 'handoff.ruleset_changed'])
      expect(await signals(type, version)).toBe(1);
    const run = await intake();
    expect(run.applied.byKind).toMatchObject({ ruleset_changed: 1, policy_changed: 1, axis_introduced: 1 });
    expect(await drift()).toBe(0);
    // A change of the gate reaches no group.
    await host(
      `update governance_setting set setting_value = '{"prod": "observe"}' where setting_key = 'gate.mode'`,
    );
    const next = await putRulesIntoForce(estate.gcos);
    for (const type of ['ruleset.activated', 'handoff.ruleset_changed'])
      expect(await signals(type, next)).toBe(1);
  });
});
