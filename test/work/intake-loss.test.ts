// The intake loses no change and processes none twice, even when it is killed, and it does not change
// birth_registry.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { evidence, some } from '../support/evidence.js';
import { createIntake, type IntakeEstate } from '../support/intake.js';
import { wrongGroupsOf } from '../support/tail.js';
import { until } from '../support/wait.js';
import { startWorkerProcess } from '../support/worker-process.js';

/** A small random generator: a seed gives the same choices on every machine. */
function choices(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const BIRTH_SHAPE = `
  select (select string_agg(concat_ws(' ', attname, atttypid::regtype, attnotnull), ',' order by attnum) from pg_attribute
      where attrelid = 'birth_registry'::regclass and attnum > 0 and not attisdropped) as columns,
    (select count(*)::int from pg_trigger where tgrelid = 'birth_registry'::regclass) as triggers,
    (select string_agg(indexrelid::regclass::text, ',' order by 1) from pg_index where indrelid = 'birth_registry'::regclass) as indexes,
    (select string_agg(conname, ',' order by 1) from pg_constraint where conrelid = 'birth_registry'::regclass) as constraints,
    (select relacl::text from pg_class where oid = 'birth_registry'::regclass) as rights`;

describe('the intake', () => {
  let h: IntakeEstate;
  const signals = async () =>
    (
      await h.host(
        `select count(*)::int as n from (
           select 1 from event_outbox where event_domain = 'governance' and event_type like 'handoff.%'
           union all select 1 from event_pending where event_domain = 'governance' and event_type_hint like 'handoff.%') s`,
      )
    )[0]?.['n'] as number;
  beforeEach(async () => {
    h = await createIntake();
    await h.host(
      `update governance_setting set setting_value = '{"near_ms": 20, "wide_ms": 150, "wide_most_ms": 300}' where setting_key = 'intake.pace'`,
    );
  });
  afterEach(() => h.close());

  it('changes no column, trigger, index, privilege or row of birth_registry', async () => {
    const before = await h.host(BIRTH_SHAPE);
    const rows = `select count(*)::int as n, md5(string_agg(b::text || xmin::text, '|' order by id)) as rows from birth_registry b`;
    const content = await h.host(rows);
    await h.host(
      `insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('dot_tool', 'DOT-117', 'update', 'DOT-001')`,
    );
    expect((await h.once()).lines).toBe(1);
    expect(await h.host(BIRTH_SHAPE)).toEqual(before);
    expect(await h.host(rows)).toEqual(content);
  });

  it('writes one signal per group, kind and window, held while its type is inactive; a replay marks again and writes none', async () => {
    await h.catchUp();
    const insert = (code: string) =>
      h.host(`insert into birth_registry (entity_code, collection_name, species_code, status)
        select '${code}-' || n, 'orders', (select species_code from birth_registry where collection_name = 'orders' and status = 'born' limit 1), 'born'
        from generate_series(1, 50) n returning id`);
    const [first] = await insert('SIG');
    const run = await h.once();
    const firstCount = await signals();
    expect(run.applied.signals).toMatchObject({ emitted: 0, held: 1 });
    const held = await h.host(
      `select capture_payload #>> '{payload,change_kind}' as kind, capture_payload::text as text from event_pending where event_type_hint = 'handoff.object_born' order by created_at desc limit 1`,
    );
    expect(JSON.stringify(held)).toContain('orders');
    // It counts the births of its group, whatever else the round saw.
    expect(JSON.parse(String(held[0]?.['text']))).toMatchObject({ payload: { count: 50 } });
    await insert('SIG2');
    const again = await h.once();
    // The two rounds may fall into different windows.
    expect(again.applied.signals.held + again.applied.signals.repeated).toBe(1);
    expect((await signals()) - firstCount).toBe(again.applied.signals.held);
    // In another window, there is a signal again.
    await h.host(
      `update governance_setting set setting_value = '{"seconds": 0.001}' where setting_key = 'intake.window'`,
    );
    await insert('SIG3');
    expect((await h.once()).applied.signals).toMatchObject({ held: 1, repeated: 0 });
    await h.host(
      `update governance_setting set setting_value = '{"seconds": 60}' where setting_key = 'intake.window'`,
    );
    const before = await signals();
    await h.catchUp();
    const replayed = await h.worker.intakes.replay({ id: BigInt(Number(first?.['id'])) });
    expect(replayed).toMatchObject({ groups: 1 });
    const marks = await h.marks();
    expect(marks.map((each) => each.registry)).toEqual(Array(6).fill('orders'));
    expect(await signals()).toBe(before);
    const twice = await h.worker.intakes.replay({ id: BigInt(Number(first?.['id'])) });
    expect(twice.applied).toMatchObject({ dirtied: 0, objects: 0 });
    expect(await h.marks()).toEqual(marks);
    const byTime = await h.worker.intakes.replay({ at: '2026-06-02T00:00:00Z' });
    expect(byTime.groups).toBeGreaterThan(0);
    expect(await signals()).toBe(before);
    expect(await wrongGroupsOf(h.estate.db)).toEqual([]);
  });

  it("counts GCOS's own rows but does not react to them: births of its findings, audit rows, signals", async () => {
    await h.once();
    await h.catchUp();
    const before = await signals();
    await h.host(`
      insert into birth_registry (entity_code, collection_name, status) values ('GCOS-00000001', 'system_issues', 'born');
      insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('governance_finding', 'x', 'raise', 'gcos:someone'), ('system_issue', 'GCOS-00000001', 'create', 'host');
      insert into event_outbox (event_domain, event_type, event_stream, delivery_lane, event_subject_table, event_subject_ref, canonical_address, actor_ref, source_system)
      values ('governance', 'handoff.object_born', 'governance.handoff', 'immediate', 'birth_registry', 'x', 'x', 'gcos', 'gcos')`);
    const run = await h.once();
    // The new group of the birth gets its row; the birth itself marks nothing.
    expect(run).toMatchObject({ births: 1, lines: 0 });
    expect(run.own).toBeGreaterThanOrEqual(4);
    expect(await h.marks()).toEqual([]);
    expect(await signals()).toBe(before + 1);
    expect(await wrongGroupsOf(h.estate.db)).toEqual([]);
    const [own] = await h.host(`select id from birth_registry where entity_code = 'GCOS-00000001'`);
    const again = await h.worker.intakes.replay({ id: BigInt(Number(own?.['id'])) });
    expect(again.groups).toBe(0);
    // The audit row of the replay is also GCOS's own.
    await h.once();
    expect(await h.marks()).toEqual([]);
  });

  it('seed 41 §41.11 test 4, no lost handoff: an intake that is killed repeatedly processes every change in between', async () => {
    // The intake reads GCOS's own rows before the test counts.
    await h.once();
    await h.once();
    const random = choices(41);
    const collections = ['orders', 'articles', 'payments', 'dot_tools', 'publishing_jobs'];
    let writing = true;
    let written = 0;
    let lines = 0;
    const [seen] = await h.host(
      `select sum(events_seen)::int as n from gov_worker_cursor where worker = 'intake' and round = 'changelog'`,
    );
    const [own] = await h.host(`select count(*)::int as n from registry_changelog`);
    const writer = (async () => {
      for (let n = 0; writing; n += 1) {
        const collection = collections[Math.floor(random() * collections.length)];
        await asHost(
          h.estate.url,
          `begin; insert into birth_registry (entity_code, collection_name, status, born_at) values ('KILL-${n}', '${collection}', 'born', now() - interval '${n % 9} days');
           insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('dot_tool', 'DOT-0${10 + (n % 80)}', 'update', 'DOT-001');
           ${n % 7 === 0 ? 'rollback' : 'commit'}`,
        );
        if (n % 7 !== 0) {
          written += 1;
          lines += 1;
        }
      }
    })();
    try {
      for (let kill = 0; kill < 4; kill += 1) {
        const process = startWorkerProcess({ url: h.estate.url, leaseTtlMs: 250 }, 'intake-process.mjs');
        await process.waitForState('near');
        await new Promise((resolve) => setTimeout(resolve, random() * 150));
        await process.end();
      }
    } finally {
      writing = false;
      await writer;
    }
    await until('the lease of the last process has expired', async () => h.once().then(() => true));
    expect(written).toBeGreaterThan(20);
    expect(await wrongGroupsOf(h.estate.db)).toEqual([]);
    const [after] = await h.host(
      `select sum(events_seen)::int as n from gov_worker_cursor where worker = 'intake' and round = 'changelog'`,
    );
    const [rows] = await h.host(`select count(*)::int as n from registry_changelog`);
    // The intake reads every line once: those of the writer and GCOS's own. It has not yet read the lines of
    // its last round.
    const all = Number(rows?.['n']) - Number(own?.['n']);
    expect(all).toBeGreaterThanOrEqual(lines);
    await h.once();
    const [end] = await h.host(
      `select sum(events_seen)::int as n from gov_worker_cursor where worker = 'intake' and round = 'changelog'`,
    );
    expect(Number(after?.['n'])).toBeLessThanOrEqual(Number(end?.['n']));
    expect(Number(end?.['n']) - Number(seen?.['n'])).toBe(all);
    const marked = new Set((await h.marks()).map((each) => each.registry));
    for (const each of collections) expect(marked).toContain(each);
    const missing = await h.host(
      `select b.entity_code from birth_registry b where b.collection_name = 'dot_tools' and b.entity_code like 'KILL-%'
         and not exists (select from governance_candidate_object o where o.collection_name = 'dot_tools' and o.entity_code = b.entity_code)`,
    );
    expect(missing).toEqual([]);
    evidence(`4 kills, ${some(written, 'birth')} written meanwhile, 0 missed`);
  });

  it('seed 41 §41.11 test 4, a poison signal is dead-lettered and visible, and the rest of its round is processed', async () => {
    await h.catchUp();
    await h.host(
      `alter table governance_candidate_object add constraint injected check (entity_code <> 'POISON-1') not valid;
       update governance_setting set setting_value = '{"attempts": 2, "base_seconds": 0.001, "cap_seconds": 0.001}' where setting_key = 'worker.retry'`,
    );
    await h.host(
      `insert into birth_registry (entity_code, collection_name, status) values ('POISON-0', 'dot_tools', 'born'), ('POISON-1', 'dot_tools', 'born'), ('POISON-2', 'dot_tools', 'born')`,
    );
    const run = await h.once();
    expect(run).toMatchObject({ births: 3, setAside: 1 });
    expect(
      await h.host(
        `select distinct entity_code from governance_candidate_object where entity_code like 'POISON-%' order by 1`,
      ),
    ).toEqual([{ entity_code: 'POISON-0' }, { entity_code: 'POISON-2' }]);
    await h.once();
    const { letters } = await h.estate.gcos.deadLetters.list({ origin: 'intake', limit: 10 });
    expect(letters).toHaveLength(1);
    evidence(`1 of 3 births set aside, dead letter ${letters[0]?.id}`);
    await h.estate.gcos.supervise();
    const open = async () =>
      h.host(
        `select issue_type from system_issues where issue_type = 'handoff_dlq' and status not in ('resolved', 'closed')`,
      );
    expect(await open()).toHaveLength(1);
    // The running and the set-aside counts add up to the independent recount.
    const difference = `select (select count(*) from birth_registry)::int - (select sum(member_count) from governance_inventory)::int as n`;
    expect(await h.host(difference)).toEqual([{ n: 1 }]);
    await h.host('alter table governance_candidate_object drop constraint injected');
    await h.estate.gcos.deadLetters.retry({ origin: 'intake' });
    await h.once();
    await h.once();
    expect(await h.host(difference)).toEqual([{ n: 0 }]);
    expect(
      await h.host(`select 1 as ok from governance_candidate_object where entity_code = 'POISON-1' limit 1`),
    ).toEqual([{ ok: 1 }]);
    await h.estate.gcos.supervise();
    expect(await open()).toEqual([]);
  });
});
