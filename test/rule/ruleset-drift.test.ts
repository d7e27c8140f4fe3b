// Drift: the finding that the rules in the tables differ from the active ruleset.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';
import { activateNow } from '../support/ruleset.js';

describe('drift of rules', () => {
  let estate: Estate;
  let people: People;
  beforeEach(async () => {
    estate = await createEstate('installed');
    people = createPeople(estate.url);
  });
  afterEach(async () => {
    await people?.close();
    await estate?.close();
  });

  it('raises a finding while the tables differ from the active ruleset, and resolves it when they are equal again', async () => {
    const { rulesets, findings } = estate.gcos;
    expect(await rulesets.drift()).toMatchObject({ active: null, drifted: false });
    const { version } = await rulesets.draft();
    await activateNow(estate, people, version);
    expect(await rulesets.drift()).toMatchObject({ active: version, current: version, drifted: false });

    await asHost(
      estate.url,
      "update measurement_registry set severity = 'x' where measurement_id in ('MSR-001', 'MSR-002')",
    );
    const drift = await rulesets.drift();
    expect(drift).toMatchObject({ active: version, drifted: true });
    expect(drift.current).not.toBe(version);
    expect(drift.findings.raised).toMatchObject([
      { type: 'ruleset_drift', subject: 'governance', severity: 'high' },
    ]);
    const [open] = (await findings.list({ type: 'ruleset_drift', limit: 5 })).findings;
    expect((await findings.show(open?.code ?? '')).evidence).toMatchObject({
      facts: { active: version, current: drift.current, changes: { detectors: 2 } },
    });
    expect((await rulesets.drift()).findings).toMatchObject({ raised: [], repeated: 1 });
    // The signal is pending until its type is active.
    expect(
      await asHost(
        estate.url,
        "select event_type_hint from event_pending where event_type_hint = 'ruleset.drift'",
      ),
    ).toHaveLength(1);

    await asHost(estate.url, "update measurement_registry set severity = 'warning' where severity = 'x'");
    expect(await rulesets.drift()).toMatchObject({
      drifted: false,
      findings: { resolved: [{ type: 'ruleset_drift' }] },
    });
  });

  it('is detected with the privileges of a worker, which allow no other write to rulesets', async () => {
    const { url, gcos } = await people.login('worker', 'gcos_worker');
    expect((await gcos.rulesets.draft()).version).toMatch(/^gov-rs-/);
    expect(await gcos.rulesets.drift()).toMatchObject({ drifted: false });
    const denied = { code: '42501' };
    for (const sql of [
      "update governance_ruleset set status = 'active'",
      "insert into governance_rule_reach (rule_kind, rule_code) values ('law', 'x')",
      'delete from governance_rule_reach',
      'insert into governance_ruleset_activation default values',
    ])
      await expect(asHost(url, sql)).rejects.toMatchObject(denied);
    const reader = await people.login('reader', 'gcos_reader');
    expect((await reader.gcos.rulesets.list()).length).toBeGreaterThan(0);
    await expect(reader.gcos.rulesets.draft()).rejects.toMatchObject({ code: 'privilege_missing' });
  });

  it('leaves a ruleset without an owner while the host has no active body for it', async () => {
    await asHost(estate.url, "update governance_registry set status = 'dormant' where code = 'GOV-COUNCIL'");
    await asHost(
      estate.url,
      "update measurement_registry set severity = 'y' where measurement_id = 'MSR-001'",
    );
    const draft = await estate.gcos.rulesets.draft();
    expect(draft.owner).toBeNull();
    await asHost(estate.url, "update governance_registry set status = 'active' where code = 'GOV-COUNCIL'");
    expect(await estate.gcos.rulesets.draft()).toMatchObject({ created: false, owner: 'GOV-COUNCIL' });
    expect(await estate.gcos.rulesets.show(draft.version)).toMatchObject({ owner: 'GOV-COUNCIL' });
  });
});
