// `ruleset_drift` as a user meets it: raised by drafting, told to a login that may not write it, resolved by activation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';

describe('rules that are no longer those in force', () => {
  let estate: Estate;
  let people: People;
  beforeAll(async () => {
    estate = await createEstate('host');
    people = createPeople(estate.url);
    const up = await runCli(['up', '--demo', '--yes', '--database-url', estate.url]);
    expect(up.exit, up.stderr).toBe(0);
  });
  afterAll(async () => {
    await people.close();
    await estate.close();
  });
  const gcosAt = async (url: string, ...args: string[]) => {
    const run = await runCli([...args, '--database-url', url]);
    expect(run.exit, run.stderr).toBe(0);
    return run.stdout;
  };
  const gcos = (...args: string[]) => gcosAt(estate.url, ...args);
  const drifts = async () =>
    (
      JSON.parse(await gcos('finding', 'list', '--type', 'ruleset_drift', '--json')) as {
        findings: unknown[];
      }
    ).findings.length;

  it('are a finding from the next draft on, until a ruleset with them is in force', async () => {
    expect(await drifts()).toBe(0);
    await asHost(
      estate.url,
      "update measurement_registry set severity = 'low' where measurement_id = 'MSR-022'",
    );
    const { login, url } = await people.login('outsider');
    expect(login).not.toBe('');
    expect(await gcosAt(url, 'ruleset', 'draft')).toContain(
      'this login cannot write the finding ruleset_drift',
    );
    expect(await drifts()).toBe(0);
    expect(await gcos('ruleset', 'draft')).toContain('(finding ruleset_drift); `gcos ruleset plan` shows');
    expect(await drifts()).toBe(1);

    const { code, plan } = JSON.parse(await gcos('ruleset', 'propose', '--as', 'member-1', '--json')) as {
      code: string;
      plan: { to: string };
    };
    for (const name of ['president', 'council-1', 'council-2'])
      await gcos('request', 'approve', code, '--as', name);
    await gcos('ruleset', 'activate', plan.to, '--request', code, '--as', 'operator');
    expect(await drifts()).toBe(0);
  });
});
