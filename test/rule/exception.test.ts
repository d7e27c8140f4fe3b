// Exceptions: one predicate returns those in force at a point in time. An exception in force is approved for
// exactly its terms, has not ended, is not revoked, and its subject is unchanged since the grant.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { provideException } from '../../src/demo/index.js';
import type { ExceptionTerms } from '../../src/index.js';
import { resetClock, setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';

const AT = '2026-11-01T00:00:00Z';
const terms = (more: Partial<ExceptionTerms> = {}): ExceptionTerms => ({
  subject: { kind: 'collection', collection: 'venues' },
  scope: 'health',
  link: 'owner',
  expiresAt: '2027-01-01T00:00:00Z',
  ...more,
});

describe('an exception', () => {
  let estate: Estate;
  let people: People;
  beforeEach(async () => {
    estate = await createEstate('judged');
    await setClock(estate.url, { at: AT });
    people = createPeople(estate.url);
  });
  afterEach(async () => {
    await people.close();
    await estate.close();
  });
  const sql = (text: string) => asHost(estate.url, text);
  const status = async (code: string, at = AT) =>
    (await estate.gcos.exceptions.list({ at, limit: 1_000 })).find((each) => each.code === code)?.status;
  const inForce = async (at: string) =>
    (await sql(`select exception_code from governance_exception_in_force('${at}') order by 1`)).map(
      (row) => row['exception_code'] as string,
    );
  const openRequest = (exceptionTerms: ExceptionTerms) =>
    estate.gcos.exceptions.openRequest(exceptionTerms, { reason: 'test', as: 'member-1' });
  const approvedRequest = async (exceptionTerms: ExceptionTerms) => {
    const code = await openRequest(exceptionTerms);
    await estate.gcos.requests.approve(code, { as: 'president' });
    return code;
  };
  const grant = (exceptionTerms: ExceptionTerms, approvalRef?: string) =>
    estate.gcos.exceptions.grant(exceptionTerms, {
      reason: 'test',
      as: 'member-1',
      ...(approvalRef === undefined ? {} : { approvalRef }),
    });

  it('is in force from its grant until its end, once approved', async () => {
    const code = await grant(terms(), await approvedRequest(terms()));
    expect(await status(code, '2026-10-31T23:59:59Z')).toBe('not_yet');
    expect(await status(code)).toBe('in_force');
    expect(await inForce(AT)).toEqual([code]);
    expect(await status(code, '2026-12-31T23:59:59.999999Z')).toBe('in_force');
    expect(await status(code, '2027-01-01T00:00:00Z')).toBe('expired');
    expect(await inForce('2027-01-01T00:00:00Z')).toEqual([]);
  });

  it('is not in force before its approval, nor with an approval of other or altered terms', async () => {
    const unapproved = await grant(terms({ scope: 'policy' }));
    expect(await status(unapproved)).toBe('unratified');
    const pending = await openRequest(terms({ scope: 'policy' }));
    const waiting = await grant(terms({ scope: 'policy' }), pending);
    expect(await status(waiting)).toBe('waiting');
    await estate.gcos.requests.approve(pending, { as: 'president' });
    expect(await status(waiting)).toBe('in_force');
    for (const other of [
      terms({ scope: 'policy', expiresAt: '2027-02-01T00:00:00Z' }),
      { ...terms({ scope: 'policy' }), link: 'audit' },
    ])
      await expect(grant(other, pending)).rejects.toMatchObject({ code: 'exception_moved' });
    await expect(grant(terms({ scope: 'policy' }), pending)).rejects.toMatchObject({
      code: 'exception_approval_used',
    });
    // A request of the host that was applied earlier does not approve an exception.
    await expect(grant(terms(), 'APR-0007')).rejects.toMatchObject({ code: 'exception_moved' });
    await sql(
      `update approval_requests set proposed_action = proposed_action || '{"x": 1}' where code = '${pending}'`,
    );
    expect(await status(waiting)).toBe('unratified');
    await sql(
      `update approval_requests set proposed_action = proposed_action - 'x' where code = '${pending}'`,
    );
    expect(await status(waiting)).toBe('in_force');
  });

  it('stays revoked after a revocation', async () => {
    const code = await grant(terms(), await approvedRequest(terms()));
    expect(await estate.gcos.exceptions.revoke(code, { reason: 'no longer', as: 'operator' })).toMatchObject({
      subject: terms().subject,
      scope: 'health',
      code,
      status: 'revoked',
    });
    expect(await status(code)).toBe('revoked');
    await expect(
      estate.gcos.exceptions.revoke(code, { reason: 'again', as: 'operator' }),
    ).rejects.toMatchObject({ code: 'exception_unknown' });
    expect(
      (
        await sql(
          `select action from registry_changelog where entity_type = 'governance_exception' and entity_code = '${code}' order by id`,
        )
      ).map((row) => row['action']),
    ).toEqual(['grant', 'revoke']);
  });

  it.each([
    ['another owner', `owner_scope = 'GOV-SIV'`],
    ['another required link', `evidence = jsonb_set(evidence, '{required_links}', '["audit", "owner"]')`],
    ['another profile', `evidence = jsonb_set(evidence, '{profile}', '"PRF-999"')`],
    ['another risk', `risk_class = 'read'`],
  ])('is not in force with %s, and is in force again when that is undone', async (_, change) => {
    const exceptionTerms = terms({
      subject: { kind: 'object', collection: 'dot_tools', code: 'DOT-141' },
      scope: 'execution',
      link: 'rollback',
    });
    const code = await grant(exceptionTerms, await approvedRequest(exceptionTerms));
    const row = `collection_name = 'dot_tools' and entity_code = 'DOT-141' and scope = 'execution'`;
    const [before] = await sql(
      `select owner_scope, evidence::text, risk_class from governance_candidate_object where ${row}`,
    );
    await sql(`update governance_candidate_object set ${change} where ${row}`);
    expect(await status(code)).toBe('changed');
    expect(await inForce(AT)).not.toContain(code);
    await sql(
      `update governance_candidate_object set owner_scope = '${before?.['owner_scope']}', evidence = '${before?.['evidence']}', risk_class = '${before?.['risk_class']}' where ${row}`,
    );
    expect(await status(code)).toBe('in_force');
  });

  it('stays in force when a container gets more members, and is dormant while nothing in it is relevant', async () => {
    const exceptionTerms = terms({ subject: { kind: 'class', objectClass: 'venue' }, scope: 'policy' });
    const code = await grant(exceptionTerms, await approvedRequest(exceptionTerms));
    await sql(
      `update governance_inventory set member_count = member_count + 1000, h1 = h1 + 7 where source_registry = 'venues'`,
    );
    expect(await status(code)).toBe('in_force');
    const rows = `inventory_key in (select inventory_key from governance_inventory where source_registry = 'venues') and scope = 'policy'`;
    await sql(`update governance_candidate_state set candidate_verdict = 'retired' where ${rows}`);
    expect(await status(code)).toBe('dormant');
    await sql(`update governance_candidate_state set candidate_verdict = 'relevant' where ${rows}`);
    expect(await status(code)).toBe('in_force');
  });

  it('needs a known person, a reason, an end in the future and an existing subject', async () => {
    await expect(
      grant(terms({ subject: { kind: 'collection', collection: 'nowhere' } })),
    ).rejects.toMatchObject({ code: 'exception_subject_unknown' });
    await expect(
      estate.gcos.exceptions.grant(terms(), { reason: ' ', as: 'member-1' }),
    ).rejects.toMatchObject({ code: 'exception_invalid' });
    await expect(grant(terms({ expiresAt: '2026-01-01T00:00:00Z' }))).rejects.toMatchObject({
      code: 'exception_invalid',
    });
    await expect(
      estate.gcos.exceptions.grant(terms(), { reason: 'x', as: 'unregistered' }),
    ).rejects.toMatchObject({ code: 'actor_unknown' });
  });

  it('is written only by functions, and can be read by every role', async () => {
    for (const role of ['gcos_api', 'gcos_worker']) {
      const { url } = await people.login(`exc-${role.slice(5)}`, role);
      await expect(asHost(url, `update governance_exception set expires_at = 'infinity'`)).rejects.toThrow(
        /permission denied/,
      );
      await expect(asHost(url, `delete from governance_exception`)).rejects.toThrow(/permission denied/);
      expect((await asHost(url, `select count(*) from governance_exception_in_force('${AT}')`)).length).toBe(
        1,
      );
    }
  });

  it('is looked up by a function that the planner inlines', async () => {
    const plan = (
      await sql(`explain select exception_code from governance_exception_in_force('${AT}') where scope = 'x'`)
    )
      .map((row) => row['QUERY PLAN'] as string)
      .join('\n');
    expect(plan).not.toMatch(/Function Scan on governance_exception/);
    expect(plan).toMatch(/on governance_exception e/);
  });

  it('is provided once for the demo estate, already expired', async () => {
    await resetClock(estate.url);
    expect(await provideException(estate.gcos)).toBe('GEX-0001');
    expect(await provideException(estate.gcos)).toBeUndefined();
    const { status: now, grantedAt } = await estate.gcos.exceptions.show('GEX-0001');
    expect(now).toBe('expired');
    expect(await status('GEX-0001', grantedAt)).toBe('in_force');
  });
});
