// `ruleset_drift` on the command line: a draft raises it, a login that may not write it gets a message, and
// an activation resolves it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';

describe('rules that differ from the active ruleset', () => {
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
  const countDrifts = async () =>
    (
      JSON.parse(await gcos('finding', 'list', '--type', 'ruleset_drift', '--json')) as {
        findings: unknown[];
      }
    ).findings.length;

  it('raise a finding at the next draft, which the activation of these rules resolves', async () => {
    expect(await countDrifts()).toBe(0);
    await asHost(
      estate.url,
      "update measurement_registry set severity = 'low' where measurement_id = 'MSR-022'",
    );
    const { login, url } = await people.login('outsider');
    expect(login).not.toBe('');
    expect(await gcosAt(url, 'ruleset', 'draft')).toContain(
      'this login cannot write the finding ruleset_drift',
    );
    expect(await countDrifts()).toBe(0);
    expect(await gcos('ruleset', 'draft')).toContain('(finding ruleset_drift); `gcos ruleset plan` shows');
    expect(await countDrifts()).toBe(1);

    const { code, plan } = JSON.parse(await gcos('ruleset', 'propose', '--as', 'member-1', '--json')) as {
      code: string;
      plan: { to: string };
    };
    for (const name of ['president', 'council-1', 'council-2'])
      await gcos('request', 'approve', code, '--as', name);
    await gcos('ruleset', 'activate', plan.to, '--request', code, '--as', 'operator');
    expect(await countDrifts()).toBe(0);
  });
});
