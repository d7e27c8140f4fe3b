// What people do on the console, in Chromium, with the database looked at afterwards: requests and votes by
// two people, an exception, a break-glass pass, fixes, pausing, retrying; and what a refusal says.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Console, type ConsolePage, openConsole, violationsOf } from '../support/browser.js';
import { act, confirm, dialogOf } from '../support/console-acts.js';
import { driftRules, fullToken } from '../support/console-estate.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer, TOKEN_PERSON } from '../support/http.js';
import { setBirthsAside } from '../support/retry-rows.js';
import { until } from '../support/wait.js';

let estate: Estate;
let server: TestServer;
let web: Console;
/** A member, who proposes. */
let member: ConsolePage;
/** A president, who decides. */
let president: ConsolePage;

const rowOf = async (text: string) => (await asHost(estate.url, text))[0];

beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
  await asHost(
    estate.url,
    `insert into gcos_trust.governance_actor (person_ref, approver_type) values ('ben', 'member')`,
  );
  web = await openConsole(server.url);
  member = await web.signedIn(await fullToken(estate, 'ben'));
  president = await web.signedIn(await fullToken(estate));
});
afterAll(async () => {
  await web?.close();
  await server?.close();
  await estate?.close();
});

/** The member requests an exception on the form; returns its codes. */
async function requestException(scope: string): Promise<{ request: string; exception: string }> {
  const { page, visit } = member;
  await visit(`/exceptions/new?kind=collection&collection=articles&scope=${scope}&link=owner`);
  const said = await act(page, 'Continue', 'Request', 'until the delegation is renewed');
  const [exception = ''] = /GEX-\d+/.exec(said) ?? [];
  const [request = ''] = /APR-\d+/.exec(said) ?? [];
  expect(said).toContain('waits for the approval');
  return { request, exception };
}

/** The member requests a follow-up of the exception, which the president approves; returns its code. */
async function renew(exception: string): Promise<string> {
  const { page, visit } = member;
  await visit(`/exceptions/${exception}`);
  await page.getByRole('link', { name: 'Request a follow-up' }).click();
  await page.getByLabel('For how many days').fill('90');
  const said = await act(page, 'Continue', 'Request', 'the delegation takes longer');
  const [later = ''] = /GEX-\d+/.exec(said) ?? [];
  const [request = ''] = /APR-\d+/.exec(said) ?? [];
  await president.visit(`/requests/${request}`);
  await act(president.page, 'Approve', 'Approve');
  const [before, after] = [
    await estate.gcos.exceptions.show(exception),
    await estate.gcos.exceptions.show(later),
  ];
  expect(after).toMatchObject({ status: 'in_force', reason: 'the delegation takes longer' });
  expect(Date.parse(after.expiresAt)).toBeGreaterThan(Date.parse(before.expiresAt));
  return later;
}

describe('a request', () => {
  it('is opened by one person, refused to them, approved by another, renewed and revoked', async () => {
    const { request, exception } = await requestException('execution');
    const { page } = member;
    await dialogOf(page).getByRole('link', { name: 'See the record' }).click();
    await page.getByText('You opened this request.').first().waitFor();
    const refused = await act(page, 'Approve', 'Approve');
    expect(refused).toContain('decision_by_proposer');
    expect(refused).toContain('Nothing has changed');
    expect((await estate.gcos.requests.show(request)).decisions).toEqual([]);

    await president.visit(`/requests/${request}`);
    expect(await act(president.page, 'Approve', 'Approve', undefined)).toContain('is approved');
    expect(await estate.gcos.requests.show(request)).toMatchObject({
      status: 'approved',
      decisions: [{ person: TOKEN_PERSON, decision: 'approve', level: 'token', counts: true }],
    });
    expect((await estate.gcos.exceptions.show(exception)).status).toBe('in_force');

    const later = await renew(exception);
    await president.visit(`/exceptions/${later}`);
    expect(await act(president.page, 'Revoke', 'Revoke', 'not needed')).toContain('is revoked');
    expect(await estate.gcos.exceptions.show(later)).toMatchObject({
      status: 'revoked',
      revoked: { by: TOKEN_PERSON, reason: 'not needed' },
    });
  });

  it('is rejected with a reason, and not without one', async () => {
    const { request, exception } = await requestException('policy');
    const { page, visit } = president;
    await visit(`/requests/${request}`);
    await page.getByRole('main').getByRole('button', { name: 'Reject', exact: true }).click();
    expect(await dialogOf(page).getByRole('button', { name: 'Reject', exact: true }).isDisabled()).toBe(true);
    expect(await confirm(page, 'Reject', 'renew the delegation instead')).toContain('is rejected');
    expect(await estate.gcos.requests.show(request)).toMatchObject({
      status: 'rejected',
      decisions: [{ person: TOKEN_PERSON, decision: 'reject', reason: 'renew the delegation instead' }],
    });
    expect((await estate.gcos.exceptions.show(exception)).status).toBe('not_granted');
  });

  it('proposes exactly the plan that was shown, and says whose vote on it would not count', async () => {
    await driftRules(estate.url);
    await until('the plan is shown', async () => {
      await member.visit('/rules/plan');
      return member.page.getByRole('button', { name: 'Propose this plan' }).isEnabled();
    });
    const { hash, to } = await estate.gcos.plans.plan();
    const said = await act(member.page, 'Propose this plan', 'Propose');
    const [code = ''] = /APR-\d+/.exec(said) ?? [];
    expect((await estate.gcos.requests.show(code)).proposedAction).toMatchObject({
      ruleset_version: to,
      plan_hash: hash,
    });
    await president.visit(`/requests/${code}`);
    await president.page.getByText('only an identity by a login of their own counts').first().waitFor();
    expect(await violationsOf(president.page)).toEqual([]);
    await member.visit(`/requests/${code}`);
    expect(await act(member.page, 'Withdraw', 'Withdraw')).toContain('is withdrawn');
    expect((await estate.gcos.requests.show(code)).status).toBe('withdrawn');
  });
});

describe('the gate', () => {
  it('answers about an object, and a pass for what it blocks is requested, approved and closed', async () => {
    const { page, visit } = member;
    await visit('/gate?collection=dot_tools&code=DOT-117');
    await page.getByRole('button', { name: 'Ask the gate' }).click();
    await page.getByRole('link', { name: 'Request a break-glass pass' }).click();
    const said = await act(page, 'Continue', 'Request', 'incident 4711');
    const [code = ''] = /GBG-\d+/.exec(said) ?? [];
    const [request = ''] = /APR-\d+/.exec(said) ?? [];
    const pass = async () => (await estate.gcos.breakGlass.list({ code }))[0];
    expect(await pass()).toMatchObject({
      status: 'waiting',
      requestedBy: 'ben',
      minutes: 15,
      subject: { collection: 'dot_tools', code: 'DOT-117' },
    });
    await president.visit(`/requests/${request}`);
    await act(president.page, 'Approve', 'Approve');
    expect((await pass())?.status).toBe('in_force');
    await president.visit(`/gate/passes/${code}`);
    await act(president.page, 'Close it now', 'Close the pass');
    expect((await pass())?.status).toBe('closed');
  });
});

describe('operations', () => {
  it('pause all workers with a reason, and resume them', async () => {
    const { page, visit } = president;
    await visit('/operations');
    await act(page, 'Pause the workers', 'Pause the workers', 'maintenance');
    expect((await estate.gcos.workers.state()).paused).toBe(true);
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    await page.getByText('The workers are paused.').first().waitFor();
    expect(await act(page, 'Resume the workers', 'Resume the workers')).toContain('continue');
    expect((await estate.gcos.workers.state()).paused).toBe(false);
  });

  it('retry a dead letter', async () => {
    await asHost(
      estate.url,
      setBirthsAside('handoff', `id = (select min(id) from birth_registry)`, { dead: 'now()' }),
    );
    const { page, visit } = president;
    // The server answers from one moment for up to a second.
    await until('the dead letter is shown', async () => {
      await visit('/operations/dead-letters');
      return (await page.getByRole('button', { name: 'Retry', exact: true }).count()) > 0;
    });
    expect(await act(page, 'Retry', 'Retry')).toContain('1 due again');
    const row = await rowOf(
      `select dead_lettered_at is null as alive from gov_worker_retry where worker = 'handoff'`,
    );
    expect(row).toEqual({ alive: true });
  });

  it('are refused to a token that may not operate, on the page and by the server', async () => {
    const { token } = await estate.gcos.tokens.create({
      name: 'reader',
      person: 'ben',
      permissions: ['read'],
    });
    const { page, visit } = await web.signedIn(token);
    await visit('/operations');
    expect(await page.getByRole('button', { name: 'Pause the workers' }).isDisabled()).toBe(true);
    await visit('/exceptions/new?kind=collection&collection=articles&scope=audit&link=owner');
    const said = await act(page, 'Continue', 'Request', 'x');
    expect(said).toContain('Refused');
    expect(said).toContain('Nothing has changed');
    await page.context().close();
  });
});

describe('fixes', () => {
  it('two that are chosen become two requests, after what will happen was said', async () => {
    const { page, visit } = member;
    await visit('/findings?view=fixes');
    const boxes = page.getByRole('checkbox', { name: /^choose/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('button', { name: 'Propose 2 fixes' }).click();
    expect(await dialogOf(page).textContent()).toMatch(/2 requests open for [\d,]+ waiting units/);
    expect(await violationsOf(page)).toEqual([]);
    const codes = [...(await confirm(page, 'Propose')).matchAll(/APR-\d+/g)].map(([code]) => code);
    expect(new Set(codes).size).toBe(2);
    for (const code of codes) expect((await estate.gcos.requests.show(code)).status).toBe('pending');
  });
});
