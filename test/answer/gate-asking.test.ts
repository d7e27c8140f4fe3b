// Checks of the gate: stages, observe mode, manifests, exceptions that end between two checks, the roles that
// may check, and the record of each check.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gateAnswers } from '../../src/answer/gate/index.js';
import type { ExceptionTerms } from '../../src/index.js';
import { setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask, codesOf, inShort } from '../support/gate.js';
import { cover } from '../support/judged.js';
import { sealAll } from '../support/log.js';
import { createPeople, type People } from '../support/people.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

const HIGH = { collection: 'dot_tools', code: 'DOT-118' };
const ORPHAN = { collection: 'dot_tools', code: 'DOT-117' };

describe('a check of the gate', () => {
  let estate: Estate;
  let people: People;
  const sql = (text: string) => asHost(estate.url, text);
  const count = async (text: string) => Number((await sql(text))[0]?.['n']);
  beforeEach(async () => {
    estate = await createEstate('covered');
    people = createPeople(estate.url);
  });
  afterEach(async () => {
    await people.close();
    await estate.close();
  });

  it('knows four stages, each with the conditions of the stages before it', async () => {
    const [payment] = await sql(
      `select entity_code from birth_registry where collection_name = 'payments' limit 1`,
    );
    const unowned = { collection: 'payments', code: String(payment?.['entity_code']) };
    expect(inShort(await ask(estate, unowned, { stage: 'design' }))).toBe('block owner_missing');
    expect(inShort(await ask(estate, ORPHAN, { stage: 'design' }))).toBe('allow');
    const [term] = await sql(
      `select entity_code from birth_registry where collection_name = 'glossary_terms' limit 1`,
    );
    const unprofiled = { collection: 'glossary_terms', code: String(term?.['entity_code']) };
    expect(codesOf(await ask(estate, unprofiled, { stage: 'design' }))).not.toContain('profile_missing');
    expect(codesOf(await ask(estate, unprofiled, { stage: 'impl' }))).toContain('profile_missing');
    expect(inShort(await ask(estate, ORPHAN, { stage: 'impl' }))).toBe('allow');
    expect(inShort(await ask(estate, ORPHAN, { stage: 'route' }))).toBe('block open_finding');
    expect(inShort(await ask(estate, ORPHAN))).toBe('block open_finding orphan');
  });

  it('evaluates every scope of a group, by either of its keys, and each object of a class that does not inherit', async () => {
    const [tools] = await sql(
      `select i.inventory_key, g.group_key from governance_inventory i join governance_group g using (inventory_key)
       where i.source_registry = 'dot_tools' and i.member_count > 100 and g.scope = 'render'`,
    );
    const byInventory = await ask(estate, { group: String(tools?.['inventory_key']) });
    const byGroup = await ask(estate, { group: String(tools?.['group_key']) });
    expect(byInventory.answer).toBe('block');
    expect(codesOf(byInventory)).toContain('orphan');
    expect(byGroup.reasons).toEqual(byInventory.reasons);
    expect(byInventory.evidence).toHaveLength(6);
    expect(byInventory.reasons.some((each) => /of its objects, such as/.test(each.sentence))).toBe(true);
    const [lines] = await sql(
      `select inventory_key from governance_inventory where source_registry = 'invoice_lines' order by member_count desc limit 1`,
    );
    expect(inShort(await ask(estate, { group: String(lines?.['inventory_key']) }))).toBe('allow');
  });

  it('answers each distinct item of a manifest once, as in a check of its own', async () => {
    const objects = await sql(
      `(select collection_name, entity_code from governance_candidate_object where row_state = 'active' group by 1, 2 order by md5(entity_code) limit 700)
       union all (select collection_name, entity_code from birth_registry order by md5(entity_code || 'x') limit 500)`,
    );
    const items = objects.map((row) => ({
      collection: String(row['collection_name']),
      code: String(row['entity_code']),
    }));
    const check = await estate.gcos.gates.check([
      ...items,
      ...items.slice(0, 50),
      { collection: 'no', code: 'such' },
    ]);
    const distinct = new Set(items.map((each) => JSON.stringify(each))).size;
    expect(check.decisions).toHaveLength(distinct + 1);
    expect(check.answer).toBe('block');
    expect(
      await count(`select count(*)::int as n from governance_gate_decision where check_id = ${check.id}`),
    ).toBe(distinct + 1);
    // Resets the rows that the check marked for a rescan.
    await sql(`update governance_candidate_state set dirty = false, dirty_reason = null, dirtied_at = null;
      update governance_candidate_object set dirty = false, dirty_reason = null, dirtied_at = null`);
    const answers = new Set(check.decisions.map((each) => each.answer));
    expect([...answers].sort()).toEqual(['allow', 'allow_and_rescan', 'block']);
    const sample = check.decisions.filter((_, index) => index % 40 === 0);
    expect(sample.length).toBeGreaterThan(25);
    for (const each of sample) {
      const alone = await ask(estate, each.subject);
      expect([alone.answer, alone.reasons, alone.evidence]).toEqual([
        each.answer,
        each.reasons,
        each.evidence,
      ]);
      await sql(`update governance_candidate_state set dirty = false, dirty_reason = null, dirtied_at = null where dirty;
        update governance_candidate_object set dirty = false, dirty_reason = null, dirtied_at = null where dirty`);
    }
  });

  it('refuses an empty list and invalid items', async () => {
    const bad = { code: 'gate_invalid', exit: 3 };
    await expect(estate.gcos.gates.check([])).rejects.toMatchObject(bad);
    await expect(estate.gcos.gates.check([{ ...HIGH, stage: 'soon' as 'prod' }])).rejects.toMatchObject(bad);
    await expect(estate.gcos.gates.check([{ ...HIGH, code: 'a\0b' }])).rejects.toMatchObject(bad);
  });

  it('blocks when an exception ends or its object changes between two checks, without a scan', async () => {
    const ends = Date.now() + 100 * 86_400_000;
    const expiresAt = new Date(ends).toISOString();
    const terms: ExceptionTerms = {
      subject: { kind: 'object', collection: 'dot_tools', code: 'DOT-117' },
      scope: 'approval',
      link: 'approval',
      expiresAt,
    };
    const request = await estate.gcos.exceptions.openRequest(terms, { reason: 'test', as: 'member-1' });
    await estate.gcos.requests.approve(request, { as: 'president' });
    const granted = await estate.gcos.exceptions.grant(terms, {
      reason: 'test',
      as: 'member-1',
      approvalRef: request,
    });
    await cover(estate, 'cover-2');
    expect(inShort(await ask(estate, ORPHAN))).toBe('allow');
    const runs = await count('select count(*)::int as n from candidate_scan_run');
    const rows = `collection_name = 'dot_tools' and entity_code = 'DOT-117' and scope = 'approval' and row_state = 'active'`;
    // The exception was granted for another owner.
    await sql(`update governance_candidate_object set owner_scope = 'GOV-SIV' where ${rows}`);
    const changed = await ask(estate, ORPHAN);
    expect(inShort(changed)).toBe('block exception_lapsed');
    expect(changed.reasons[0]?.sentence).toContain(granted);
    await sql(`update governance_candidate_object set owner_scope = 'GOV-COUNCIL' where ${rows}`);
    expect(inShort(await ask(estate, ORPHAN))).toBe('allow');
    // The exception ends before the verdict expires.
    await sql(
      `update governance_candidate_object set stale_after = timestamptz '${expiresAt}' + interval '1 day' where collection_name = 'dot_tools' and entity_code = 'DOT-117'`,
    );
    expect(inShort(await ask(estate, ORPHAN, { at: new Date(ends - 1_000).toISOString() }))).toBe('allow');
    expect(inShort(await ask(estate, ORPHAN, { at: expiresAt }))).toBe('block exception_lapsed');
    await estate.gcos.exceptions.revoke(granted, { reason: 'test', as: 'operator' });
    expect(inShort(await ask(estate, ORPHAN))).toBe('block exception_lapsed');
    expect(await count('select count(*)::int as n from candidate_scan_run')).toBe(runs);
  });

  it('allows with a break-glass pass, and reports the reasons it overrides', async () => {
    const requester = await people.person('on-call', 'member');
    const approver = await people.person('chief', 'president');
    const { pass } = await requester.gcos.breakGlass.request(
      { subject: { kind: 'object', ...ORPHAN }, stage: 'prod', action: 'execute', minutes: 10 },
      { reason: 'the payments are down' },
    );
    expect((await ask(estate, ORPHAN)).answer).toBe('block');
    await approver.gcos.requests.approve(pass.approvalRef);
    const passed = await ask(estate, ORPHAN);
    expect([passed.answer, passed.breakGlass, codesOf(passed)]).toEqual([
      'allow',
      pass.code,
      ['open_finding', 'orphan'],
    ]);
    expect((await ask(estate, ORPHAN, { stage: 'route' })).answer).toBe('block');
    expect((await ask(estate, ORPHAN, { action: 'write' })).answer).toBe('block');
    expect((await ask(estate, HIGH)).breakGlass).toBeNull();
    const late = new Date(Date.now() + 11 * 60_000).toISOString();
    expect((await ask(estate, ORPHAN, { at: late })).answer).toBe('block');
    await requester.gcos.breakGlass.close(pass.code);
    expect((await ask(estate, ORPHAN)).answer).toBe('block');
  });

  it('records every answer with its login and person, and shows it later unchanged', async () => {
    const api = await people.person('pipeline', 'member');
    const check = await api.gcos.gates.check([ORPHAN, HIGH]);
    const past = await estate.gcos.gates.why(check.id ?? 0n);
    expect(past).toMatchObject({
      id: check.id,
      at: check.at,
      login: api.login,
      person: 'pipeline',
      next: null,
    });
    expect(past.decisions.map(({ item: _, ...rest }) => rest)).toEqual(check.decisions);
    const page = await estate.gcos.gates.why(check.id ?? 0n, { limit: 1 });
    expect([page.decisions.length, page.next]).toEqual([1, '1']);
    expect((await estate.gcos.gates.list({ limit: 1 })).checks[0]).toMatchObject({
      ...{ id: check.id, person: 'pipeline', items: 2, allowed: 1, blocked: 1 },
    });
    await expect(estate.gcos.gates.why(10n ** 15n)).rejects.toMatchObject({ code: 'gate_decision_unknown' });
  });

  it('is open to people and workers, blocks for roles that may not record, and keeps answers immutable', async () => {
    const worker = await people.login('worker', 'gcos_worker');
    expect((await worker.gcos.gates.check([HIGH])).answer).toBe('allow');
    for (const role of ['gcos_reader', 'gcos_pruner']) {
      const { gcos } = await people.login(`no-${role.slice(5)}`, role);
      const check = await gcos.gates.check([HIGH]);
      expect([check.answer, check.id, check.decisions[0]?.reasons[0]?.code]).toEqual([
        'block',
        null,
        'privilege_missing',
      ]);
    }
    for (const text of [
      `update governance_gate_answer set answer = 'allow'`,
      'delete from governance_gate_answer',
      `insert into governance_gate_answer select * from governance_gate_answer`,
      'delete from governance_gate_rules',
    ])
      await expect(asHost(worker.url, text)).rejects.toThrow(/permission denied/);
  });

  it('blocks if the answer cannot be recorded', async () => {
    await sql('alter table governance_gate_answer add constraint refused check (check_id < 0) not valid');
    const check = await estate.gcos.gates.check([HIGH]);
    expect([check.answer, check.id]).toEqual(['block', null]);
    expect(check.decisions[0]?.reasons[0]?.sentence).toMatch(/could not be decided: .*refused/);
    await sql('alter table governance_gate_answer drop constraint refused');
    expect((await estate.gcos.gates.check([HIGH])).answer).toBe('allow');
  });

  it('is pruned by a login with the pruner role, with a dry run first', async () => {
    const pruner = await people.login('pruner', 'gcos_pruner');
    await estate.gcos.gates.check([ORPHAN, HIGH]);
    await estate.gcos.gates.check([HIGH]);
    await expect(pruner.gcos.gates.prune({ before: '2031-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'gate_prune_too_young',
    });
    await sealAll(estate.url);
    const [moment] = await sql(`select (now() + interval '1 minute')::text as at`);
    const before = String(moment?.['at']);
    await setClock(estate.url, { ahead: '91 days' });
    const all = await count('select count(*)::int as n from governance_gate_decision');
    expect(all).toBe(3);
    expect((await pruner.gcos.gates.prune({ before, dryRun: true })).decisions).toBe(BigInt(all));
    expect(await count('select count(*)::int as n from governance_gate_decision')).toBe(all);
    await pruner.gcos.gates.prune({ before });
    expect(await count('select count(*)::int as n from governance_gate_decision')).toBe(0);
  });

  it('gives the answers that a preview by the same rules gives', async () => {
    const rows = await sql(
      `set enable_nestloop = off;
       select c.collection_name || '/' || c.entity_code as item, c.candidate_verdict as verdict, v.reason as invalid, c.coverage_required as required,
         c.coverage_scan_ref is not null as scanned, c.coverage_outcome as outcome, c.owner_scope as owner, c.evidence ->> 'profile' as profile,
         c.evidence @> '{"terminal": true}' as ended, c.risk_class as risk
       from governance_candidate_object c join governance_validity(now()) v using (row_id)
       where c.row_state = 'active' and c.collection_name in ('dot_tools', 'route_registry', 'table_registry', 'event_type_registry')`,
    );
    const previewed = await estate.db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) =>
      gateAnswers(
        tx,
        rows.map((row) => ({
          item: String(row['item']),
          verdict: String(row['verdict']),
          invalid: row['invalid'] as string | null,
          coverageRequired: row['required'] === true,
          scanned: row['scanned'] === true,
          outcome: row['outcome'] as string | null,
          lapsed: false,
          owner: row['owner'] as string | null,
          profile: row['profile'] as string | null,
          ended: row['ended'] === true,
          riskClass: String(row['risk']),
        })),
      ),
    );
    const items = [...previewed.keys()].map((item) => {
      const at = item.indexOf('/');
      return { collection: item.slice(0, at), code: item.slice(at + 1) };
    });
    const { decisions } = await estate.gcos.gates.check(items);
    // A preview leaves out open findings, which are read at the time of the check.
    for (const each of decisions) {
      const codes = codesOf(each).filter((code) => code !== 'open_finding');
      const item = 'group' in each.subject ? '' : `${each.subject.collection}/${each.subject.code}`;
      expect([item, previewed.get(item)?.codes]).toEqual([item, codes]);
      if (codes.length > 0) expect(previewed.get(item)?.answer).toBe(each.answer);
    }
    expect(new Set([...previewed.values()].map((each) => each.answer)).size).toBe(3);
  });

  it('only observes in the stages that the active ruleset names, and status lists them', async () => {
    const setting = (mode: string) =>
      sql(
        `update governance_setting set setting_value = setting_value || '{"prod": "${mode}"}' where setting_key = 'gate.mode'`,
      );
    await setting('observe');
    // A setting has no effect before a ruleset with it is active.
    expect(await ask(estate, ORPHAN)).toMatchObject({ answer: 'block', mode: 'enforce' });
    const plan = await estate.gcos.plans.plan();
    // No verdict depends on the setting, so the plan dirties no group.
    expect(plan.groups.dirtied).toBe(0n);
    await putRulesIntoForce(estate.gcos);
    const check = await estate.gcos.gates.check([ORPHAN, { ...ORPHAN, stage: 'route' }]);
    expect(check.decisions.map((each) => [each.answer, each.mode])).toEqual([
      ['block', 'observe'],
      ['block', 'enforce'],
    ]);
    expect([check.answer, check.wouldBlock]).toEqual(['block', 1]);
    const alone = await estate.gcos.gates.check([ORPHAN]);
    expect([alone.answer, alone.wouldBlock]).toEqual(['allow', 1]);
    expect((await estate.gcos.status()).observing).toEqual([{ stage: 'prod', wouldHaveBlocked: 2 }]);
    await setting('enforce');
    await putRulesIntoForce(estate.gcos);
    expect((await estate.gcos.gates.check([ORPHAN])).answer).toBe('block');
    expect((await estate.gcos.status()).observing).toEqual([]);
  });
});
