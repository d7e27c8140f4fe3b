// Every signal type that GCOS registers is emitted by GCOS itself: one estate lives through a history in
// which each type has its cause, by commands, rounds of workers and scans. No signal and no finding is made
// by hand; time passes by moving stored times into the past.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Gcos, RequestedException } from '../../src/index.js';
import { readInventory } from '../../src/inventory/snapshot/index.js';
import { acquireLease, advance, runUnderLease } from '../../src/record/cursor/index.js';
import { announceFindings } from '../../src/work/announcement.js';
import { startCli } from '../support/cli.js';
import { asHost, ROLE_PASSWORD, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { evidence } from '../support/evidence.js';
import { capture } from '../support/inventory.js';
import { createPeople, type People } from '../support/people.js';
import { TestReceiver } from '../support/receiver.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { until } from '../support/wait.js';

const DAY = 86_400;
let estate: Estate;
let people: People;
/** GCOS with a read-only login, so that detectors run. */
let gcos: Gcos;
const host = (text: string) => asHost(estate.url, text);
const set = (key: string, value: unknown) =>
  host(
    `update governance_setting set setting_value = '${JSON.stringify(value)}' where setting_key = '${key}'`,
  );
const extend = (key: string, value: unknown) =>
  host(
    `update governance_setting set setting_value = setting_value || '${JSON.stringify(value)}' where setting_key = '${key}'`,
  );
const log = () => undefined;
const work = async (
  ...duties: ('intake' | 'scanner' | 'audit' | 'promoter' | 'feed' | 'relay' | 'supervisor')[]
) => {
  const done = await gcos.worker.once({ signal: new AbortController().signal, log, duties });
  expect(done.map(({ outcome }) => outcome)).toEqual(duties.map(() => 'done'));
};
const scan = (mode: 'full' | 'incremental') => gcos.scans.run({ mode });

/** Types that were caused so far, emitted or held. */
const caused = async (): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await host(
        `select event_type as type from event_outbox where event_domain = 'governance' and source_system = 'gcos'
         union select event_type_hint from event_pending where event_domain = 'governance' and capture_payload ->> 'source' = 'gcos'`,
      )
    ).map((row) => String(row['type'])),
  );
/** Fails if one of these types was not caused. */
async function expectCaused(...types: string[]): Promise<void> {
  const seen = await caused();
  expect(types.filter((type) => !seen.has(type))).toEqual([]);
}

const insertBirth = (code: string, collection = 'orders') =>
  host(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
     select '${code}', collection_name, species_code, composition_level, dot_origin, governance_role, 'born'
     from birth_registry where collection_name = '${collection}' and status = 'born' and species_code is not null limit 1`,
  );
const changeBirth = (code: string, what: string) =>
  host(`update birth_registry set ${what} where entity_code = '${code}'`);

beforeAll(async () => {
  estate = await createEstate('backfilled');
  people = createPeople(estate.url);
  gcos = await openAt(estate.url, {
    GCOS_READER_URL: urlFor(estate.url, { user: 'gcos_reader', password: ROLE_PASSWORD }),
  });
  await set('scan.pace', { debounce_ms: 0, at_once: 500, full_share: 1 });
  await set('worker.retry', { attempts: 2, base_seconds: 0.001, cap_seconds: 0.001 });
  await set('intake.window', { seconds: 0.001 });
  await set('intake.storm', { share: 1, seconds: 60, least: 1_000_000 });
});
afterAll(async () => {
  await gcos?.close();
  await people?.close();
  await estate?.close();
});

/** The history: its steps run in this order, on one estate. */
const history: { readonly step: string; readonly act: () => Promise<void> }[] = [];
const step = (name: string, act: () => Promise<void>) => history.push({ step: name, act });

step('a verdict that was deleted: a backfill does not close', async () => {
  await host(`delete from governance_candidate_state where row_id = (
    select row_id from governance_candidate_state s join governance_inventory i using (inventory_key)
    where i.source_registry = 'orders' and s.scope = 'audit' and s.row_state = 'active' order by row_id limit 1)`);
  await gcos.backfills.run({});
  await expectCaused('backfill.incomplete', 'schema.drift');
  await gcos.backfills.run({});
});

step(
  'the first full scan: gaps of every kind, detectors, a summary above the ceiling, and the ends of runs',
  async () => {
    // The login of the detectors may not read one registry.
    await host('revoke select on dot_tools from gcos_reader');
    await set('finding.ceiling', 5);
    await scan('full');
    await set('finding.ceiling', 200);
    await expectCaused(
      ...['backfill.sweep_completed', 'candidate.scan_completed', 'coverage.scan_completed'],
      ...['coverage.audit_completed', 'coverage.summary', 'ruleset.activated', 'handoff.ruleset_changed'],
      ...['coverage.orphan', 'coverage.anarchic_object', 'owner.gap', 'owner.conflict', 'island.detected'],
      ...['approval_path.gap', 'audit.gap', 'rollback.gap', 'dot_authority.gap', 'axis.unregistered'],
      ...['axis.owner_gap', 'classification_policy.unowned', 'exception.unratified', 'exception.expired'],
      ...['law_reference.gap', 'phantom.gap', 'direct_write.bypass', 'delegation.expired'],
      ...['measurement.violated', 'measurement.not_run', 'backfill.inventory_gap'],
    );
  },
);

step('a valid verdict that a full scan contradicts', async () => {
  await scan('incremental');
  await host(
    `update governance_candidate_object set coverage_outcome = 'covered' where row_id = (
       select min(row_id) from governance_candidate_object where coverage_outcome = 'orphan' and row_state = 'active' and not dirty)`,
  );
  await scan('full');
  await expectCaused('candidate.tampered');
});

step('types that hold signals', async () => {
  await work('intake', 'promoter');
  await expectCaused(
    'handoff.heartbeat',
    'handoff.unregistered_type',
    'issue_event.gap',
    'authority.expired',
  );
});

step('changes in the inventory, in registries and of owners', async () => {
  await insertBirth('SIGNAL-1');
  await host(`insert into registry_changelog (entity_type, entity_code, action, changed_by)
        values ('dot_tool', 'DOT-118', 'register', 'DOT-001');
      update birth_registry set status = 'retired'
        where id = (select min(id) from birth_registry where collection_name = 'payments' and status = 'born');
      update collection_registry set coverage_scope_status = 'FUTURE_SCOPE' where collection_name = 'venues';
      insert into event_outbox (event_domain, event_type, event_stream, delivery_lane, event_subject_table, event_subject_ref, canonical_address, actor_ref, source_system)
        values ('iu', 'published', 'iu', 'immediate', 'dot_tools', 'DOT-117', 'x', 'host', 'host');
      update normative_registry set title = title || '!' where law_code = (
        select min(r.rule_code) from governance_rule_reach r where r.rule_kind = 'law');
      insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, effective_from, effective_to)
        values ('dot_tool', 'DOT-118', 'health', 'accountable', 'GOV-SIV', now() - interval '1 day', null),
          ('dot_tool', 'DOT-118', 'health', 'delegated', 'GOV-DOT', now() - interval '1 day', now() + interval '1 day');
      update axis_registry set owner_gov_code = 'GOV-SIV' where axis_code = (
        select min(axis_code) from axis_registry where owner_gov_code is distinct from 'GOV-SIV')`);
  await work('intake');
  await host(`update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'DOT-118' and scope = 'health';
      update axis_registry set owner_gov_code = null where axis_code = (
        select min(axis_code) from axis_registry where owner_gov_code = 'GOV-SIV');
      update axis_registry set axis_family = 'a_new_family' where axis_code = (
        select min(a.axis_code) from axis_registry a join governance_inventory i using (object_class, axis_family))`);
  await work('intake');
  await expectCaused(
    ...['object_born', 'object_registered', 'object_retired', 'count_changed', 'collection_changed'].map(
      (kind) => `handoff.${kind}`,
    ),
    ...['handoff.source_changed', 'handoff.policy_changed', 'handoff.authority_changed'],
    ...['owner.assigned', 'owner.revoked', 'authority.delegated', 'authority.revoked'],
    ...['axis.owner_assigned', 'axis.owner_revoked', 'ruleset.drift'],
  );
  await putRulesIntoForce(gcos);
  await work('intake');
  await expectCaused('handoff.axis_introduced', 'finding.resolved');
});

step('bad input', async () => {
  for (let n = 1; n <= 8; n += 1) await insertBirth(`INPUT-${n}`);
  await changeBirth('INPUT-1', `entity_code = 'INPUT-8'`);
  await changeBirth('INPUT-2', `entity_code = 'INPUT-7', species_code = 'other'`);
  await changeBirth('INPUT-3', `born_at = '1970-01-01'`);
  await changeBirth('INPUT-4', `born_at = '2999-01-01'`);
  await changeBirth('INPUT-5', 'species_code = null');
  await changeBirth('INPUT-6', `dot_origin = 'NOBODY-KNOWS'`);
  await work('intake');
  await gcos.inputs.quarantine([{ collection: 'orders', code: 'SIGNAL-1' }], { reason: 'a test' });
  await work('intake');
  await scan('incremental');
  await expectCaused(
    ...[
      'incomplete',
      'invalid_schema',
      'duplicate',
      'conflict',
      'stale',
      'untrusted_source',
      'quarantined',
    ].map((state) => `input.${state}`),
  );
});

step('exceptions, from their grant to their end, and a pass with break-glass', async () => {
  const request = async (code: string): Promise<RequestedException> => {
    const requested = await gcos.exceptions.request(
      {
        subject: { kind: 'object', collection: 'dot_tools', code },
        scope: 'execution',
        link: 'rollback',
        seconds: 30 * DAY,
      },
      { reason: 'the rollback is being written', as: 'member-1' },
    );
    await gcos.requests.approve(requested.exception.approvalRef ?? '', { as: 'president' });
    return requested;
  };
  const [revoked, lapsed] = [await request('DOT-142'), await request('DOT-143')];
  await scan('incremental');
  await gcos.exceptions.revoke(revoked.exception.code, { reason: 'it exists', as: 'member-1' });
  await host(`alter table governance_request disable trigger governance_request_stays;
      update governance_exception set granted_at = granted_at - interval '31 days', expires_at = expires_at - interval '31 days'
      where exception_code = '${lapsed.exception.code}';
      update governance_request r set proposed_action = jsonb_set(r.proposed_action, '{exception}', gcos_exception_terms(e.subject_kind,
        e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link, e.expires_at, e.fingerprint))
      from governance_exception e where e.approval_ref = r.request_code and e.exception_code = '${lapsed.exception.code}';
      update approval_requests a set proposed_action = r.proposed_action from governance_request r where r.request_code = a.code;
      alter table governance_request enable trigger governance_request_stays`);
  await scan('incremental');
  const [onCall, chief] = [
    await people.person('on-call', 'member'),
    await people.person('chief', 'president'),
  ];
  const pass = await onCall.gcos.breakGlass.request(
    {
      subject: { kind: 'object', collection: 'dot_tools', code: 'DOT-141' },
      stage: 'prod',
      action: 'execute',
    },
    { reason: 'the payments are down' },
  );
  await chief.gcos.requests.approve(pass.pass.approvalRef);
  await work('supervisor');
  await expectCaused('exception.granted', 'exception.revoked', 'exception.lapsed', 'gate.break_glass');
});

step('verdicts that wait, a storm, snapshots that are gone or fail, and rules without an owner', async () => {
  await set('intake.storm', { share: 0.01, seconds: 60, least: 1 });
  await host(`insert into registry_changelog (entity_type, entity_code, action, changed_by)
      select distinct on (b.collection_name, b.status) b.collection_name, b.entity_code, 'update', 'DOT-001' from birth_registry b`);
  await work('intake');
  await set('intake.storm', { share: 1, seconds: 60, least: 1_000_000 });
  await host(`update governance_candidate_state c set stale_after = now() - interval '1 day', dirty = true,
        dirty_reason = 'handoff:policy_changed', dirtied_at = now() - interval '1 day', coverage_outcome = 'not_evaluated'
      from governance_inventory i
      where i.inventory_key = c.inventory_key and i.source_registry = 'orders' and c.row_state = 'active' and c.coverage_required;
      delete from evolution_snapshots where id in (
        select source_snapshot_ref from governance_candidate_object where entity_code = 'DOT-118')`);
  await work('scanner');
  await host(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$;
      create trigger refuse before insert on registry_changelog for each row
      when (new.entity_type = 'governance_snapshot') execute function refuse()`);
  await expect(gcos.snapshots.capture({ kind: 'scan' })).rejects.toThrow();
  await host('drop function refuse() cascade');
  // On a healthy server two readings do not differ, so the second one is replaced.
  const differing = capture(estate.db, {
    kind: 'full',
    secondReader: async (tx, map, options) => {
      const inventory = await readInventory(tx, map, options);
      const [first, ...rest] = inventory.groups;
      return first === undefined
        ? inventory
        : { ...inventory, groups: [{ ...first, h2: first.h2 + 1n }, ...rest] };
    },
  });
  await expect(differing).rejects.toMatchObject({ code: 'snapshot_nondeterministic' });
  await gcos.snapshots.capture({ kind: 'full' });
  await host(`update governance_registry set status = 'dormant' where code = 'GOV-COUNCIL'`);
  await gcos.rulesets.drift();
  await host(`update governance_registry set status = 'active' where code = 'GOV-COUNCIL'`);
  await gcos.rulesets.drift();
  await expectCaused(
    ...['candidate.stale', 'candidate.unknown', 'candidate.scan_lag', 'candidate.group_invalidation_storm'],
    ...['snapshot.ref_dangling', 'snapshot.capture_failed', 'snapshot.nondeterministic', 'ruleset.unowned'],
  );
});

step('webhooks whose receiver does not answer, or is gone', async () => {
  const [away, gone] = [await new TestReceiver().open(), await new TestReceiver().open()];
  await away.close();
  gone.answer = () => 410;
  for (const { url: location } of [away, gone])
    await estate.gcos.webhooks.add({ location, types: ['worker.*'], format: 'slack', allowPrivate: true });
  await work('feed', 'relay');
  await host("update gov_webhook set failing_since = failing_since - interval '2 hours'");
  await work('supervisor');
  await gone.close();
  await expectCaused('webhook.failing', 'webhook.disabled');
});

step('births that cannot be taken in, and an audit that is overdue', async () => {
  const poison = (...codes: string[]) =>
    host(`alter table governance_candidate_object drop constraint if exists injected;
        alter table governance_candidate_object add constraint injected
          check (entity_code <> all (array[${codes.map((code) => `'${code}'`).join(', ')}])) not valid`);
  await poison('POISON-1');
  await insertBirth('POISON-1', 'dot_tools');
  await work('intake');
  await work('intake');
  await host(`create function break_tool() returns trigger language plpgsql as $$
      begin
        if new.entity_code = 'DOT-119' then raise exception 'this object is broken'; end if;
        return new;
      end $$;
      create trigger break_tool before update of scan_time on governance_candidate_object for each row execute function break_tool();
      update governance_candidate_object set dirty = true, dirty_reason = 'authority', dirtied_at = now() - interval '1 minute'
      where entity_code = 'DOT-119' and row_state = 'active'`);
  await scan('incremental');
  await scan('incremental');
  await gcos.supervise();
  await host('drop function break_tool() cascade');
  await expectCaused('handoff.dlq', 'cursor.dlq');

  await poison('POISON-2', 'POISON-3');
  await insertBirth('POISON-2', 'dot_tools');
  await insertBirth('POISON-3', 'dot_tools');
  await gcos.backfills.run({});
  await gcos.backfills.run({});
  await expectCaused('backfill.batch_failed');
  await extend('worker.watch', { dead_letter_overflow: 1 });
  await host(`update candidate_scan_run set started_at = started_at - interval '60 hours'`);
  await gcos.supervise();
  await expectCaused('backfill.dlq_overflow', 'audit.overdue');
  await host('alter table governance_candidate_object drop constraint injected');
});

step('workers that are behind, killed, overtaken, or move back', async () => {
  await set('intake.pace', { near_ms: 20, wide_ms: 100, wide_most_ms: 200 });
  await extend('worker.watch', { lag_seconds: 0.05 });
  await extend('scan.pace', { debounce_ms: 600_000 });
  await extend('tail.limits', { round_rows: 20, backlog_rows: 20 });
  await host(
    `insert into birth_registry (entity_code, collection_name, status) select 'LAG-' || n, 'orders', 'born' from generate_series(1, 4000) n`,
  );
  const worker = startCli(['worker', 'run', '--port', 'off', '--quiet', '--only', 'intake,scanner'], {
    env: { DATABASE_URL: estate.url },
  });
  try {
    await until('both are behind', async () => {
      await gcos.supervise();
      const seen = await caused();
      return seen.has('handoff.lag') && seen.has('cursor.lag');
    });
  } finally {
    worker.child.kill('SIGKILL');
    await worker.done;
  }
  await extend('worker.watch', { silence_seconds: 0.01 });
  await gcos.supervise();
  await expectCaused('handoff.silent_gap', 'cursor.silent_gap');

  // A worker that works longer than its lease lasts, and one that moves its watermark back.
  const stop = new AbortController();
  const options = {
    db: estate.db,
    source: 'feed',
    announce: announceFindings,
    signal: stop.signal,
    restMs: 300,
    backoffMs: 5,
    onError: () => undefined,
  };
  let step = 0;
  const crab = runUnderLease({
    ...options,
    worker: 'crab',
    async work(lease) {
      const id = ['9', '10', '9', '11'][step] ?? '12';
      step += 1;
      await lease.work({ isolation: 'read committed' }, (tx) =>
        advance(tx, lease, 'main', { watermark: id }),
      );
      return { more: false };
    },
  });
  let rounds = 0;
  const rival = { worker: 'rival', source: 'feed', holder: 'the other', ttlMs: 60_000 };
  const slow = runUnderLease({
    ...options,
    worker: 'rival',
    ttlMs: 50,
    renewEveryMs: 60_000,
    async work(lease) {
      rounds += 1;
      if (rounds === 1) await until('the other has the lease', () => acquireLease(estate.db, rival));
      await lease.work({ isolation: 'read committed' }, (tx) => advance(tx, lease, 'main', {}));
      return { more: false };
    },
  });
  await until('both faults', async () => {
    const seen = await caused();
    return seen.has('cursor.lease_conflict') && seen.has('cursor.watermark_regression');
  });
  stop.abort();
  await Promise.all([crab, slow]);
});

step('no registered type is missing in the outbox, and every signal has an address', async () => {
  await gcos.events.activate(['*']);
  await gcos.promoteSignals();
  const registered = (
    await host(
      `select t.event_type as type from governance_signal_type t
         join event_type_registry r on r.event_domain = 'governance' and r.event_type = t.event_type order by 1`,
    )
  )
    .map((row) => row['type'])
    // Only a home has sources: test/source/whole-way.test.ts.
    .filter((type) => type !== 'source.failed');
  expect(registered.length).toBeGreaterThan(80);
  const emitted = await host(
    `select event_type as type, count(*)::int as n from event_outbox
       where event_domain = 'governance' and source_system = 'gcos' group by 1 order by 1`,
  );
  expect(emitted.map((row) => row['type'])).toEqual(registered);
  const total = emitted.reduce((sum, row) => sum + Number(row['n']), 0);
  evidence(`${registered.length} types, ${total} signals`);
  // Seed 41 §41.5: the subject and the payload of each family.
  const own = `event_domain = 'governance' and source_system = 'gcos' and event_subject_table <> 'governance_finding_type'`;
  expect(
    await host(
      `select split_part(event_type, '.', 1) as family, array_agg(distinct event_subject_table::text) as tables
       from event_outbox where ${own} and event_type ~ '^(backfill|input|candidate)\\.' group by 1 order by 1`,
    ),
  ).toEqual(
    ['backfill', 'candidate', 'input'].map((family) => ({ family, tables: ['governance_candidate_state'] })),
  );
  const lacking = (where: string, ...fields: string[]) =>
    host(
      `select distinct event_type from event_outbox
       where ${own} and ${where} and not safe_payload ?& array[${fields.map((each) => `'${each}'`).join(', ')}]`,
    );
  const isFinding = `safe_payload ? 'issue_id'`;
  expect(
    await lacking(
      `event_stream = 'governance.coverage' and ${isFinding}`,
      ...['gap_type', 'coalesce_anchor', 'proposed_action_code'],
    ),
  ).toEqual([]);
  expect(await lacking(`event_stream = 'governance.input'`, 'input_quality_state', 'source')).toEqual([]);
  expect(
    await lacking(
      `event_type in ('candidate.stale', 'candidate.unknown', 'candidate.scan_completed')`,
      ...['ruleset_version', 'source_snapshot_ref'],
    ),
  ).toEqual([]);
  // A finding is addressed by what it is about, and the end of a finding is not urgent.
  expect(
    await host(
      `select distinct event_type from event_outbox where event_domain = 'governance' and source_system = 'gcos'
           and event_subject_table in ('system_issues', 'governance_finding_key')`,
    ),
  ).toEqual([]);
  expect(
    await host(`select distinct event_severity from event_outbox where event_type = 'finding.resolved'`),
  ).toEqual([{ event_severity: 'low' }]);
});

it('every registered signal type is emitted by GCOS: no type is without a cause', async () => {
  for (const { step: name, act } of history) {
    const began = performance.now();
    await act();
    evidence(`${name}: ${Math.round(performance.now() - began)} ms`);
  }
}, 300_000);
