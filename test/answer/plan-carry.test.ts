// Verdicts after an activation: each group is carried or dirtied as the plan previewed.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/answer/plan/index.js';
import type { Transaction } from '../../src/db/index.js';
import { type Observation, writeFindings } from '../../src/record/finding/index.js';
import { type Activation, activateRuleset } from '../../src/rule/ruleset/index.js';
import { type GroupRow, readGroupRows, readObjectRows } from '../../src/verdict/candidate/index.js';
import { carryAtOnce, carryInPages } from '../support/carry-pace.js';
import { asHost, rowsIn } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';
import { judge } from '../support/judged.js';
import { createPeople, type People } from '../support/people.js';
import { approvedRequest, type Quorum } from '../support/ruleset.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

describe('activating a ruleset', () => {
  let estate: Estate;
  let people: People;
  let quorum: Quorum;
  let first: string;
  let detector: { readonly law: string; readonly scope: string };

  beforeEach(async () => {
    estate = await createEstate('judged');
    people = createPeople(estate.url);
    // In addition to the people of the demo estate.
    quorum = {
      proposer: await people.person('carry-proposer', 'member'),
      approvers: [
        await people.person('carry-president', 'president'),
        await people.person('carry-council-1', 'council'),
        await people.person('carry-council-2', 'council'),
      ],
    };
    const [active] = await asHost(
      estate.url,
      "select ruleset_version as v from governance_ruleset where status = 'active'",
    );
    first = active?.['v'] as string;
    const [row] = await asHost(
      estate.url,
      `select rule_code, min(scope) as scope from governance_rule_reach where rule_kind = 'law'
       group by rule_code having count(*) = 1 and min(scope) is not null order by 1 limit 1`,
    );
    detector = { law: row?.['rule_code'] as string, scope: row?.['scope'] as string };
    await asHost(
      estate.url,
      `insert into measurement_registry (measurement_id, measurement_name, law_code, method, source_query, target_query, severity, enabled)
       values ('MSR-NEW', 'one more', '${detector.law}', 1, 'select 1', 'select 1', 'high', false)`,
    );
    // The new measurement is also a member of a registry that has no birth, so it needs a verdict.
    await judge(estate);
  });
  afterEach(async () => {
    await people?.close();
    await estate?.close();
  });

  const groups = (at: string): Promise<readonly GroupRow[]> =>
    estate.db.transaction(READ_ONLY, (tx) => readGroupRows(tx, { at }));
  const now = async (): Promise<string> =>
    (await asHost(estate.url, 'select clock_timestamp()::text as at'))[0]?.['at'] as string;

  /** Changes rules, and activates them as people who may activate but may not write candidates. */
  async function change(sql: string): Promise<{ plan: Plan; done: Activation }> {
    await asHost(estate.url, sql);
    const { gcos } = quorum.proposer;
    const { code, plan } = await gcos.plans.propose();
    for (const approver of quorum.approvers) await approver.gcos.requests.approve(code);
    return { plan, done: await gcos.plans.activate(plan.to, code) };
  }

  const gapOf = (scope: string, row: GroupRow): Observation => ({
    type: 'owner_gap',
    subject: row.inventoryKey,
    scope,
    entityType: 'inventory_group',
    entityCode: row.inventoryKey,
  });
  /** Writes the findings of an evaluation under `ruleset` that made only the observations in `observed`. */
  const evaluate = async (observed: readonly Observation[], ruleset: string, activeRuleset: string) => {
    const evaluated = { types: ['owner_gap'], subjects: 'all' } as const;
    const at = await now();
    return estate.db.transaction({ isolation: 'read committed' }, (tx) =>
      writeFindings(tx, observed, { runId: 'test-run', at, ruleset, activeRuleset, evaluated }),
    );
  };

  it('seed 40 §40.10 test 4 (ruleset): only groups in reach are dirtied, all else is carried', async () => {
    const before = await groups(await now());
    const [inside, outside] = [
      detector.scope,
      before.find((row) => row.scope !== detector.scope)?.scope ?? '',
    ];
    const sample = before.find((row) => row.scope === inside && row.sourceRegistry === 'venues') as GroupRow;
    const gaps = [gapOf(inside, sample), gapOf(outside, sample)];
    expect((await evaluate(gaps, first, first)).raised).toHaveLength(2);

    const { plan, done } = await change(
      "update measurement_registry set enabled = true where measurement_id = 'MSR-NEW'",
    );
    expect(plan.groups.dirtied).toBe(BigInt(before.filter((row) => row.scope === inside).length));
    expect(plan.groups.carried).toBe(BigInt(before.filter((row) => row.scope !== inside).length));
    const after = await groups(await now());
    const dirty = after.filter((row) => row.dirty);
    const carried = after.filter((row) => !row.dirty);
    expect(BigInt(dirty.length)).toBe(plan.groups.dirtied);
    expect(BigInt(carried.length)).toBe(plan.groups.carried);
    expect(done.verdicts).toMatchObject({
      groups: { carried: carried.length, dirtied: dirty.length },
      findings: 1,
    });
    expect(new Set(dirty.map((row) => [row.scope, row.dirtyReason].join(' ')))).toEqual(
      new Set([`${inside} ruleset_bump`]),
    );

    evidence(
      `${first} → ${plan.to}: ${some(dirty.length, 'group')} of scope ${inside} dirty, ${carried.length} carried, 0 others`,
    );

    // Carried rows are unchanged, and no row was evaluated.
    const verdictOf = (row: GroupRow) => [
      row.groupKey,
      row.candidateVerdict,
      row.verdictLine,
      row.evidence,
      row.sourceSnapshotRef,
      row.scanTime,
      row.staleAfter,
      row.lastRunId,
    ];
    expect(after.map(verdictOf)).toEqual(before.map(verdictOf));
    expect(new Set(after.map((row) => [row.rulesetVersion, row.carriedFrom].join(' ')))).toEqual(
      new Set([`${plan.to} ${first}`]),
    );
    expect(carried.every((row) => row.valid)).toBe(true);
    const past = await estate.db.transaction(READ_ONLY, async (tx) =>
      readGroupRows(tx, { groupKeys: before.map((row) => row.groupKey), past: true, at: await now() }),
    );
    expect(past.filter((row) => row.rowState === 'superseded').map((row) => row.rulesetVersion)).toEqual(
      before.map(() => first),
    );
    const objects = await estate.db.transaction(READ_ONLY, async (tx) =>
      readObjectRows(tx, { at: await now() }),
    );
    expect(
      objects.every((row) => row.rulesetVersion === plan.to && row.dirty === (row.scope === inside)),
    ).toBe(true);

    // The finding of the carried group is stamped with the new ruleset; the other one waits for an
    // evaluation.
    const stamps = await asHost(
      estate.url,
      `select scope, ruleset from governance_finding_key where subject = '${sample.inventoryKey}' and finding_type = 'owner_gap'`,
    );
    expect(new Map(stamps.map((row) => [row['scope'], row['ruleset']]))).toEqual(
      new Map([
        [inside, first],
        [outside, plan.to],
      ]),
    );
    // A clean evaluation under the old rules resolves nothing. Under the new rules it resolves the findings,
    // and they reopen when they are observed again.
    expect((await evaluate([], first, plan.to)).resolved).toEqual([]);
    expect((await evaluate([], plan.to, plan.to)).resolved).toHaveLength(2);
    expect((await evaluate(gaps, plan.to, plan.to)).reopened).toHaveLength(2);
  });

  it('in pages carries what one call carries, and no call writes more than a page', async () => {
    const state = async (tx: Transaction) =>
      Promise.all(
        ['governance_candidate_state', 'governance_candidate_object'].map((table) =>
          rowsIn(
            tx,
            `select (to_jsonb(c) - array['row_id', 'created_at', 'updated_at', 'dirtied_at']) as row, c.dirtied_at = c.created_at as now
             from ${table} c order by to_jsonb(c) ->> 'object_key', c.group_key, c.scope, c.ruleset_version`,
          ),
        ),
      );
    const [sample] = (await groups(await now())).filter((row) => row.scope !== detector.scope);
    await evaluate([gapOf(sample?.scope ?? '', sample as GroupRow)], first, first);
    // Rows that are dirty for another reason stay so.
    await asHost(
      estate.url,
      `update governance_candidate_object set dirty = true, dirty_reason = 'a test', dirtied_at = now() where object_key < '4'`,
    );
    await asHost(
      estate.url,
      "update measurement_registry set enabled = true where measurement_id = 'MSR-NEW'",
    );
    const { version } = await quorum.proposer.gcos.rulesets.draft();
    const approvalRef = await approvedRequest(quorum, version, first);
    const rehearse = () =>
      quorum.proposer.gcos.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
        const written: number[] = [];
        const counted = new Proxy(tx, {
          get: (target, name) => {
            const value = Reflect.get(target, name, target) as unknown;
            if (name !== 'one') return typeof value === 'function' ? value.bind(target) : value;
            return async (...args: Parameters<Transaction['one']>) => {
              const [before, row, after] = [await live(tx), await target.one(...args), await live(tx)];
              if (/\.(activate|continueActivation)$/.test(args[0].name)) written.push(after - before);
              return row;
            };
          },
        });
        const { verdicts } = await activateRuleset(counted, { version, approvalRef });
        return { verdicts, written, state: await state(tx) };
      });
    const live = async (tx: Transaction) =>
      Number(
        (
          await rowsIn(
            tx,
            `select (select count(*) from governance_candidate_state where ruleset_version = '${version}')
               + (select count(*) from governance_candidate_object where ruleset_version = '${version}') as n`,
          )
        )[0]?.['n'],
      );
    await carryAtOnce(estate.url);
    const whole = await rehearse();
    const all = whole.written.reduce((sum, each) => sum + each, 0);
    expect(whole.written).toEqual([all]);
    expect(whole.verdicts?.findings).toBe(1);
    await carryInPages(estate.url, 500);
    const paged = await rehearse();
    evidence(
      `${some(all, 'row')} in ${some(paged.written.length, 'call')}, ${Math.max(...paged.written)} at most`,
    );
    expect(paged.written.length).toBeGreaterThan(all / 500);
    expect(Math.max(...paged.written)).toBe(500);
    expect(paged.verdicts).toEqual(whole.verdicts);
    expect(paged.state).toEqual(whole.state);
  });

  it('succeeds while workers write rows all the time, and carries every mark that they commit', async () => {
    await asHost(
      estate.url,
      "update measurement_registry set enabled = true where measurement_id = 'MSR-NEW'",
    );
    const { gcos } = quorum.proposer;
    const { code, plan } = await gcos.plans.propose();
    for (const approver of quorum.approvers) await approver.gcos.requests.approve(code);
    await carryInPages(estate.url, 1_000);
    let isDone = false;
    const marked: string[] = [];
    const mark = async () => {
      while (!isDone) {
        const rows = await asHost(
          estate.url,
          `update governance_candidate_object set dirty = true, dirty_reason = 'a test', dirtied_at = now()
           where row_state = 'active' and row_id = (
             select row_id from governance_candidate_object
             where row_state = 'active' and not dirty and scope <> '${detector.scope}' order by random() limit 1)
           returning object_key || scope as name`,
        );
        for (const row of rows) marked.push(String(row['name']));
      }
    };
    const marking = mark();
    await gcos.plans.activate(plan.to, code).finally(() => {
      isDone = true;
    });
    await marking;
    evidence(`${some(marked.length, 'row')} marked meanwhile`);
    const dirty = await asHost(
      estate.url,
      `select object_key || scope as name from governance_candidate_object where row_state = 'active' and dirty`,
    );
    const names = new Set(dirty.map((row) => String(row['name'])));
    expect(marked.length).toBeGreaterThan(1);
    expect(marked.filter((name) => !names.has(name))).toEqual([]);
  });

  it('of an earlier version evaluates what the change reaches again, and keeps one row per version', async () => {
    await change("update measurement_registry set enabled = true where measurement_id = 'MSR-NEW'");
    await judge(estate);
    const middle = await groups(await now());
    expect(middle.some((row) => row.dirty)).toBe(false);
    const { done } = await change(
      "update measurement_registry set enabled = false where measurement_id = 'MSR-NEW'",
    );
    expect(done.version).toBe(first);
    const inReach = middle.filter((row) => row.scope === detector.scope).length;
    expect(done.verdicts).toMatchObject({ groups: { dirtied: inReach, carried: middle.length - inReach } });
    await judge(estate);
    const after = await groups(await now());
    expect(after.filter((row) => row.dirty || row.rulesetVersion !== first || !row.valid)).toEqual([]);
    const [rows] = await asHost(
      estate.url,
      'select count(*)::int as n, count(distinct (group_key, ruleset_version))::int as keys from governance_candidate_state',
    );
    expect(rows).toEqual({ n: middle.length * 2, keys: middle.length * 2 });
  });

  it('dirties the classes of a changed profile, and the next evaluation gives the new verdicts', async () => {
    const before = (await groups(await now())).filter((row) => row.sourceRegistry === 'tags');
    expect(new Set(before.map((row) => row.candidateVerdict))).toEqual(new Set(['not_relevant']));
    const { done } = await change(
      `update coverage_profile set required_links = '{"policy": ["owner"]}' where class_pattern = 'tag'`,
    );
    expect(done.verdicts).toMatchObject({ groups: { dirtied: before.length } });
    await judge(estate);
    const after = (await groups(await now())).filter((row) => row.sourceRegistry === 'tags');
    expect(after.filter((row) => row.candidateVerdict === 'relevant').map((row) => row.scope)).toEqual([
      'policy',
    ]);
    const back = await change(
      `update coverage_profile set required_links = '{}' where class_pattern = 'tag'`,
    );
    expect(back.done).toMatchObject({ version: first, verdicts: { groups: { dirtied: before.length } } });
    await judge(estate);
    const restored = (await groups(await now())).filter((row) => row.sourceRegistry === 'tags');
    expect(new Set(restored.map((row) => row.candidateVerdict))).toEqual(new Set(['not_relevant']));
  });

  it('follows the plan after a change of owner and the retirement of a scope', async () => {
    await change("update governance_responsibility_scope set status = 'retired' where scope_code = 'health'");
    await judge(estate);
    const before = await groups(await now());
    expect(before.some((row) => row.scope === 'health')).toBe(false);
    const [moved] = before.filter((row) => row.sourceRegistry === 'orders' && row.scope === 'policy');
    if (moved === undefined) throw new Error('orders has no group');
    const version = moved.rulesetVersion;
    await evaluate([gapOf('policy', moved)], version, version);
    // A capture updates the keys of groups; the rows follow at the next evaluation.
    await asHost(
      estate.url,
      `update governance_object_ownership set owner_gov_code = 'GOV-SIV'
       where object_type = 'collection' and object_ref = 'orders' and lifecycle_status = 'active'`,
    );
    await estate.gcos.snapshots.capture({ kind: 'scan' });
    const { plan, done } = await change(
      "update coverage_profile set ttl = ttl + interval '1 hour' where class_pattern = 'order%'",
    );
    expect(done.verdicts?.groups).toEqual({
      carried: Number(plan.groups.carried),
      dirtied: Number(plan.groups.dirtied),
    });
    expect(Number(plan.groups.total)).toBe(before.length);
    const after = (await groups(await now())).find(
      (row) => row.inventoryKey === moved.inventoryKey && row.scope === 'policy',
    );
    expect(after).toMatchObject({ dirty: true, groupKey: moved.groupKey });
    expect(done.verdicts?.findings).toBe(0);
  });
});
