// A release is answered item by item. Each answer is the same as in a check of that item alone.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GateDecision, GateQuestion, PastDecision } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask, inShort } from '../support/gate.js';

/** Without the end: equal answers of one check are stored once, with the earliest of their ends. */
const untimed = ({ validUntil: _, ...rest }: GateDecision) => rest;

function expectSame(alone: GateDecision, inRelease: GateDecision): void {
  expect(untimed(alone)).toEqual(untimed(inRelease));
  expect(alone.validUntil === null).toBe(inRelease.validUntil === null);
  expect(String(inRelease.validUntil) <= String(alone.validUntil)).toBe(true);
}

describe('the gate', () => {
  let estate: Estate;
  const sql = (text: string) => asHost(estate.url, text);
  beforeEach(async () => {
    estate = await createEstate('covered');
  });
  afterEach(() => estate.close());

  /** Tools without any reason to block. */
  const coveredTools = async () => {
    const rows = await sql(
      `select entity_code from governance_candidate_object where collection_name = 'dot_tools' and row_state = 'active' group by 1
       having bool_and(candidate_verdict = 'not_relevant' or coverage_outcome = 'covered') order by 1 limit 60`,
    );
    return rows
      .map((row) => ({ collection: 'dot_tools', code: String(row['entity_code']) }))
      .filter((each) => each.code !== 'DOT-240' && each.code !== 'DOT-241');
  };

  it('allows a release without faults, with the answer that each item gets alone', async () => {
    const release = await estate.gcos.gates.check(await coveredTools());
    expect(release.answer).toBe('allow');
    for (const each of release.decisions.slice(0, 10)) expectSame(await ask(estate, each.subject), each);
  });

  it('leaves the findings of a container out of the answer for an object with its own verdicts, also in a release', async () => {
    const invoice = { collection: 'invoices', code: 'INV-900001', stage: 'prod', action: 'execute' } as const;
    const [row] = await sql(
      `select o.inventory_key from governance_candidate_object o
       join governance_finding_key f on f.subject like '%' || o.inventory_key || '%' and f.severity = 'critical'
       where o.collection_name = 'invoices' and o.entity_code = 'INV-900001' and o.row_state = 'active' limit 1`,
    );
    const container = { group: String(row?.['inventory_key']) };
    const { decisions } = await estate.gcos.gates.check([invoice, container]);
    expect(decisions.map(inShort)[1]).toMatch(/open_finding/);
    expect(decisions[0]).toEqual(await ask(estate, invoice));
  });

  it('blocks the one faulty item of a release as it does alone, and answers the other items unchanged', async () => {
    const items = (await coveredTools()).slice(0, 20);
    const before = await estate.gcos.gates.check(items);
    const name = `collection_name = 'dot_tools' and entity_code = '${items.at(-1)?.code}'`;
    const one = `${name} and scope = 'audit'`;
    await sql(`create table kept as select * from governance_candidate_object where ${name}`);
    const disturb = async (text: string, set: string, where = one) => {
      await sql(`update governance_candidate_object set ${set} where ${where}`);
      const { decisions } = await estate.gcos.gates.check(items);
      const [last] = decisions.slice(-1);
      expect([text, last && inShort(last)]).toEqual([text, text]);
      expect(decisions.slice(0, -1).map(untimed)).toEqual(before.decisions.slice(0, -1).map(untimed));
      if (last !== undefined) expectSame(await ask(estate, items.at(-1) ?? { group: '' }), last);
      await sql(`delete from governance_candidate_object where ${name};
        insert into governance_candidate_object select * from kept`);
    };
    await disturb('block recompute_failed', `recompute_status = 'failed'`);
    await disturb('block dirty', `dirty = true, dirty_reason = 'test', dirtied_at = now()`);
    await disturb('block stale', `stale_after = now() - interval '1 second'`);
    await disturb('block dangling_snapshot', 'source_snapshot_ref = 987654321');
    await disturb('block dangling_snapshot', 'source_snapshot_ref = 987654321', name);
    await disturb('block unknown', `row_state = 'superseded'`);
    await disturb('block unknown', `candidate_verdict = 'unknown'`);
    await disturb(
      'block orphan',
      `candidate_verdict = 'relevant', coverage_required = true, coverage_outcome = 'orphan',
      coverage_scan_ref = 'a run'`,
    );
    // Without faults, but different from the other items.
    await disturb('allow', `scan_time = scan_time - interval '1 minute'`);
    await disturb('allow', `risk_class = 'read'`);
    await disturb('allow', `risk_class = 'read'`, name);
    const found = await estate.gcos.gates.check([...items, { collection: 'dot_tools', code: 'DOT-240' }]);
    expect(found.decisions.slice(0, -1).map(untimed)).toEqual(before.decisions.map(untimed));
    expect(found.decisions.slice(-1).map(inShort)).toEqual(['block open_finding']);
  });

  it('answers each item of a mixed release as alone, stores equal answers once, and shows each item later unchanged', async () => {
    const objects = await sql(
      `(select collection_name, entity_code from governance_candidate_object where row_state = 'active' group by 1, 2 order by md5(entity_code) limit 150)
       union all (select collection_name, entity_code from birth_registry order by md5(entity_code || 'y') limit 60)`,
    );
    const [group] = await sql(
      `select inventory_key from governance_inventory where source_registry = 'invoice_lines' order by member_count desc limit 1`,
    );
    const stages = ['prod', 'route', 'design'] as const;
    const actions = ['execute', 'read'] as const;
    const items: GateQuestion[] = objects.map((row, index) => ({
      ...{ collection: String(row['collection_name']), code: String(row['entity_code']) },
      ...{ stage: stages[index % 3] ?? 'prod', action: actions[index % 2] ?? 'read' },
    }));
    const [one = { group: '' }] = items;
    const check = await estate.gcos.gates.check([
      ...items,
      { collection: 'no', code: 'such' },
      { group: String(group?.['inventory_key']) },
      // Repeated items, and an object that is already there with another stage and action.
      ...items.slice(20, 40),
      { ...one, stage: 'impl', action: 'write' },
    ]);
    expect(check.decisions.map(({ subject, stage, action }) => ({ ...subject, stage, action }))).toEqual([
      ...items,
      { collection: 'no', code: 'such', stage: 'prod', action: 'execute' },
      { group: group?.['inventory_key'], stage: 'prod', action: 'execute' },
      { ...one, stage: 'impl', action: 'write' },
    ]);
    expect(new Set(check.decisions.map((each) => each.answer)).size).toBe(3);

    // Only items answered with allow_and_rescan are marked for a rescan.
    const marked = await sql(
      `select distinct collection_name || '/' || entity_code as name from governance_candidate_object where dirty_reason = 'gate:allow_and_rescan'`,
    );
    const again = check.decisions.flatMap(({ answer, subject }) =>
      answer === 'allow_and_rescan' && 'code' in subject ? `${subject.collection}/${subject.code}` : [],
    );
    expect(marked.length).toBeGreaterThan(0);
    expect(again).toEqual(expect.arrayContaining(marked.map((row) => row['name'])));
    const clean = `update governance_candidate_state set dirty = false, dirty_reason = null, dirtied_at = null where dirty;
      update governance_candidate_object set dirty = false, dirty_reason = null, dirtied_at = null where dirty`;
    await sql(clean);
    for (const each of check.decisions.filter((_, index) => index % 4 === 0 || index > items.length - 2)) {
      const { subject, stage, action } = each;
      expectSame(await ask(estate, subject, { stage, action }), each);
      if (each.answer === 'allow_and_rescan') await sql(clean);
    }

    const past: PastDecision[] = [];
    for (let after = 0, more = true; more; ) {
      const page = await estate.gcos.gates.why(check.id ?? 0n, { limit: 50, after });
      past.push(...page.decisions);
      more = page.next !== null;
      after = Number(page.next);
    }
    expect(past).toEqual(check.decisions.map((each, index) => ({ item: index + 1, ...each })));
    const [kept] = await sql(
      `select (select count(*)::int from governance_gate_answer where check_id = ${check.id}) as answers,
         (select count(distinct item_no)::int from governance_gate_decision where check_id = ${check.id}) as items`,
    );
    expect(kept?.['items']).toBe(check.decisions.length);
    expect(kept?.['answers']).toBeLessThan(check.decisions.length);
    const { checks } = await estate.gcos.gates.list({ after: (check.id ?? 0n) + 1n, limit: 1 });
    const count = (answer: string) => check.decisions.filter((each) => each.answer === answer).length;
    expect(checks[0]).toMatchObject({
      ...{
        id: check.id,
        items: check.decisions.length,
        allowed: count('allow'),
        toRescan: count('allow_and_rescan'),
      },
      ...{ blocked: count('block'), wouldBlock: 0 },
    });
  });
});
