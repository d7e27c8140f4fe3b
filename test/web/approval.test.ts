// Rules come into force on the console: proposed by one person, approved by two who signed in through a real
// OpenID Connect provider, and activated only as they were approved.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Console, type ConsolePage, openConsole } from '../support/browser.js';
import { act } from '../support/console-acts.js';
import { driftRules, fullToken } from '../support/console-estate.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';
import { startProvider, type TestProvider } from '../support/oidc.js';
import { until } from '../support/wait.js';

let estate: Estate;
let provider: TestProvider;
let server: TestServer;
let web: Console;
beforeAll(async () => {
  [estate, provider] = await Promise.all([createEstate('installed'), startProvider()]);
  for (const [person, approverType] of [
    ['ana', 'president'],
    ['ben', 'council'],
  ] as const)
    await estate.gcos.people.add(person, {
      ...{ approverType, identity: { issuer: provider.issuer, subject: `subject of ${person}` } },
    });
  await asHost(
    estate.url,
    `insert into gcos_trust.governance_actor (person_ref, approver_type) values ('cy', 'member');
     update governance_setting set setting_value = '${JSON.stringify({
       quorum: { low: { any: 1 }, medium: { any: 2 }, high: { any: 2 } },
       levels: { high: ['login', 'oidc'] },
     })}' where setting_key = 'approval.policy'`,
  );
  server = await startServer(estate, { oidc: provider.oidc, limits: { perSecond: 10_000 } });
  web = await openConsole(server.url, provider.oidc.publicUrl);
});
afterAll(async () => {
  await web?.close();
  await server?.close();
  await provider?.close();
  await estate?.close();
});

/** Opens a screen as a person who signs in at the provider. */
async function signedIn(person: string, screen: string): Promise<ConsolePage> {
  provider.account = `subject of ${person}`;
  const opened = await web.open();
  await opened.visit(screen);
  await opened.page.getByRole('link', { name: /Sign in with/ }).click();
  await opened.page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(new URL(opened.page.url()).pathname).toBe(screen);
  return opened;
}

it('are proposed, approved by two people who signed in, refused once they differ, and activated', async () => {
  const proposer = await web.signedIn(await fullToken(estate, 'cy'));
  await proposer.visit('/rules');
  await proposer.page.getByText('No rules are in force').waitFor();
  await proposer.page.getByRole('link', { name: 'What would the rules in the tables do?' }).click();
  const said = await act(proposer.page, 'Propose this plan', 'Propose');
  const [code = ''] = /APR-\d+/.exec(said) ?? [];
  const { proposedAction } = await estate.gcos.requests.show(code);
  const version = String((proposedAction as Record<string, unknown>)['ruleset_version']);

  const ana = await signedIn('ana', `/requests/${code}`);
  expect(await act(ana.page, 'Approve', 'Approve')).toContain('still needs');
  const ben = await signedIn('ben', `/requests/${code}`);
  expect(await act(ben.page, 'Approve', 'Approve')).toContain(`${code} is approved`);
  expect(await estate.gcos.requests.show(code)).toMatchObject({
    status: 'approved',
    decisions: [
      { person: 'ana', decision: 'approve', level: 'oidc', counts: true },
      { person: 'ben', decision: 'approve', level: 'oidc', counts: true },
    ],
  });

  const activeVersion = async () => (await estate.gcos.status()).ruleset?.active ?? null;
  const takeBack = await driftRules(estate.url);
  await proposer.visit(`/rules/${version}`);
  const refused = await act(proposer.page, 'Activate', 'Activate');
  expect(refused).toMatch(/Refused: .*Nothing has changed.*plan_changed/s);
  expect(await activeVersion()).toBeNull();
  await proposer.page.keyboard.press('Escape');

  await takeBack();
  expect(await act(proposer.page, 'Activate', 'Activate')).toContain(`${version} is in force`);
  expect(await activeVersion()).toBe(version);

  await estate.gcos.backfills.run({});
  // The server answers from one moment for up to a second.
  await until('the ledger counts', async () => {
    await ana.visit('/ledger');
    return (await ana.page.locator('main a.count').count()) > 0;
  });
  for (const { errors } of [proposer, ana, ben]) expect(errors).toEqual([]);
});
