// Findings about the intake: each is raised when its problem occurs and resolved when the
// problem ends. Meanwhile no change in the host is lost.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import { supervise } from '../../src/work/supervision.js';
import { createIntake, type IntakeEstate } from '../support/intake.js';
import { setBirthsAside } from '../support/retry-rows.js';
import { until } from '../support/wait.js';
import { startWorkerProcess } from '../support/worker-process.js';

let h: IntakeEstate;
beforeEach(async () => {
  h = await createIntake();
});
afterEach(() => h?.close());

/** Status, evidence and subject of the findings of a type. */
const findings = (type: string) =>
  h.host(
    `select status, evidence_snapshot::text as evidence, entity_code from system_issues
     where issue_type = '${type}' and source_system = 'gcos' order by code`,
  );
const states = async (type: string) => (await findings(type)).map((row) => row['status']);
const set = (key: string, value: unknown) =>
  h.host(
    `update governance_setting set setting_value = '${JSON.stringify(value)}' where setting_key = '${key}'`,
  );
const insertBirths = (collection: string, ...codes: string[]) =>
  h.host(
    `insert into birth_registry (entity_code, collection_name, species_code, status)
     select c, '${collection}', (select species_code from birth_registry where collection_name = '${collection}' limit 1), 'born'
     from unnest(array[${codes.map((code) => `'${code}'`).join(', ')}]) c`,
  );
const rowsOf = (code: string) =>
  h.host(
    `select distinct candidate_verdict as verdict, dirty, evidence ->> 'withheld' as withheld from governance_candidate_object
     where entity_code = '${code}' and row_state = 'active' order by 1`,
  );
/** Runs the supervision as if `seconds` had passed. */
const superviseAfter = async (seconds: number) => {
  await h.estate.db.transaction({ isolation: 'read committed' }, async (tx) => {
    const now = await readServerTime(tx);
    const [row] = await h.host(`select (timestamptz '${now}' + interval '${seconds} seconds')::text as at`);
    await supervise(tx, { at: String(row?.['at']), runId: `watch-${seconds}` });
  });
};

it('group_invalidation_storm is open while more groups are marked than is plausible; births are then taken in without a verdict', async () => {
  await set('intake.storm', { share: 0.4, seconds: 60, least: 10 });
  await h.once();
  expect(await states('group_invalidation_storm')).not.toContain('open');
  await h.host(`insert into registry_changelog (entity_type, entity_code, action, changed_by)
    select distinct on (b.collection_name, b.status) b.collection_name, b.entity_code, 'update', 'DOT-001' from birth_registry b`);
  await h.once();
  const [storm] = await findings('group_invalidation_storm');
  expect(storm).toMatchObject({ status: 'open' });
  const [counted] = await h.host(
    `select count(*) filter (where dirty)::text as dirtied, count(*)::text as groups from governance_candidate_state where row_state <> 'superseded'`,
  );
  expect(JSON.parse(String(storm?.['evidence']))).toMatchObject({ facts: counted });
  await insertBirths('dot_tools', 'STORM-1', 'STORM-0');
  // One of the births failed before, and its retry is due.
  await h.host(setBirthsAside('intake', "entity_code = 'STORM-0'", { due: "now() - interval '1 minute'" }));
  const tried = `select completed_at is not null as tried from gov_worker_retry where worker = 'intake' and failed_ref = (select id::text from birth_registry where entity_code = 'STORM-0')`;
  expect(await h.once()).toMatchObject({ births: 2, setAside: 0 });
  expect(await h.host(tried)).toEqual([{ tried: false }]);
  expect(await rowsOf('STORM-1')).toEqual([
    { verdict: 'unknown', dirty: true, withheld: 'group_invalidation_storm' },
  ]);
  expect(await states('group_invalidation_storm')).toEqual(['open']);
  // As if the window had passed.
  for (const table of ['governance_candidate_state', 'governance_candidate_object'])
    await h.host(`update ${table} set dirtied_at = dirtied_at - interval '61 seconds' where dirty`);
  await insertBirths('dot_tools', 'STORM-2');
  await h.once();
  expect(await states('group_invalidation_storm')).toEqual(['resolved']);
  expect(await h.host(tried)).toEqual([{ tried: true }]);
  await set('intake.storm', { share: 0.5, seconds: 60, least: 100 });
  await insertBirths('dot_tools', 'STORM-3');
  await h.once();
  expect((await rowsOf('STORM-3')).map((row) => row['withheld'])).toEqual([null]);
});

it('a malformed birth raises a finding when it is taken in, and the finding is resolved when the birth is corrected', async () => {
  const open = () =>
    h.host(
      `select status, entity_code from system_issues where issue_type = 'input_invalid_schema' and entity_code = 'orders' and source_system = 'gcos'`,
    );
  expect(await open()).toEqual([]);
  await insertBirths('orders', 'BAD-1');
  await h.host(`update birth_registry set born_at = '2999-01-01' where entity_code = 'BAD-1'`);
  await h.once();
  expect(await open()).toEqual([{ status: 'open', entity_code: 'orders' }]);
  await h.host(`update birth_registry set born_at = now() where entity_code = 'BAD-1'`);
  await h.once();
  expect(await open()).toEqual([{ status: 'resolved', entity_code: 'orders' }]);
  await h.estate.gcos.inputs.quarantine([{ collection: 'orders', code: 'BAD-1' }], { reason: 'test' });
  await h.once();
  const aside = `select status from system_issues where issue_type = 'input_quarantined' and entity_code = 'orders'`;
  expect(await h.host(aside)).toEqual([{ status: 'open' }]);
  await h.estate.gcos.inputs.release([{ collection: 'orders', code: 'BAD-1' }]);
  await h.once();
  expect(await h.host(aside)).toEqual([{ status: 'resolved' }]);
});

it('a birth with a different defect than before raises another finding, and the former one is resolved', async () => {
  const causes = async () =>
    (
      await h.host(
        `select concat_ws(' ', evidence_snapshot -> 'facts' ->> 'cause', status) as cause from system_issues
         where issue_type = 'input_incomplete' and entity_code = 'categories' and source_system = 'gcos' order by 1`,
      )
    ).map((row) => row['cause']);
  await h.host(
    `update governance_input_contract set required_fields = '{governance_role,status}' where collection_name = 'categories'`,
  );
  await insertBirths('categories', 'BAD-2');
  await h.once();
  expect(await causes()).toEqual(['missing:governance_role open']);
  await h.host(
    `update birth_registry set governance_role = 'observed', status = '' where entity_code = 'BAD-2'`,
  );
  await h.once();
  expect(await causes()).toEqual(['missing:governance_role resolved', 'missing:status open']);
});

it('the next closing run detects a duplicate key in a class that inherits, after the intake has taken it in', async () => {
  await insertBirths('bookings', 'TWICE-1');
  await h.once();
  await insertBirths('bookings', 'TWICE-1');
  await h.once();
  await h.estate.gcos.backfills.run();
  expect(
    await h.host(
      `select input_state from governance_input_state where entity_code = 'TWICE-1' and cured_at is null`,
    ),
  ).toEqual([{ input_state: 'duplicate' }]);
});

it('handoff.heartbeat is emitted once per interval, with or without changes', async () => {
  const beats = async () =>
    (
      await h.host(
        `select count(*)::int as n from event_pending where event_type_hint = 'handoff.heartbeat' and event_domain = 'governance'`,
      )
    )[0]?.['n'];
  await set('intake.heartbeat', { seconds: 86_400 });
  await h.once();
  const before = await beats();
  await h.once();
  expect(await beats()).toBe(before);
  await set('intake.heartbeat', { seconds: 0.001 });
  await h.once();
  expect(await beats()).toBe(Number(before) + 1);
  const [last] = await h.host(
    `select capture_payload::text as text from event_pending where event_type_hint = 'handoff.heartbeat' order by created_at desc limit 1`,
  );
  expect(last?.['text']).toContain('"births"');
});

it('handoff_unregistered_type is open only while a signal is held because its type is inactive', async () => {
  await insertBirths('orders', 'TYPE-1');
  await h.once();
  await h.estate.gcos.promoteSignals();
  const of = async (type: string) =>
    (await findings('handoff_unregistered_type')).filter((row) => row['entity_code'] === type);
  expect(await of('handoff.object_born')).toMatchObject([{ status: 'open' }]);
  await h.estate.gcos.events.activate(['handoff.*']);
  await h.estate.gcos.promoteSignals();
  expect(await of('handoff.object_born')).toMatchObject([{ status: 'resolved' }]);
});

it('the intake does not react to signals of GCOS itself: no line, no mark, no signal, no finding', async () => {
  await h.estate.gcos.events.activate(['handoff.*']);
  const signalCount = `select count(*)::int as n from event_outbox where event_domain = 'governance'`;
  await insertBirths('orders', 'OWN-1');
  await set('intake.window', { seconds: 0.001 });
  const run = await h.once();
  expect(run.applied.signals.emitted).toBeGreaterThan(0);
  await set('intake.window', { seconds: 60 });
  // The marks are not cleared in between: that would also clear a mark that the signals caused.
  const marked = await h.marks();
  const before = [await h.host(signalCount), await h.host('select count(*)::int as n from system_issues')];
  const after = await h.once();
  expect(after).toMatchObject({ births: 0, lines: 0, applied: { changes: 0, dirtied: 0 } });
  expect(run.lines).toBe(0);
  // The wide round of the first run may already have read them.
  expect(run.own + after.own).toBeGreaterThanOrEqual(run.applied.signals.emitted);
  expect(await h.marks()).toEqual(marked);
  expect([await h.host(signalCount), await h.host('select count(*)::int as n from system_issues')]).toEqual(
    before,
  );
  await h.catchUp();
  // The same event of another domain counts as a line and marks groups.
  await h.host(
    `insert into event_outbox (event_domain, event_type, event_stream, delivery_lane, event_subject_table, event_subject_ref, canonical_address, actor_ref, source_system)
     values ('iu', 'published', 'iu', 'immediate', 'dot_tools', 'DOT-117', 'x', 'host', 'host')`,
  );
  expect((await h.once()).lines).toBe(1);
  expect((await h.marks()).length).toBeGreaterThan(0);
});

it('handoff_lag is raised for an intake that cannot keep up, handoff_silent_gap for one that is killed; both are resolved once an intake works again', async () => {
  await set('intake.pace', { near_ms: 20, wide_ms: 100, wide_most_ms: 200 });
  const watched = { stall_seconds: 900, quiet_seconds: 600, dead_letter_overflow: 100 };
  await set('worker.watch', { ...watched, silence_seconds: 120, lag_seconds: 0.05 });
  const limits = await h.host(
    `select setting_value::text as v from governance_setting where setting_key = 'tail.limits'`,
  );
  expect(limits).toHaveLength(1);
  await set('tail.limits', { ...JSON.parse(String(limits[0]?.['v'])), round_rows: 20, backlog_rows: 20 });
  await h.host(
    `insert into birth_registry (entity_code, collection_name, status) select 'LAG-' || n, 'orders', 'born' from generate_series(1, 4000) n`,
  );
  const late = startWorkerProcess({ url: h.workerUrl, leaseTtlMs: 1_000 }, 'intake-process.mjs');
  try {
    await until('handoff_lag is open', async () => {
      await superviseAfter(0);
      return (await states('handoff_lag')).includes('open');
    });
  } finally {
    await late.end();
  }
  await superviseAfter(150);
  expect(await states('handoff_silent_gap')).toEqual(['open']);
  await set('tail.limits', JSON.parse(String(limits[0]?.['v'])));
  await set('worker.watch', { ...watched, silence_seconds: 120, lag_seconds: 300 });
  const next = startWorkerProcess({ url: h.workerUrl, leaseTtlMs: 1_000 }, 'intake-process.mjs');
  try {
    await until('both are resolved', async () => {
      await superviseAfter(0);
      const open = [...(await states('handoff_lag')), ...(await states('handoff_silent_gap'))];
      return open.every((state) => state === 'resolved');
    });
  } finally {
    await next.end();
  }
});
