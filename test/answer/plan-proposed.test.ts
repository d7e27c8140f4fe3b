// Approvers see what a request to activate a ruleset changes: the rules in words, from the stored bytes, and
// the flips of the plan that the request names. Flips of another plan are never shown.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

describe('a request to activate a ruleset', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('scanned');
    await asHost(
      estate.url,
      `update coverage_profile set required_links = required_links || '{"health": []}' where class_pattern = 'dot_tool';
       update measurement_registry set source_query = e'select 41 +\\n 1' where measurement_id = 'MSR-001'`,
    );
  });
  afterEach(() => estate?.close());

  const show = async (code: string, ...args: string[]) =>
    (await runCli(['request', 'show', code, ...args, '--database-url', estate.url])).stdout;

  it('is shown with the changed rules in words and with its flips', async () => {
    const { code, plan } = await estate.gcos.plans.propose({ as: 'member-1' });
    const shown = await show(code);
    expect(shown).toContain(`${plan.to} in place of ${plan.from}`);
    expect(shown).toContain('2 changed rules');
    expect(shown).toMatch(
      / {2}profile .*: required_links changed\n {4}required_links was +\{.*\n {4}required_links is +\{/,
    );
    expect(shown).toMatch(/source_query is +select 41 \+ 1\n/);
    expect(shown).toMatch(/would flip \d+ verdicts and \d+ outcomes/);
    expect(shown).toMatch(/for example\n {2}verdict +relevant → not_relevant +dot_tools +DOT-/);
    expect(shown).not.toContain(plan.hash);
    const { activation } = JSON.parse(await show(code, '--json'));
    expect(activation).toMatchObject({ from: plan.from, to: plan.to, plan_hash: plan.hash, withheld: null });
    expect(activation.lines).toEqual(plan.changes.map((each) => each.text));
    expect(activation.flips.verdicts).toHaveLength(plan.flips.verdicts.length);
  });

  it('is shown without flips if they are not those of the plan it names', async () => {
    const { plan } = await estate.gcos.plans.propose({ as: 'member-1' });
    // A member can name any plan: the flips of another one are not shown as its own.
    const action = { ruleset_version: plan.to, plan_hash: 'made up', supersedes: plan.from };
    const { code } = await estate.gcos.requests.open('gcos.ruleset.activate', action, { as: 'member-1' });
    const shown = await show(code);
    expect(shown).toContain('2 changed rules');
    expect(shown).toContain(
      'the flips cannot be shown: the plan made now is not the plan that the request names',
    );
    expect(shown).not.toContain('would flip');
    // The words come from the stored versions, also after the tables have changed.
    await asHost(
      estate.url,
      "update measurement_registry set source_query = 'select 2' where measurement_id = 'MSR-001'",
    );
    const later = await show(code);
    expect(later).toMatch(/source_query is +select 41 \+ 1\n/);
    expect(later).toMatch(
      /cannot be shown: the rules in the tables are gov-rs-\w+ now; an activation would be refused/,
    );
    await estate.gcos.requests.withdraw(code, { as: 'member-1' });
    expect(await show(code)).toContain('cannot be shown: the request is withdrawn');
  });

  it('that names no stored version, or another action, is shown as it was proposed', async () => {
    const action = { ruleset_version: 'gov-rs-none', plan_hash: 'x', supersedes: null };
    const { code } = await estate.gcos.requests.open('gcos.ruleset.activate', action, { as: 'member-1' });
    expect(await show(code)).toContain('"ruleset_version":"gov-rs-none"');
    expect(JSON.parse(await show(code, '--json'))).toMatchObject({ activation: null });
  });
});
