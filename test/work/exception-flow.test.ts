// An exception from its request to its end. Explain, ledger, status and scan agree at every step, with no
// scan in between, because all of them evaluate one predicate at a point in time.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import type { ExceptionRequest, Gcos, RequestedException } from '../../src/index.js';
import { readTerms } from '../../src/verdict/ledger/index.js';
import { asHost } from '../support/database.js';
import { type Estate, prepareEstate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

const DAY = 86_400;
let estate: Estate;
let people: People;
/** A login with only the worker role. */
let worker: Gcos;
const host = (text: string) => asHost(estate.url, text);
const tool = (code: string): ExceptionRequest => ({
  subject: { kind: 'object', collection: 'dot_tools', code },
  scope: 'execution',
  link: 'rollback',
  seconds: 30 * DAY,
});
const requestException = (
  request: ExceptionRequest,
  more: { readonly renew?: boolean; readonly dryRun?: boolean } = {},
) =>
  estate.gcos.exceptions.request(request, {
    reason: 'the rollback is being written',
    as: 'member-1',
    ...more,
  });
const approve = ({ exception }: RequestedException) =>
  estate.gcos.requests.approve(exception.approvalRef ?? '', { as: 'president' });
const scan = () => worker.scans.run({ mode: 'incremental' });
/** The terms of the ledger in scope execution, as a closing run would count them at that time. */
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
/** Moves the exception, its request and its approval 31 days into the past. */
const moveIntoPast = (code: string) =>
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

describe('requesting an exception', () => {
  it('opens the request and the waiting exception together, and only once', async () => {
    expect((await requestException(tool('DOT-142'), { dryRun: true })).opened).toBe(true);
    expect(await estate.gcos.exceptions.list()).toEqual([]);
    const requested = await Promise.all([1, 2, 3].map(() => requestException(tool('DOT-142'))));
    expect(requested.filter((each) => each.opened)).toHaveLength(1);
    const [first] = requested;
    expect(new Set(requested.map((each) => each.exception.code)).size).toBe(1);
    expect(first?.exception).toMatchObject({ status: 'waiting', units: { covers: 1n, needing: 1n } });
    expect(await estate.gcos.requests.list({ limit: 50, hostStatus: 'pending' })).toHaveLength(1);
    // A waiting exception is no misuse: the scan raises no finding.
    await scan();
    expect(await findings(first?.exception.code ?? '', 'unratified_exception')).toEqual([]);
    await estate.gcos.requests.reject(first?.exception.approvalRef ?? '', { as: 'president', reason: 'no' });
    expect((await estate.gcos.exceptions.show(first?.exception.code ?? '')).status).toBe('not_granted');
  });

  it('requires an end within the limit, a reason, and a subject that has a verdict', async () => {
    const request = tool('DOT-142');
    const until_ = (time: string) => ({ subject: request.subject, scope: request.scope, until: time });
    await expect(requestException({ ...request, seconds: 181 * DAY })).rejects.toMatchObject({
      code: 'exception_too_long',
    });
    await expect(requestException(until_('infinity'))).rejects.toMatchObject({ code: 'value_invalid' });
    await expect(requestException(until_('9999-12-31'))).rejects.toMatchObject({
      code: 'exception_too_long',
    });
    await expect(requestException(until_('2020-01-01'))).rejects.toMatchObject({ code: 'exception_invalid' });
    await expect(
      requestException({ ...request, subject: { kind: 'group', inventoryKey: 'x' } }),
    ).rejects.toMatchObject({
      code: 'exception_subject_unknown',
    });
    await expect(
      estate.gcos.exceptions.request(request, { reason: ' ', as: 'member-1' }),
    ).rejects.toMatchObject({
      code: 'exception_invalid',
    });
    await host(
      `update governance_setting set setting_value = '{"longest_days": 10}' where setting_key = 'exception.limits'`,
    );
    await putRulesIntoForce(estate.gcos);
    await expect(requestException(request)).rejects.toMatchObject({ code: 'exception_too_long' });
  });
});

describe('an exception', () => {
  it('is in force from its quorum to its end, on every path and with no scan in between', async () => {
    const refused = await requestException(tool('DOT-142'));
    await estate.gcos.requests.reject(refused.exception.approvalRef ?? '', { as: 'president', reason: 'no' });
    const before = await ledger();
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'orphan', exceptionChange: null });
    const requested = await requestException(tool('DOT-142'));
    const { code } = requested.exception;
    expect(await ledger()).toEqual(before);
    expect(await audit(code)).toEqual([]);
    await approve(requested);
    // Before the next scan, the object is no longer an orphan and not yet an exception.
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
    expect((await requestException(tool('DOT-142'))).opened).toBe(false);
    // The last moment of the exception and the first after it, with no write in between.
    const { expiresAt } = requested.exception;
    const [{ before: just } = { before: '' }] = (await host(
      `select ('${expiresAt}'::timestamptz - interval '1 microsecond')::text as before`,
    )) as { before: string }[];
    expect(await explain('DOT-142', just)).toMatchObject({ exceptions: [{}, { status: 'in_force' }] });
    expect(await explain('DOT-142', expiresAt)).toMatchObject({
      exceptions: [{}, { status: 'expired' }],
      valid: false,
    });
    expect((await ledger(expiresAt)).exceptions).toBe(before.exceptions);

    await estate.gcos.exceptions.revoke(code, { reason: 'the rollback exists', as: 'member-1' });
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
    const announced = await host(
      `select event_type_hint as type from event_pending
       where capture_payload #> '{payload,refs}' ? 'governance_exception:${code}' and event_domain = 'governance' order by event_type_hint`,
    );
    expect(announced.map((row) => row['type'])).toEqual(['exception.granted', 'exception.revoked']);
  });

  it('expires by itself: one finding, one audit row, and the accepted gap is open again', async () => {
    const requested = await requestException(tool('DOT-142'));
    const { code } = requested.exception;
    await approve(requested);
    await scan();
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'exception' });
    await moveIntoPast(code);
    expect(await explain('DOT-142')).toMatchObject({ exceptionChange: 'exception_lapsed' });
    await Promise.allSettled([scan(), scan()]);
    await scan();
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'orphan', valid: true });
    expect(await audit(code)).toEqual(['grant', 'expire']);
    expect(await findings(code, 'exception_expired')).toEqual(['open']);
    // A new exception resolves the finding about the expired one.
    const again = await requestException(tool('DOT-142'));
    await approve(again);
    await scan();
    expect(await findings(code, 'exception_expired')).toEqual(['resolved']);
    const renewed = await requestException({ ...tool('DOT-142'), seconds: 60 * DAY }, { renew: true });
    expect(renewed).toMatchObject({ opened: true, exception: { status: 'waiting' } });
    await approve(renewed);
    // The first one is revoked and the renewed one continues: nothing lapses.
    await estate.gcos.exceptions.revoke(again.exception.code, { reason: 'renewed', as: 'member-1' });
    expect(await explain('DOT-142')).toMatchObject({ exceptionChange: null, coverageOutcome: 'exception' });
  });

  it('lapses when its subject changes, before a scan has run', async () => {
    const requested = await requestException(tool('DOT-142'));
    await approve(requested);
    await scan();
    const before = await ledger();
    const row = `collection_name = 'dot_tools' and entity_code = 'DOT-142' and scope = 'execution' and row_state = 'active'`;
    await host(`update governance_candidate_object set risk_class = 'read' where ${row}`);
    expect(await estate.gcos.exceptions.show(requested.exception.code)).toMatchObject({ status: 'changed' });
    expect(await explain('DOT-142')).toMatchObject({ exceptionChange: 'exception_lapsed', valid: true });
    expect(await ledger()).toEqual({
      ...before,
      exceptions: before.exceptions - 1,
      by: { ...before.by, exception_lapsed: 1 },
    });
    // One scan evaluates the object again and restores its risk class, so the exception is in force again.
    await scan();
    expect(await explain('DOT-142')).toMatchObject({ coverageOutcome: 'exception', exceptionChange: null });
    expect(await ledger()).toEqual(before);
  });

  it('lapses for a whole collection when one of its groups changes, in the run that detects it', async () => {
    const requested = await requestException({
      ...tool(''),
      subject: { kind: 'collection', collection: 'orders' },
    });
    await approve(requested);
    await scan();
    const outcomes = async () =>
      (
        await host(
          `select c.coverage_outcome as outcome from governance_candidate_state c join governance_inventory i using (inventory_key)
           where i.source_registry = 'orders' and c.scope = 'execution' and c.row_state = 'active' and not c.dirty order by i.lifecycle_status`,
        )
      ).map((row) => row['outcome']);
    expect(await outcomes()).toEqual(['exception', 'exception']);
    /** Changes the owner of the second group only, and marks that group as the intake does. */
    const setOwner = (body: string) =>
      host(
        `update governance_group g set owner_scope = '${body}' from governance_inventory i
         where i.inventory_key = g.inventory_key and i.source_registry = 'orders' and i.lifecycle_status = 'brn' and g.scope = 'execution';
         update governance_candidate_state c set dirty = true, dirty_reason = 'handoff:authority_changed', dirtied_at = now()
         from governance_inventory i where i.inventory_key = c.inventory_key and i.source_registry = 'orders'
           and i.lifecycle_status = 'brn' and c.scope = 'execution' and c.row_state = 'active'`,
      );
    await setOwner('GOV-SIV');
    await scan();
    expect((await estate.gcos.exceptions.show(requested.exception.code)).status).toBe('changed');
    expect(await outcomes()).toEqual(['orphan', 'orphan']);
    expect(await findings(requested.exception.code, 'exception_expired')).toEqual(['open']);
    await setOwner('GOV-DOT');
    await scan();
    expect(await outcomes()).toEqual(['exception', 'exception']);
  });

  it('is reported as not needed in the list, in the scan and in the status', async () => {
    const [{ code } = { code: '' }] = (await host(
      `select entity_code as code from governance_candidate_object where collection_name = 'dot_tools' and scope = 'execution'
         and row_state = 'active' and coverage_outcome = 'covered' order by 1 limit 1`,
    )) as { code: string }[];
    const requested = await requestException(tool(code));
    await approve(requested);
    const report = await scan();
    const unneeded = [requested.exception.code];
    expect(report.exceptionsNotNeeded).toEqual(unneeded);
    expect((await estate.gcos.status()).exceptions).toEqual({
      inForce: 1,
      notNeeded: unneeded,
      waiting: 0,
    });
    expect(await estate.gcos.exceptions.list({ status: 'in_force', scope: 'execution' })).toMatchObject([
      { code: requested.exception.code, needed: false, units: { covers: 1n, needing: 0n } },
    ]);
    expect(await estate.gcos.exceptions.list({ status: 'in_force', scope: 'audit' })).toEqual([]);
    expect(await explain(code)).toMatchObject({ coverageOutcome: 'covered', exceptionChange: null });
  });
});
