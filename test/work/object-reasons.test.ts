// Members of containers get a row of their own for an exception, an open finding, or a question to the gate
// at high risk, and lose it when the reason ends. Everything goes through commands, intake, scans and gate.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Gcos, RequestedException } from '../../src/index.js';
import { isAnythingDue } from '../../src/work/scan/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { catchUp, differences, readKnownState, startOver } from '../support/from-scratch.js';
import { ask, inShort } from '../support/gate.js';
import { createPeople, type People } from '../support/people.js';

const DAY = 86_400;
let estate: Estate;
let people: People;
/** A login with only the worker role. */
let worker: Gcos;
const host = (text: string) => asHost(estate.url, text);
const scan = () => worker.scans.run({ mode: 'incremental' });

interface Member {
  readonly collection: string;
  readonly code: string;
}
/** Members of the collection that have no row, by id. */
const members = async (collection: string, limit = 1): Promise<readonly Member[]> =>
  (
    await host(
      `select entity_code as code from birth_registry b where collection_name = '${collection}' and status = 'born'
         and not exists (select from governance_candidate_object o where o.collection_name = b.collection_name and o.entity_code = b.entity_code)
       order by id limit ${limit}`,
    )
  ).map((row) => ({ collection, code: String(row['code']) }));
const member = async (collection: string): Promise<Member> => {
  const [found] = await members(collection);
  if (found === undefined) throw new Error(`no member of ${collection} is without a row`);
  return found;
};
/** The reasons of the active rows of an object, as one text per distinct list, and the sum of weights. */
const rowsOf = async ({ collection, code }: Member) => {
  const [row] = await host(
    `select count(*)::int as rows, coalesce(sum(weight), 0)::int as weight, coalesce(string_agg(distinct array_to_string(reasons, ','), ' '), '') as reasons
     from governance_candidate_object where collection_name = '${collection}' and entity_code = '${code}' and row_state = 'active'`,
  );
  return { rows: row?.['rows'], weight: row?.['weight'], reasons: row?.['reasons'] };
};
const NONE = { rows: 0, weight: 0, reasons: '' };
const heldFor = (reasons: string) => ({ rows: 6, weight: 0, reasons });
const explain = async ({ collection, code }: Member, scope: string) =>
  (await estate.gcos.explanations.object(collection, code, { scope })).scopes[0];
const check = async (subject: Member) => inShort(await ask(estate, subject));
const request = (subject: Member, scope: string, link: string): Promise<RequestedException> =>
  estate.gcos.exceptions.request(
    { subject: { kind: 'object', ...subject }, scope, link, seconds: 30 * DAY },
    { reason: 'being set up', as: 'member-1' },
  );
const approve = ({ exception }: RequestedException) =>
  estate.gcos.requests.approve(exception.approvalRef ?? '', { as: 'president' });
const revoke = ({ exception }: RequestedException) =>
  estate.gcos.exceptions.revoke(exception.code, { reason: 'done', as: 'member-1' });
/** Moves an exception and its request 31 days into the past. */
const moveIntoPast = (code: string) =>
  host(`alter table governance_request disable trigger governance_request_stays;
    update governance_exception set granted_at = granted_at - interval '31 days', expires_at = expires_at - interval '31 days'
    where exception_code = '${code}';
    update governance_request r set proposed_action = jsonb_set(r.proposed_action, '{exception}', gcos_exception_terms(e.subject_kind,
      e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link, e.expires_at, e.fingerprint))
    from governance_exception e where e.approval_ref = r.request_code and e.exception_code = '${code}';
    update approval_requests a set proposed_action = r.proposed_action from governance_request r where r.request_code = a.code;
    alter table governance_request enable trigger governance_request_stays`);
/** A change of one row outside its declared path, as the host logs it. */
const bypass = async (entityType: string, code: string) => {
  const [row] = await host(
    `insert into registry_changelog (entity_type, entity_code, action, "timestamp", alert_level, resolved, changed_by)
     values ('${entityType}', '${code}', 'direct_update', now(), 'critical', false, 'postgres')
     returning id::text as id`,
  );
  return String(row?.['id']);
};
const resolve = (id: string) => host(`update registry_changelog set resolved = true where id = ${id}`);
/** What the host has committed is taken in and scanned. */
const follow = async () => {
  await worker.intakes.once();
  await scan();
};
/** The ledger now closes; returns the total of the scope. */
const total = async (scope: string) => {
  const ledger = await estate.gcos.ledgers.verify({ scope });
  expect(ledger.closes).toBe(true);
  return ledger.scopes[0]?.total;
};

beforeEach(async () => {
  estate = await createEstate('scanned');
  people = createPeople(estate.url);
  worker = (await people.login('worker', 'gcos_worker')).gcos;
});
afterEach(async () => {
  await people.close();
  await estate.close();
});

describe('an exception for one member of a container', () => {
  it('works from its request to the gate, and the container answers again when it is revoked', async () => {
    const [order, other] = (await members('orders', 2)) as [Member, Member];
    const before = await total('execution');
    expect(await check(order)).toBe('block open_finding orphan');
    const requested = await request(order, 'execution', 'rollback');
    expect(requested.exception).toMatchObject({ status: 'waiting', units: { covers: 1n, needing: 1n } });
    await scan();
    // A waiting exception is no reason.
    expect(await rowsOf(order)).toEqual(NONE);
    await approve(requested);
    expect(await explain(order, 'execution')).toMatchObject({
      representedBy: 'group',
      exceptionChange: 'exception_granted',
      exceptions: [{ code: requested.exception.code, status: 'in_force' }],
    });
    await scan();
    expect(await rowsOf(order)).toEqual(heldFor('exception'));
    expect(await rowsOf(other)).toEqual(NONE);
    const explained = await explain(order, 'execution');
    expect(explained).toMatchObject({
      representedBy: 'object',
      coverageOutcome: 'exception',
      exceptionChange: null,
      valid: true,
    });
    expect(explained?.because).toContain(`there is an exception for it (\`${requested.exception.code}\`)`);
    expect(await explain(order, 'policy')).toMatchObject({ coverageOutcome: 'covered' });
    expect(await check(order)).toBe('allow');
    // The container keeps its gap: neither it nor another member is excepted.
    expect(await check(other)).toBe('block open_finding orphan');
    expect(await explain(other, 'execution')).toMatchObject({ coverageOutcome: 'orphan', valid: true });
    expect(await total('execution')).toBe(before);
    expect(await estate.gcos.exceptions.show(requested.exception.code)).toMatchObject({
      status: 'in_force',
      needed: true,
      units: { covers: 1n, needing: 1n },
    });
    // A second scan changes nothing.
    expect(await scan()).toMatchObject({ lookedAt: 0, changed: 0 });

    await revoke(requested);
    // At once, before a scan: the row answers, and its exception is no longer in force.
    expect(await check(order)).toBe('block exception_lapsed');
    expect(await explain(order, 'execution')).toMatchObject({ exceptionChange: 'exception_lapsed' });
    await scan();
    expect(await rowsOf(order)).toEqual(NONE);
    expect(await explain(order, 'execution')).toMatchObject({
      representedBy: 'group',
      coverageOutcome: 'orphan',
      exceptionChange: null,
    });
    expect(await check(order)).toBe('block open_finding orphan');
    expect(await total('execution')).toBe(before);
    const [row] = await host(
      `select row_state, weight, evidence ->> 'lapsed' as lapsed from governance_candidate_object
       where collection_name = 'orders' and entity_code = '${order.code}' and scope = 'execution'`,
    );
    expect(row).toEqual({ row_state: 'retired', weight: 0, lapsed: 'exception' });
  });

  it('ends when its container changes, and with its time', async () => {
    const order = await member('orders');
    const requested = await request(order, 'execution', 'rollback');
    await approve(requested);
    await scan();
    expect(await rowsOf(order)).toEqual(heldFor('exception'));
    const owner = (body: string) =>
      host(
        `update governance_object_ownership set owner_gov_code = '${body}' where object_ref = 'orders' and scope = 'execution' and lifecycle_status = 'active'`,
      );
    const [{ owner: first } = { owner: '' }] = (await host(
      `select owner_gov_code as owner from governance_object_ownership where object_ref = 'orders' and scope = 'execution' and lifecycle_status = 'active'`,
    )) as { owner: string }[];
    // The owner is part of the fingerprint.
    await owner('GOV-SIV');
    await catchUp(worker, { approve: false });
    expect((await estate.gcos.exceptions.show(requested.exception.code)).status).toBe('changed');
    expect(await rowsOf(order)).toEqual(NONE);
    expect(await check(order)).toBe('block open_finding orphan');
    await owner(first);
    await catchUp(worker, { approve: false });
    expect(await rowsOf(order)).toEqual(heldFor('exception'));
    // Both ends of the same time: the verdict ends with the exception, and the scan ends the row.
    const [ends] = await host(
      `select bool_and(stale_after <= '${requested.exception.expiresAt}') as with_it from governance_candidate_object
       where collection_name = 'orders' and entity_code = '${order.code}' and scope = 'execution' and row_state = 'active'`,
    );
    expect(ends?.['with_it']).toBe(true);
    expect(inShort(await ask(estate, order, { at: requested.exception.expiresAt }))).toContain('block');
    await moveIntoPast(requested.exception.code);
    expect((await estate.gcos.exceptions.show(requested.exception.code)).status).toBe('expired');
    expect(await check(order)).toBe('block exception_lapsed');
    await scan();
    expect(await rowsOf(order)).toEqual(NONE);
    expect(await check(order)).toBe('block open_finding orphan');
  });

  it('does not cover a member that was never born, nor one whose input is not accepted', async () => {
    await expect(
      request({ collection: 'orders', code: 'NEVER-BORN' }, 'execution', 'rollback'),
    ).rejects.toMatchObject({
      code: 'exception_subject_unknown',
    });
    const order = await member('orders');
    const requested = await request(order, 'execution', 'rollback');
    await approve(requested);
    await host(
      `update birth_registry set governance_role = null where collection_name = 'orders' and entity_code = '${order.code}'`,
    );
    await follow();
    // Needs input: nothing of it is relevant, so the exception rests.
    expect(await rowsOf(order)).toEqual(heldFor('input'));
    expect((await estate.gcos.exceptions.show(requested.exception.code)).status).toBe('dormant');
    await host(
      `update birth_registry set governance_role = 'governed' where collection_name = 'orders' and entity_code = '${order.code}'`,
    );
    await catchUp(worker, { approve: false });
    expect(await rowsOf(order)).toEqual(heldFor('exception'));
  });
});

describe('an open finding about one member of a container', () => {
  it('gives it a row until the finding is resolved, and the gate counts it', async () => {
    const [article, other] = (await members('articles', 2)) as [Member, Member];
    const before = await total('policy');
    expect(await check(article)).toBe('allow');
    const id = await bypass('article', article.code);
    await follow();
    expect(await rowsOf(article)).toEqual(heldFor('open_finding'));
    expect(await rowsOf(other)).toEqual(NONE);
    const [finding] = (await estate.gcos.findings.list({ type: 'direct_write_bypass' })).findings.filter(
      (each) => each.subject.includes(article.code),
    );
    expect((await explain(article, 'policy'))?.because).toContain(
      `there is an open finding about it (\`${finding?.code}\`)`,
    );
    expect(await explain(article, 'policy')).toMatchObject({ coverageOutcome: 'covered', valid: true });
    expect(await check(article)).toBe('block open_finding');
    expect(await check(other)).toBe('allow');
    expect(await total('policy')).toBe(before);
    await resolve(id);
    await follow();
    expect(await rowsOf(article)).toEqual(NONE);
    expect(await check(article)).toBe('allow');
    expect(await total('policy')).toBe(before);
  });

  it('keeps the row while another reason is left', async () => {
    const order = await member('orders');
    const requested = await request(order, 'execution', 'rollback');
    await approve(requested);
    const id = await bypass('order', order.code);
    await follow();
    expect(await rowsOf(order)).toEqual(heldFor('exception,open_finding'));
    expect(await check(order)).toBe('block open_finding');
    await revoke(requested);
    await scan();
    expect(await rowsOf(order)).toEqual(heldFor('open_finding'));
    // Its gap is that of its container again, and the findings about the container count, too.
    expect(await check(order)).toBe('block open_finding orphan');
    expect(await explain(order, 'execution')).toMatchObject({ coverageOutcome: 'orphan', valid: true });
    await resolve(id);
    await follow();
    expect(await rowsOf(order)).toEqual(NONE);
  });

  it('a row of its own never weakens the gate: findings about the container count at every stage', async () => {
    const [invoice, other] = (await members('invoices', 2)) as [Member, Member];
    const id = await bypass('invoice', invoice.code);
    await follow();
    expect(await rowsOf(invoice)).toEqual(heldFor('open_finding'));
    await resolve(id);
    // The finding about the object is closed, its row is still there.
    await host(`update system_issues set status = 'resolved' where entity_code = '${invoice.code}'`);
    for (const stage of ['design', 'impl', 'route', 'prod'] as const)
      expect(inShort(await ask(estate, invoice, { stage, action: 'read' }))).toBe(
        inShort(await ask(estate, other, { stage, action: 'read' })),
      );
  });
});

describe('a question to the gate at high risk', () => {
  const isDue = () =>
    estate.db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) =>
      isAnythingDue(tx, { expired: true }),
    );
  const shift = (hours: number) =>
    host(`update governance_consulted_object set asked_at = asked_at - interval '${hours} hours'`);

  it('gives the member a row for a limited time', async () => {
    const [contract, read, early] = (await members('contracts', 3)) as [Member, Member, Member];
    const article = await member('articles');
    const before = await total('policy');
    await ask(estate, read, { action: 'read' });
    await ask(estate, early, { stage: 'route' });
    // High risk by its action only, and an object that counts by itself.
    expect(await check(article)).toBe('allow');
    expect(await check({ collection: 'dot_tools', code: 'DOT-118' })).toBe('allow');
    await worker.intakes.once();
    await scan();
    expect(await isDue()).toBe(false);
    expect(await check(contract)).toBe('allow');
    // An idle scanner finds it with its next look at expired rows.
    expect(await isDue()).toBe(true);
    await scan();
    expect(await isDue()).toBe(false);
    expect(await rowsOf(contract)).toEqual(heldFor('high_risk_write'));
    for (const each of [read, early, article]) expect(await rowsOf(each)).toEqual(NONE);
    expect((await explain(contract, 'policy'))?.because).toContain('the gate was asked about it');
    expect(await check(contract)).toBe('allow');
    expect(await total('policy')).toBe(before);
    // Its own row answers: what is wrong with it alone blocks it alone.
    await host(
      `update governance_candidate_object set dirty = true, dirty_reason = 'test', dirtied_at = now()
       where collection_name = 'contracts' and entity_code = '${contract.code}' and scope = 'policy'`,
    );
    expect(await check(contract)).toBe('block dirty');
    expect(await check(read)).toBe('allow');
    await scan();
    // A later question extends the time.
    await shift(23);
    expect(await check(contract)).toBe('allow');
    await shift(23);
    await scan();
    expect(await rowsOf(contract)).toEqual(heldFor('high_risk_write'));
    await shift(2);
    await scan();
    expect(await rowsOf(contract)).toEqual(NONE);
    expect(await check(contract)).toBe('allow');
    const left = await host('select entity_code from governance_consulted_object order by 1');
    expect(left.map((row) => row['entity_code'])).toEqual([contract.code]);
  });

  it('never gives more members a row than the rules allow: the last ones', async () => {
    await host(
      `update governance_setting set setting_value = '{"hours": 24, "at_most": 3}' where setting_key = 'verdict.high_risk_write'`,
    );
    await catchUp(estate.gcos);
    const contracts = await members('contracts', 10);
    await estate.gcos.gates.check(contracts.map((each) => ({ ...each })));
    await shift(1);
    const last = contracts.slice(4, 7);
    await estate.gcos.gates.check(last.map((each) => ({ ...each })));
    await catchUp(estate.gcos);
    const held = await host(
      `select distinct entity_code from governance_candidate_object where 'high_risk_write' = any (reasons) and row_state = 'active' order by 1`,
    );
    expect(held.map((row) => row['entity_code'])).toEqual(last.map((each) => each.code).sort());
    const [left] = await host('select count(*)::int as n from governance_consulted_object');
    expect(left?.['n']).toBe(3);
  });
});

describe('all reasons together', () => {
  it('a full scan and a start from nothing write the same rows as the intake and scans did', async () => {
    const [order, second] = (await members('orders', 2)) as [Member, Member];
    const contract = (await members('contracts', 20)).find((each) => each.code.startsWith('CX')) as Member;
    const article = await member('articles');
    await approve(await request(order, 'execution', 'rollback'));
    const ended = await request(second, 'execution', 'rollback');
    await approve(ended);
    await bypass('article', article.code);
    // Collection and code are those of an annex: the first line names no object.
    await bypass('contract', contract.code);
    await ask(estate, contract);
    await catchUp(estate.gcos);
    expect(await rowsOf(contract)).toEqual(heldFor('high_risk_write'));
    await bypass('contract_annex', contract.code);
    await catchUp(estate.gcos);
    await revoke(ended);
    await catchUp(estate.gcos);
    expect(await rowsOf(order)).toEqual(heldFor('exception'));
    expect(await rowsOf(second)).toEqual(NONE);
    expect(await rowsOf(article)).toEqual(heldFor('open_finding'));
    expect(await rowsOf(contract)).toEqual(heldFor('high_risk_write,open_finding'));
    const [now] = await host('select clock_timestamp()::text as at');
    const at = String(now?.['at']);
    const stepByStep = await readKnownState(estate.url, at);
    const full = await estate.gcos.scans.run({ mode: 'full' });
    expect(full.ledger?.closes).toBe(true);
    expect(differences(stepByStep, await readKnownState(estate.url, at))).toEqual([]);
    await startOver(estate.url, estate.gcos);
    expect(differences(stepByStep, await readKnownState(estate.url, at))).toEqual([]);
  });
});
