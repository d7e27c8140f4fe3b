// An exception from being asked for to its end: what is read about it (explain, ledger, status) and what a scan makes of it agree at every
// step, with no scan in between, because all of them ask one predicate of a point in time.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import type { ExceptionRequest, Gcos, RequestedException } from '../../src/index.js';
import { readTerms } from '../../src/verdict/ledger/index.js';
import { asHost } from '../support/database.js';
import { type Estate, prepareEstate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';

const DAY = 86_400;
let estate: Estate;
let people: People;
/** With no more rights than a worker has. */
let worker: Gcos;
const host = (text: string) => asHost(estate.url, text);
const tool = (code: string): ExceptionRequest => ({
  subject: { kind: 'object', collection: 'dot_tools', code },
  scope: 'execution',
  link: 'rollback',
  seconds: 30 * DAY,
});
const ask = (request: ExceptionRequest, more: { readonly renew?: boolean; readonly dryRun?: boolean } = {}) =>
  estate.gcos.exceptions.ask(request, { reason: 'the way back is being written', as: 'member-1', ...more });
const approve = ({ exception }: RequestedException) =>
  estate.gcos.requests.approve(exception.approvalRef ?? '', { as: 'president' });
const scan = () => worker.scans.run({ mode: 'incremental' });
/** The terms of the ledger in this scope, as a closing run would count them at that time. */
const ledger = (at?: string) =>
  estate.db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
    const terms = (await readTerms(tx, at ?? (await readServerTime(tx)))).filter(
      (each) => each.scope === 'execution',
    );
    const of = (term: string, cause?: string) =>
      terms
        .filter((each) => each.term === term && (cause === undefined || each.cause === cause))
        .reduce((sum, each) => sum + Number(each.units), 0);
    const causes = new Set(terms.filter((each) => each.term === 'unverified').map((each) => each.cause));
    return {
      orphans: of('orphans'),
      exceptions: of('exceptions'),
      by: Object.fromEntries([...causes].map((cause) => [cause, of('unverified', cause)])),
    };
  });
const explain = async (code: string, at?: string) =>
  (
    await estate.gcos.explanations.object('dot_tools', code, {
      scope: 'execution',
      ...(at === undefined ? {} : { at }),
    })
  ).scopes[0];
const audit = async (code: string) =>
  (
    await host(
      `select action from registry_changelog where entity_type = 'governance_exception' and entity_code = '${code}' order by id`,
    )
  ).map((row) => row['action']);
const findings = async (code: string, type: string) =>
  (
    await host(
      `select status from system_issues where issue_type = '${type}' and entity_code = '${code}' and source_system = 'gcos'`,
    )
  ).map((row) => row['status']);
/** As if all of it had happened 31 days earlier: what was asked for, what was approved, and what was written down. */
const letPass = (code: string) =>
  host(`alter table governance_request disable trigger governance_request_stays;
    update governance_exception set granted_at = granted_at - interval '31 days', expires_at = expires_at - interval '31 days'
    where exception_code = '${code}';
    update governance_request r set proposed_action = jsonb_set(r.proposed_action, '{exception}', gcos_exception_terms(e.subject_kind,
      e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link, e.expires_at, e.fingerprint))
    from governance_exception e where e.approval_ref = r.request_code and e.exception_code = '${code}';
    update approval_requests a set proposed_action = r.proposed_action from governance_request r where r.request_code = a.code;
    alter table governance_request enable trigger governance_request_stays`);

const prepared = prepareEstate('backfilled', async ({ url, gcos }) => {
  await asHost(
    url,
    `update governance_candidate_state c set dirty = true, dirty_reason = 'test', dirtied_at = now()
     from governance_inventory i where i.inventory_key = c.inventory_key and i.source_registry in ('dot_tools', 'orders')`,
  );
  await gcos.scans.run({ mode: 'incremental' });
});
beforeEach(async () => {
  estate = await prepared.copy();
  people = createPeople(estate.url);
  worker = (await people.login('worker', 'gcos_worker')).gcos;
});
afterEach(async () => {
  await people.close();
  await estate.close();
});

describe('asking', () => {
  it('opens the request and the exception that waits for it, together and once', async () => {
    expect((await ask(tool('DOT-142'), { dryRun: true })).opened).toBe(true);
    expect(await estate.gcos.exceptions.list()).toEqual([]);
    const asked = await Promise.all([1, 2, 3].map(() => ask(tool('DOT-142'))));
    expect(asked.filter((each) => each.opened)).toHaveLength(1);
    const [first] = asked;
    expect(new Set(asked.map((each) => each.exception.code)).size).toBe(1);
    expect(first?.exception).toMatchObject({ status: 'waiting', units: { covers: 1n, needing: 1n } });
    expect(await estate.gcos.requests.list({ limit: 50, hostStatus: 'pending' })).toHaveLength(1);
    // Waiting is no misuse: nobody is told.
    await scan();
    expect(await findings(first?.exception.code ?? '', 'unratified_exception')).toEqual([]);
    await estate.gcos.requests.reject(first?.exception.approvalRef ?? '', { as: 'president', reason: 'no' });
    expect((await estate.gcos.exceptions.show(first?.exception.code ?? '')).status).toBe('not_granted');
  });

  it('needs an end that is not too far away, a reason, and somebody who has a verdict', async () => {
    const request = tool('DOT-142');
    const until_ = (time: string) => ({ subject: request.subject, scope: request.scope, until: time });
    await expect(ask({ ...request, seconds: 181 * DAY })).rejects.toMatchObject({
      code: 'exception_too_long',
    });
    await expect(ask(until_('infinity'))).rejects.toMatchObject({ code: 'exception_too_long' });
    await expect(ask(until_('2020-01-01'))).rejects.toMatchObject({ code: 'exception_invalid' });
    await expect(ask({ ...request, subject: { kind: 'group', inventoryKey: 'x' } })).rejects.toMatchObject({
      code: 'exception_subject_unknown',
    });
    await expect(estate.gcos.exceptions.ask(request, { reason: ' ', as: 'member-1' })).rejects.toMatchObject({
      code: 'exception_invalid',
    });
    await host(
      `update governance_setting set setting_value = '{"longest_days": 10}' where setting_key = 'exception.limits'`,
    );
    await expect(ask(request)).rejects.toMatchObject({ code: 'exception_too_long' });
  });
});

describe('an exception', () => {
  it('holds with its quorum and no longer than it lasts, on every path and with no scan in between', async () => {
    const refused = await ask(tool('DOT-142'));
    await estate.gcos.requests.reject(refused.exception.approvalRef ?? '', { as: 'president', reason: 'no' });
    const before = await ledger();
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'orphan', exceptionChange: null });
    const asked = await ask(tool('DOT-142'));
    const { code } = asked.exception;
    expect(await ledger()).toEqual(before);
    expect(await audit(code)).toEqual([]);
    await approve(asked);
    // Nobody has looked: it is an orphan no longer, and not yet an exception.
    expect(await explain('DOT-142')).toMatchObject({
      exceptionChange: 'exception_granted',
      exceptions: [{ status: 'not_granted' }, { code, status: 'in_force' }],
    });
    expect(await ledger()).toEqual({
      orphans: before.orphans - 1,
      exceptions: before.exceptions,
      by: { ...before.by, exception_granted: 1 },
    });
    expect((await estate.gcos.ledgers.show({ scope: 'execution' })).since).toMatchObject([
      { noLongerValid: { exception_granted: 1 } },
    ]);
    const report = await scan();
    expect(report.changed).toBe(1);
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'exception', exceptionChange: null });
    const held = { orphans: before.orphans - 1, exceptions: before.exceptions + 1, by: before.by };
    expect(await ledger()).toEqual(held);
    expect((await ask(tool('DOT-142'))).opened).toBe(false);
    // Its last moment, and the first after it: nothing is written in between.
    const { expiresAt } = asked.exception;
    const [{ before: just } = { before: '' }] = (await host(
      `select ('${expiresAt}'::timestamptz - interval '1 microsecond')::text as before`,
    )) as { before: string }[];
    expect(await explain('DOT-142', just)).toMatchObject({ exceptions: [{}, { status: 'in_force' }] });
    expect(await explain('DOT-142', expiresAt)).toMatchObject({
      exceptions: [{}, { status: 'expired' }],
      valid: false,
    });
    expect((await ledger(expiresAt)).exceptions).toBe(before.exceptions);

    await estate.gcos.exceptions.revoke(code, { reason: 'the way back is there', as: 'member-1' });
    expect(await explain('DOT-142')).toMatchObject({ exceptionChange: 'exception_lapsed' });
    expect(await ledger()).toEqual({
      orphans: before.orphans - 1,
      exceptions: before.exceptions,
      by: { ...before.by, exception_lapsed: 1 },
    });
    expect((await scan()).changed).toBe(1);
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'orphan', exceptionChange: null });
    expect(await ledger()).toEqual(before);
    expect(await audit(code)).toEqual(['grant', 'revoke']);
    const told = await host(
      `select event_type_hint as type from event_pending where entity_ref = '${code}' and event_domain = 'governance' order by event_type_hint`,
    );
    expect(told.map((row) => row['type'])).toEqual(['exception.granted', 'exception.revoked']);
  });

  it('ends by itself: found once, audited once, and what it accepted is a gap again', async () => {
    const asked = await ask(tool('DOT-142'));
    const { code } = asked.exception;
    await approve(asked);
    await scan();
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'exception' });
    await letPass(code);
    expect(await explain('DOT-142')).toMatchObject({ exceptionChange: 'exception_lapsed' });
    await Promise.allSettled([scan(), scan()]);
    await scan();
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'orphan', valid: true });
    expect(await audit(code)).toEqual(['grant', 'expire']);
    expect(await findings(code, 'exception_expired')).toEqual(['open']);
    // Renewed, the old one is nobody's concern.
    const again = await ask(tool('DOT-142'));
    await approve(again);
    await scan();
    expect(await findings(code, 'exception_expired')).toEqual(['resolved']);
    const renewed = await ask({ ...tool('DOT-142'), seconds: 60 * DAY }, { renew: true });
    expect(renewed).toMatchObject({ opened: true, exception: { status: 'waiting' } });
    await approve(renewed);
    // The one ends early, the other goes on: nothing lapses.
    await estate.gcos.exceptions.revoke(again.exception.code, { reason: 'renewed', as: 'member-1' });
    expect(await explain('DOT-142')).toMatchObject({ exceptionChange: null, coverageOutcome: 'exception' });
  });

  it('ends when what it is about is something else, for all it is about, before anybody has looked', async () => {
    const asked = await ask(tool('DOT-142'));
    await approve(asked);
    await scan();
    const before = await ledger();
    const row = `collection_name = 'dot_tools' and entity_code = 'DOT-142' and scope = 'execution' and row_state = 'active'`;
    await host(`update governance_candidate_object set risk_class = 'read' where ${row}`);
    expect(await estate.gcos.exceptions.show(asked.exception.code)).toMatchObject({ status: 'changed' });
    expect(await explain('DOT-142')).toMatchObject({ exceptionChange: 'exception_lapsed', valid: true });
    expect(await ledger()).toEqual({
      ...before,
      exceptions: before.exceptions - 1,
      by: { ...before.by, exception_lapsed: 1 },
    });
    // Looked at again, it is what it was, and the exception holds: in one run.
    await scan();
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'exception', exceptionChange: null });
    expect(await ledger()).toEqual(before);
  });

  it('ends for everything it is about when one of these is something else, in the run that finds it', async () => {
    const asked = await ask({ ...tool(''), subject: { kind: 'collection', collection: 'orders' } });
    await approve(asked);
    await scan();
    const outcomes = async () =>
      (
        await host(
          `select c.coverage_outcome as outcome from governance_candidate_state c join governance_inventory i using (inventory_key)
           where i.source_registry = 'orders' and c.scope = 'execution' and c.row_state = 'active' and not c.dirty order by i.lifecycle_status`,
        )
      ).map((row) => row['outcome']);
    expect(await outcomes()).toEqual(['exception', 'exception']);
    /** Only the owner of the second group changes, and only that group is marked, as the intake would. */
    const owner = (body: string) =>
      host(
        `update governance_group g set owner_scope = '${body}' from governance_inventory i
         where i.inventory_key = g.inventory_key and i.source_registry = 'orders' and i.lifecycle_status = 'brn' and g.scope = 'execution';
         update governance_candidate_state c set dirty = true, dirty_reason = 'handoff:authority_changed', dirtied_at = now()
         from governance_inventory i where i.inventory_key = c.inventory_key and i.source_registry = 'orders'
           and i.lifecycle_status = 'brn' and c.scope = 'execution' and c.row_state = 'active'`,
      );
    await owner('GOV-SIV');
    await scan();
    expect((await estate.gcos.exceptions.show(asked.exception.code)).status).toBe('changed');
    expect(await outcomes()).toEqual(['orphan', 'orphan']);
    expect(await findings(asked.exception.code, 'exception_expired')).toEqual(['open']);
    await owner('GOV-DOT');
    await scan();
    expect(await outcomes()).toEqual(['exception', 'exception']);
  });

  it('says that nothing needs it any more: in its list, in the scan and in the status', async () => {
    const [{ code } = { code: '' }] = (await host(
      `select entity_code as code from governance_candidate_object where collection_name = 'dot_tools' and scope = 'execution'
         and row_state = 'active' and coverage_outcome = 'covered' order by 1 limit 1`,
    )) as { code: string }[];
    const asked = await ask(tool(code));
    await approve(asked);
    const report = await scan();
    const unneeded = [asked.exception.code];
    expect(report.exceptionsNotNeeded).toEqual(unneeded);
    expect((await estate.gcos.status()).exceptions).toEqual({
      inForce: 1,
      notNeeded: unneeded,
      waiting: 0,
    });
    expect(await estate.gcos.exceptions.list({ status: 'in_force', scope: 'execution' })).toMatchObject([
      { code: asked.exception.code, needed: false, units: { covers: 1n, needing: 0n } },
    ]);
    expect(await estate.gcos.exceptions.list({ status: 'in_force', scope: 'audit' })).toEqual([]);
    expect(await explain(code)).toMatchObject({ coverageOutcome: 'covered', exceptionChange: null });
  });
});
