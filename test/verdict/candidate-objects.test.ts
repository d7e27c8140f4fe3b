// Which objects have rows of their own, under which keys, and what happens to the rows of deleted objects.
// Every test rolls back or uses an estate of its own.
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  evaluateGroups,
  materializeObjects,
  readHistory,
  readRules,
  reconcileIndependentRows,
  reconcileObjectRows,
  reviseObjects,
} from '../../src/verdict/candidate/index.js';
import {
  decidedBy,
  estate,
  groupsOf,
  host,
  inside,
  later,
  NOTHING,
  objectOf,
  passOver,
  SCOPES,
  stamp,
  useJudged,
} from '../support/candidate.js';
import { asHost, rowsIn } from '../support/database.js';
import { createEstate } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';

useJudged();

describe('seed 40 §40.10 test 3: object materialization is selective', () => {
  it('an object has rows only while one of five reasons applies, each reached by commands and the worker', async () => {
    const own = await createEstate('scanned');
    onTestFinished(() => own.close());
    const { gcos } = own;
    const sql = (text: string) => asHost(own.url, text);
    const follow = async () => {
      await gcos.intakes.once();
      await gcos.scans.run({ mode: 'incremental' });
    };
    /** The number of objects with rows, by reason. */
    const held = async () =>
      Object.fromEntries(
        (
          await sql(
            `select r.reason, count(distinct o.object_key)::int as n from governance_candidate_object o, unnest(o.reasons) r(reason)
             where o.row_state = 'active' group by 1`,
          )
        ).map((row) => [row['reason'], row['n']]),
      );
    /** Reasons of rows without a cause in the tables of the host, of exceptions, findings and the gate. */
    const unfounded = () =>
      sql(
        `select o.collection_name, o.entity_code, o.scope, r.reason
         from governance_candidate_object o join governance_inventory i using (inventory_key), unnest(o.reasons) r(reason)
         where o.row_state = 'active' and case r.reason
           when 'input' then o.input_quality_state is null and not exists (select from governance_input_state s where s.subject_key = o.object_key)
           when 'independent' then i.inherits and o.birth_id is not null and not exists (
             select from governance_object_ownership w where w.object_type = i.object_class and w.object_ref = o.entity_code and w.lifecycle_status = 'active')
           when 'exception' then not i.inherits or not exists (
             select from governance_exception_in_force(now()) x where x.subject_kind = 'object' and x.collection_name = o.collection_name and x.entity_code = o.entity_code)
           when 'open_finding' then not i.inherits or not exists (
             select from system_issues s where s.source_system = 'gcos' and s.status = 'open' and s.entity_type = i.object_class and s.entity_code = o.entity_code)
           when 'high_risk_write' then not i.inherits or o.risk_class <> 'write_high' or not exists (
             select from governance_gate_decision d where d.collection_name = o.collection_name and d.entity_code = o.entity_code
               and d.stage = 'prod' and d.action <> 'read' and d.decided_at > now() - interval '24 hours')
         end`,
      );
    const code = async (collection: string) =>
      String(
        (
          await sql(
            `select min(entity_code) as code from birth_registry b where collection_name = '${collection}' and status = 'born' and not exists (
               select from governance_candidate_object o where o.collection_name = b.collection_name and o.entity_code = b.entity_code)`,
          )
        )[0]?.['code'],
      );
    const before = await held();
    expect(Object.keys(before).sort()).toEqual(['independent', 'input']);
    expect(await unfounded()).toEqual([]);
    const [order, article, contract] = [
      await code('orders'),
      await code('articles'),
      await code('contracts'),
    ];
    const requested = await gcos.exceptions.request(
      { subject: { kind: 'object', collection: 'orders', code: order }, scope: 'execution', seconds: 3_600 },
      { reason: 'test', as: 'member-1' },
    );
    await gcos.requests.approve(requested.exception.approvalRef ?? '', { as: 'president' });
    // The host logs a change outside the declared path; GCOS raises the finding.
    await sql(
      `insert into registry_changelog (entity_type, entity_code, action, "timestamp", alert_level, resolved, changed_by)
       values ('article', '${article}', 'direct_update', now(), 'critical', false, 'postgres')`,
    );
    await gcos.gates.check([{ collection: 'contracts', code: contract, action: 'execute' }]);
    await follow();
    const during = await held();
    expect(during).toEqual({ ...before, exception: 1, open_finding: 1, high_risk_write: 1 });
    expect(await unfounded()).toEqual([]);
    const [counts] = await sql(
      `select count(distinct object_key)::int as objects, (select count(*)::int from birth_registry) as births,
         count(*) filter (where weight = 1 and i.inherits)::int as counted_twice
       from governance_candidate_object o join governance_inventory i using (inventory_key) where row_state = 'active'`,
    );
    expect(counts?.['counted_twice']).toBe(0);
    expect(Number(counts?.['objects'])).toBeLessThan(Number(counts?.['births']) / 10);
    evidence(
      `${some(Number(counts?.['objects']), 'object')} with rows of ${some(Number(counts?.['births']), 'birth')}: ${Object.entries(
        during,
      )
        .map(([reason, n]) => `${reason} ${n}`)
        .sort()
        .join(', ')}`,
    );
    // Every reason that began with a command ends with one, or with its time.
    await gcos.exceptions.revoke(requested.exception.code, { reason: 'test', as: 'member-1' });
    await sql(`update registry_changelog set resolved = true where entity_code = '${article}'`);
    await sql(`update governance_consulted_object set asked_at = asked_at - interval '25 hours'`);
    await follow();
    expect(await held()).toEqual(before);
    const full = await gcos.scans.run({ mode: 'full' });
    expect(full.ledger?.closes).toBe(true);
    expect(await held()).toEqual(before);
  });

  it('retires a row when its last reason lapses, and reactivates the same row later', () =>
    inside(async (tx) => {
      const [view, tool] = [
        { collection: 'saved_views', code: 'SV-000008' },
        { collection: 'dot_tools', code: 'DOT-117' },
      ];
      const own = async ({ collection, code } = view) => (await objectOf(tx, collection, code))[0];
      /** Evaluates both objects again, as a run does, under the current rules and references. */
      const evaluate = async () => {
        const options = { ...stamp, rules: await readRules(tx) };
        await reviseObjects(tx, [view, tool], options);
        await reconcileIndependentRows(tx, options);
      };
      const setBornAt = (time: string) =>
        host(
          tx,
          `update birth_registry set born_at = '${time}' where entity_code in ('SV-000008', 'DOT-117')`,
        );
      expect(await own()).toBeUndefined();
      // A private view gets an owner, and its birth is older than the limit.
      await host(
        tx,
        `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code)
         values ('saved_view', 'SV-000008', 'policy', 'accountable', 'GOV-SIV')`,
      );
      await setBornAt('1970-01-01');
      await evaluate();
      const row = await own();
      expect(row).toMatchObject({ reasons: ['input', 'independent'], rowState: 'active' });
      await setBornAt('2026-05-01');
      await evaluate();
      expect(await own()).toMatchObject({
        reasons: ['independent'],
        materializationReason: 'independent',
        rowState: 'active',
      });
      // The tool keeps its row, because it counts by itself.
      expect(await own(tool)).toMatchObject({ reasons: ['independent'], rowState: 'active' });
      await host(tx, "delete from governance_object_ownership where object_ref = 'SV-000008'");
      await evaluate();
      expect(await own()).toMatchObject({ rowState: 'retired', weight: 0 });
      await setBornAt('1970-01-01');
      await evaluate();
      expect(await own()).toMatchObject({ reasons: ['input'], rowState: 'active', rowId: row?.rowId });
      expect(await own(tool)).toMatchObject({ reasons: ['input', 'independent'], rowState: 'active' });
    }));

  it('a corrected birth is represented by its group again', () =>
    inside(async (tx) => {
      await host(
        tx,
        `update birth_registry set born_at = '2026-05-01T00:00:00Z' where entity_code = 'A-19700101';
         delete from birth_registry where entity_code = 'A-99101' and id > (select min(id) from birth_registry where entity_code = 'A-99101');
         update dot_tools set status = status where dot_code = 'DOT-030';
         delete from birth_registry where entity_code = 'DOT-030' and id > (select min(id) from birth_registry where entity_code = 'DOT-030')`,
      );
      await passOver(tx);
      expect((await objectOf(tx, 'articles', 'A-19700101'))[0]).toMatchObject({
        rowState: 'retired',
        weight: 0,
      });
      expect((await objectOf(tx, 'articles', 'A-99101'))[0]).toMatchObject({
        rowState: 'retired',
        weight: 0,
      });
      expect((await objectOf(tx, 'dot_tools', 'DOT-030'))[0]).toMatchObject({
        rowState: 'active',
        reasons: ['independent'],
        inputQualityState: null,
        weight: 1,
      });
      expect(await passOver(tx)).toEqual(NOTHING);
    }));

  it('an object born again with valid input is represented by its group, not by its tombstone', () =>
    inside(async (tx) => {
      const own = async () => (await objectOf(tx, 'articles', 'A-19700101'))[0];
      await host(
        tx,
        "create temp table kept on commit drop as select * from birth_registry where entity_code = 'A-19700101'; delete from birth_registry where entity_code = 'A-19700101'",
      );
      await passOver(tx);
      expect(await own()).toMatchObject({ rowState: 'retired', evidence: { source_row_gone: true } });
      await host(
        tx,
        "update kept set born_at = '2026-05-01T00:00:00Z'; insert into birth_registry select * from kept",
      );
      const options = { ...stamp, rules: await readRules(tx) };
      await reviseObjects(tx, [{ collection: 'articles', code: 'A-19700101' }], options);
      expect(await own()).toMatchObject({ rowState: 'retired', weight: 0 });
      expect((await own())?.evidence).not.toHaveProperty('source_row_gone');
    }));
});

describe('seed 40 §40.10 test 7: idempotency under live data', () => {
  it('keys are unique and stable in all registries, and a replay writes nothing', () =>
    inside(async (tx) => {
      await host(
        tx,
        `do $$ begin
          assert (select count(distinct gcos_object_key(collection_name, entity_code)) = count(distinct (collection_name, entity_code))
            from birth_registry), 'keys';
          assert gcos_object_key('articles', 'archive/2025:A-1') <> gcos_object_key('articles:archive/2025', 'A-1'), 'joined';
          assert gcos_object_key('1', '2:3') <> gcos_object_key('12', ':3'), 'lengths';
        end $$`,
      );
      expect(await passOver(tx)).toEqual(NOTHING);
      expect(await passOver(tx)).toEqual(NOTHING);
      evidence('two replays of everything: 0 rows inserted, 0 changed');
    }));

  it('the result does not depend on the order in which births are evaluated', () =>
    inside(async (tx) => {
      const state = async () =>
        (await objectOf(tx, 'dot_tools', 'DOT-030')).map((row) => [row.birthId, row.candidateVerdict]);
      const before = await state();
      const [birth] = await asHost(
        estate.url,
        "select max(id)::text as id from birth_registry where collection_name = 'dot_tools' and entity_code = 'DOT-030'",
      );
      const id = BigInt(birth?.['id'] as string);
      await materializeObjects(tx, { ...(await decidedBy(tx)), of: { first: id, last: id } });
      await materializeObjects(tx, { ...(await decidedBy(tx)), of: { ids: [id] } });
      expect(await state()).toEqual(before);
      // The birth with the lowest id counts, even when only a later one has been evaluated so far.
      await host(
        tx,
        `insert into birth_registry (id, entity_code, collection_name, species_code, status) values
           (50000001, 'DOT-TWICE', 'dot_tools', 'SP-TOOL', 'born'), (50000002, 'DOT-TWICE', 'dot_tools', 'SP-TOOL', 'retired')`,
      );
      const twice = async (...ids: bigint[]) => {
        await materializeObjects(tx, { ...(await decidedBy(tx)), of: { ids } });
        const rows = await objectOf(tx, 'dot_tools', 'DOT-TWICE');
        return rows.map((row) => [row.birthId, row.lifecycleStatus].join(' '));
      };
      const [high, low] = [Array(SCOPES).fill('50000002 retired'), Array(SCOPES).fill('50000001 born')];
      expect(await twice(50000002n)).toEqual(high);
      expect(await twice(50000001n)).toEqual(low);
      expect(await twice(50000002n)).toEqual(low);
      expect(await twice(50000001n, 50000002n)).toEqual(low);
    }));
});

describe('seed 40 §40.10 test 8: retire is a reversible tombstone', () => {
  it('a deleted object keeps its row, and a new birth reactivates it', () =>
    inside(async (tx) => {
      const [before] = await objectOf(tx, 'dot_tools', 'DOT-117');
      await host(
        tx,
        "create temporary table kept on commit drop as select * from birth_registry where entity_code = 'DOT-117'",
      );
      await host(
        tx,
        "delete from birth_registry where entity_code = 'DOT-117'; delete from dot_tools where dot_code = 'DOT-117'",
      );
      expect(await passOver(tx)).toMatchObject({ tombstones: 1, inserted: 0 });
      const [gone] = await objectOf(tx, 'dot_tools', 'DOT-117');
      expect(gone).toMatchObject({
        rowId: before?.rowId,
        rowState: 'retired',
        candidateVerdict: 'retired',
        evidence: { source_row_gone: true },
        weight: 1,
        valid: true,
      });
      expect(await passOver(tx)).toEqual(NOTHING);
      // A tombstone expires like any other verdict, and the next evaluation renews it.
      expect((await passOver(tx, later(400 * 86_400)))['tombstones']).toBe(1);
      await host(tx, 'update kept set id = id + 10000000; insert into birth_registry select * from kept');
      await passOver(tx);
      const [back] = await objectOf(tx, 'dot_tools', 'DOT-117');
      expect(back).toMatchObject({
        rowId: before?.rowId,
        rowState: 'active',
        verdictLine: 6,
        evidence: { listed: false },
      });
      evidence(`row ${before?.rowId} of DOT-117: active, retired, active`);
      const history = await readHistory(tx, [before?.rowId ?? 0n]);
      expect(history.map((row) => [row.verdictBefore, row.verdictAfter, row.cause]).reverse()).toEqual([
        [null, before?.candidateVerdict, 'evaluation'],
        [before?.candidateVerdict, 'retired', 'source_row_gone'],
        ['retired', 'unknown', 'evaluation'],
      ]);
    }));

  it('a group without members is retired, and becomes active again when members return', () =>
    inside(async (tx) => {
      const setMemberCount = (n: number) =>
        host(
          tx,
          `update governance_inventory set member_count = ${n}, recompute_needed = false where source_registry = 'tags'`,
        );
      await setMemberCount(0);
      await evaluateGroups(tx, await decidedBy(tx));
      const gone = await groupsOf(tx, 'tags');
      expect(gone[0]).toMatchObject({
        rowState: 'retired',
        candidateVerdict: 'retired',
        evidence: { source_row_gone: true },
      });
      await setMemberCount(5);
      await evaluateGroups(tx, await decidedBy(tx));
      const back = await groupsOf(tx, 'tags');
      expect(back.map((row) => [row.rowId, row.rowState, row.candidateVerdict])).toEqual(
        gone.map((row) => [row.rowId, 'active', 'not_relevant']),
      );
    }));
});

describe('the rows of deleted objects', () => {
  it('end the same, in however many ranges they are read', async () => {
    const buried: string[][] = [];
    for (const parts of [1, 9])
      await inside(async (tx) => {
        await host(tx, `delete from birth_registry where collection_name = 'dot_tools' and id % 3 = 0`);
        const { tombstones } = await reconcileObjectRows(tx, { ...(await decidedBy(tx)), parts });
        const rows = await rowsIn(
          tx,
          `select distinct entity_code as code from governance_candidate_object
           where row_state = 'retired' and evidence ? 'source_row_gone' and collection_name = 'dot_tools' order by 1`,
        );
        expect(tombstones).toBeGreaterThan(20);
        expect(rows.length).toBeGreaterThanOrEqual(tombstones);
        buried.push(rows.map((row) => String(row['code'])));
      });
    expect(buried[1]).toEqual(buried[0]);
  });
});
