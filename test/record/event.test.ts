// Signals: emitted only with an active type, metadata only, in order per subject, in one domain, none lost.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { Events, emitSignals, promoteBatch, signalTypes } from '../../src/record/event/index.js';
import { asHost, openDatabase, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { countOf, emitNow, mapTester, outbox, signalOf } from '../support/events.js';
import { evidence, some } from '../support/evidence.js';

const RC = { isolation: 'read committed' } as const;

describe('signals', () => {
  let estate: Estate;
  let db: Database;
  let events: Events;
  /** Acts as a person; `events` personEvents as the worker. */
  let personEvents: Events;
  beforeEach(async () => {
    estate = await createEstate('installed');
    await mapTester(estate.url);
    personEvents = estate.gcos.events;
    db = openDatabase(urlAs(estate.url, 'worker'));
    events = new Events(db, estate.gcos.installation);
  });
  afterEach(async () => {
    await db.close();
    await estate.close();
  });
  const promote = () => events.promote();
  const refs = async (where?: string) =>
    (await outbox(estate.url, where)).map((row) => row['event_subject_ref']);

  it('are emitted only once their type is registered and active', async () => {
    const emission = await emitNow(db, [
      signalOf('coverage.orphan', 'A'),
      signalOf('coverage.never_registered', 'A'),
    ]);
    expect(emission).toEqual({ emitted: 0, held: 2, repeated: 0 });
    expect(await outbox(estate.url)).toEqual([]);
    // The held types and the reasons, from which the layer above raises issue_event_gap.
    expect(await promote()).toMatchObject({
      promoted: 0,
      failed: 0,
      deadLettered: 0,
      remaining: 2,
      undelivered: 0,
      deliveryError: null,
      heldTypes: [
        { type: 'coverage.never_registered', registered: false, active: false, count: 1, deadLettered: 0 },
        { type: 'coverage.orphan', registered: true, active: false, count: 1, deadLettered: 0 },
      ],
    });
    expect(await personEvents.activate(['coverage.orphan'])).toEqual(['coverage.orphan']);
    expect(await promote()).toMatchObject({ promoted: 1, remaining: 1 });
    expect((await outbox(estate.url)).map((row) => row['event_type'])).toEqual(['coverage.orphan']);
    expect(await emitNow(db, [signalOf('coverage.orphan', 'B')])).toMatchObject({
      emitted: 1,
      held: 0,
    });
    await personEvents.deactivate(['coverage.orphan']);
    expect(await emitNow(db, [signalOf('coverage.orphan', 'C')])).toMatchObject({
      emitted: 0,
      held: 1,
    });
  });

  it('carry safe metadata only', async () => {
    await personEvents.activate(['handoff.*']);
    await emitNow(db, [
      signalOf('handoff.object_born', 'DOT-1', {
        payload: { object_type: 'dot_tool', collection_name: 'dot_tools', count: 12n, scope: undefined },
        severity: 'high',
        correlationId: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
      }),
    ]);
    const [row] = await outbox(estate.url);
    expect(row).toMatchObject({
      event_type: 'handoff.object_born',
      canonical_address: 'birth_registry:DOT-1',
      payload_classification: 'safe_metadata',
      source_system: 'gcos',
      actor_ref: 'gcos_worker',
      safe_payload: { object_type: 'dot_tool', collection_name: 'dot_tools', count: '12' },
    });
    const unsafe = `(payload_classification <> 'safe_metadata' or source_system <> 'gcos')`;
    expect(await outbox(estate.url, unsafe)).toEqual([]);
  });

  it('seed 41 §41.11 test 8, one domain: every signal type is in the domain governance, and only there', async () => {
    const rows = await asHost(
      estate.url,
      'select event_domain, count(*)::int as n, count(*) filter (where active)::int as active from event_type_registry group by 1 order by 1',
    );
    expect(rows.map((row) => row['event_domain'])).toEqual([
      'governance',
      'iu',
      'mother',
      'piece',
      'staging',
      'system',
    ]);
    expect(rows[0]).toMatchObject({ n: signalTypes.length, active: 0 });
    evidence(`${some(signalTypes.length, 'type')} in the domain governance, none in another domain`);
    const elsewhere = rows.slice(1).map((row) => row['active']);
    await personEvents.activate(['*']);
    await personEvents.deactivate(['*']);
    const after = await asHost(
      estate.url,
      "select count(*) filter (where active)::int as active from event_type_registry where event_domain <> 'governance' group by event_domain order by event_domain",
    );
    expect(after.map((row) => row['active'])).toEqual(elsewhere);
    expect(signalTypes).toHaveLength(85);
    expect(new Set(signalTypes.map((each) => each.type)).size).toBe(signalTypes.length);
  });

  it('write an audit row when a type is registered or switched; gcos.retry.* cannot be registered', async () => {
    const type = { type: 'coverage.licence_gap', stream: 'governance.coverage', severity: 'medium' } as const;
    expect(await personEvents.register({ ...type, description: 'a licence is missing' })).toBe(true);
    expect(await personEvents.register({ ...type, description: 'something else' })).toBe(false);
    await personEvents.activate(['coverage.licence_*']);
    await personEvents.activate(['coverage.licence_*']);
    await personEvents.deactivate(['coverage.licence_gap']);
    const audit = await asHost(
      estate.url,
      `select action, changed_by from registry_changelog
       where entity_type = 'governance_event_type' and alert_detail like '%licence_gap%' order by id`,
    );
    expect(audit.map((row) => [row['action'], row['changed_by']])).toEqual(
      ['register', 'activate', 'deactivate'].map((action) => [action, 'gcos:postgres for tester']),
    );
    for (const name of ['gcos.retry.intake', 'Coverage.X', 'plain', 'a..b'])
      await expect(personEvents.register({ ...type, type: name, description: 'x' })).rejects.toMatchObject({
        code: 'event_type_invalid',
        exit: 3,
      });
    await expect(
      asHost(
        estate.url,
        "select gcos_register_types(array['gcos.retry.x'], array['s'], array['low'], array['d'], array[false])",
      ),
    ).rejects.toMatchObject({ code: '22023' });
    await expect(personEvents.activate(['nothing.*'])).rejects.toMatchObject({
      code: 'event_type_unknown',
      exit: 3,
    });
    await asHost(estate.url, "delete from event_type_registry where event_type = 'coverage.licence_gap'");
  });

  it('keep their order per subject: later signals wait while an earlier one is held', async () => {
    const type = 'handoff.count_changed';
    await emitNow(db, [signalOf(type, 'S', { payload: { count: 1 } }), signalOf(type, 'T')]);
    await personEvents.activate([type]);
    expect(await emitNow(db, [signalOf(type, 'S', { payload: { count: 2 } }), signalOf(type, 'U')])).toEqual({
      emitted: 1,
      held: 1,
      repeated: 0,
    });
    expect(await refs()).toEqual(['U']);
    await promote();
    await emitNow(db, [signalOf(type, 'S', { payload: { count: 3 } })]);
    const counts = (await outbox(estate.url, "event_subject_ref = 'S'")).map(
      (row) => (row['safe_payload'] as { count: number }).count,
    );
    expect(counts).toEqual([1, 2, 3]);
    expect(await countOf(estate.url, 'event_pending where processed_at is null')).toBe(0);
    expect(await countOf(estate.url, 'governance_hold')).toBe(0);
  });

  it('neither wait for a promoter nor make it wait', async () => {
    const type = 'handoff.count_changed';
    await emitNow(db, [signalOf(type, 'S', { payload: { count: 1 } })]);
    await personEvents.activate([type]);
    await db.transaction(RC, async (tx) => {
      expect(await promoteBatch(tx, { limit: 10 })).toMatchObject({ promoted: 1 });
      // The promotion is not committed: a new signal of the subject waits behind it.
      expect(await emitNow(db, [signalOf(type, 'S', { payload: { count: 2 } })])).toMatchObject({
        held: 1,
      });
    });
    expect(await emitNow(db, [signalOf(type, 'S', { payload: { count: 3 } })])).toMatchObject({
      held: 1,
    });
    expect(await promote()).toMatchObject({ promoted: 2, remaining: 0 });
    expect((await outbox(estate.url)).map((row) => (row['safe_payload'] as { count: number }).count)).toEqual(
      [1, 2, 3],
    );
  });

  it('with a key are emitted once for any number of replays, held or not', async () => {
    const type = 'finding.resolved';
    const keyed = signalOf(type, 'F', { dedupeKey: 'finding F resolved 1' });
    expect(await emitNow(db, [keyed, keyed])).toEqual({ emitted: 0, held: 1, repeated: 1 });
    expect(await emitNow(db, [keyed])).toEqual({ emitted: 0, held: 0, repeated: 1 });
    await personEvents.activate([type]);
    await promote();
    const all = await Promise.all(Array.from({ length: 8 }, () => emitNow(db, [keyed])));
    expect(all.every((each) => each.repeated === 1)).toBe(true);
    expect(await refs()).toEqual(['F']);
  });

  it('are rolled back with their cause', async () => {
    await personEvents.activate(['owner.*']);
    await db.rehearse(RC, (tx) =>
      emitSignals(tx, [signalOf('owner.gap', 'X'), signalOf('input.stale', 'X')]),
    );
    expect(await refs()).toEqual([]);
    expect(await countOf(estate.url, 'event_pending')).toBe(0);
  });

  it('fail in a repeatable read transaction whose snapshot is older than a change of their type', async () => {
    await personEvents.activate(['owner.gap']);
    const repeatable = db.transaction({ isolation: 'repeatable read' }, async (tx) => {
      await emitSignals(tx, [signalOf('input.stale', 'X')]);
      await personEvents.deactivate(['owner.gap']).catch(() => undefined);
      return emitSignals(tx, [signalOf('owner.gap', 'X')]);
    });
    // The first signal locks the table, so the operator waits and the type does not change.
    await expect(repeatable).resolves.toMatchObject({ emitted: 1 });
    const late = db.transaction({ isolation: 'repeatable read' }, async (tx) => {
      await tx.script('select count(*) from event_type_registry');
      await personEvents.deactivate(['owner.gap']);
      return emitSignals(tx, [signalOf('owner.gap', 'Y')]);
    });
    await expect(late).rejects.toMatchObject({ code: 'serialization_failure' });
  });

  it('that the host refuses are held without failing their cause, isolated, and finally dead-lettered', async () => {
    const type = 'input.conflict';
    await personEvents.activate([type]);
    await asHost(
      estate.url,
      `create function refuse_poison() returns trigger language plpgsql as $$ begin
         if new.event_subject_ref like 'poison%' then raise exception 'the validator says no'; end if; return new; end $$;
       create trigger refuse_poison before insert on event_outbox for each row execute function refuse_poison();`,
    );
    try {
      const batch = [
        ...Array.from({ length: 300 }, (_, n) => signalOf(type, `good-${n % 30}`)),
        signalOf(type, 'poison-1', { payload: { count: 1 } }),
        signalOf(type, 'poison-1', { payload: { count: 2 } }),
        ...Array.from({ length: 300 }, (_, n) => signalOf(type, `good-${n % 30}`)),
        signalOf(type, 'poison-2'),
      ];
      expect(await emitNow(db, batch)).toMatchObject({ emitted: 0, held: 603 });
      expect(await promote()).toMatchObject({ promoted: 600, failed: 2, deadLettered: 0, remaining: 3 });
      const held = await events.held({ limit: 10 });
      expect(held.map((each) => [each.subjectRef, each.errorCount, each.lastError])).toEqual([
        ['poison-1', 1, 'the validator says no'],
        ['poison-1', 0, 'the validator says no'],
        ['poison-2', 1, 'the validator says no'],
      ]);
      for (let round = 2; round < 5; round += 1)
        expect(await promote()).toMatchObject({ failed: 2, deadLettered: 0 });
      // The successor of a dead letter is tried and refused in turn.
      expect(await promote()).toMatchObject({ failed: 3, deadLettered: 2, remaining: 1 });
      expect(await promote()).toMatchObject({ failed: 1, deadLettered: 0, remaining: 1 });
      expect((await events.held({ limit: 10, deadLettered: true })).map((each) => each.subjectRef)).toEqual([
        'poison-1',
        'poison-2',
      ]);
      await asHost(estate.url, 'drop trigger refuse_poison on event_outbox');
      expect(await estate.gcos.deadLetters.retry({ origin: 'event' })).toHaveLength(2);
      expect(await promote()).toMatchObject({ promoted: 3, remaining: 0 });
      expect(await countOf(estate.url, "event_outbox where event_domain = 'governance'")).toBe(603);
    } finally {
      await asHost(estate.url, 'drop function refuse_poison() cascade');
    }
  });

  it('that the host drops without an error are held', async () => {
    await personEvents.activate(['input.stale']);
    await asHost(
      estate.url,
      `create function drop_row() returns trigger language plpgsql as $$ begin return null; end $$;
       create trigger drop_row before insert on event_outbox for each row execute function drop_row();`,
    );
    try {
      expect(await emitNow(db, [signalOf('input.stale', 'Q')])).toMatchObject({
        emitted: 0,
        held: 1,
      });
      expect(await promote()).toMatchObject({ promoted: 0, failed: 1, remaining: 1 });
    } finally {
      await asHost(estate.url, 'drop function drop_row() cascade');
    }
    expect(await promote()).toMatchObject({ promoted: 1 });
  });

  it('are audited once per batch, except heartbeats', async () => {
    await personEvents.activate(['handoff.*']);
    const audits = () => countOf(estate.url, "registry_changelog where entity_type = 'governance_signal'");
    const before = await audits();
    await emitNow(db, [
      signalOf('handoff.lag', 'A'),
      signalOf('handoff.dlq', 'A'),
      signalOf('handoff.heartbeat', 'A'),
    ]);
    expect(await audits()).toBe(before + 1);
    await emitNow(db, [signalOf('handoff.heartbeat', 'A')]);
    expect(await audits()).toBe(before + 1);
  });

  it('can be written only through the functions, which change no other domain', async () => {
    const url = urlAs(estate.url, 'worker');
    for (const text of [
      "insert into event_outbox (event_domain) values ('governance')",
      'update event_pending set processed_at = now()',
      "update event_type_registry set active = true where event_domain = 'mother'",
      'delete from governance_hold',
      'delete from governance_delivery',
      "select gcos_deliver('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', now())",
      "select gcos_promote_rows('{}', now())",
      "select gcos_set_types_active(array['owner.gap'], true)",
      "select gcos_register_types('{}', '{}', '{}', '{}', '{}')",
      "select gcos_add_types('{}', '{}', '{}', '{}', '{}', 'x')",
      "select gcos_read('R', null)",
      "select gcos_subscribe('R', null, null, null, '{}')",
      "select gcos_mute('R', null, null, null, true, false)",
    ])
      await expect(asHost(url, text)).rejects.toMatchObject({ code: '42501' });
    await asHost(estate.url, "select gcos_set_types_active(array['proposed'], true)");
    expect(await countOf(estate.url, "event_type_registry where event_domain = 'mother' and active")).toBe(0);
  });

  it('have their payload checked by the database as well', async () => {
    const call = (payload: string, severity = '') =>
      asHost(
        urlAs(estate.url, 'worker'),
        `select gcos_emit(array['input.stale'], array['t'], array[''], array['a'], array['${severity}'], array['${payload}'], array[''], array[''], array[''])`,
      );
    await expect(call(JSON.stringify({ refs: 'x'.repeat(9_000) }))).rejects.toMatchObject({ code: '22023' });
    await expect(call('[1]')).rejects.toMatchObject({ code: '22023' });
    for (const payload of [
      '{"counts": {"deep": {"password": 1}}}',
      '{"refs": [{"rawBody": 1}]}',
      '{"pass\\u0077ord": 1}',
      '{"USER_TOKEN": 1}',
      '{"personal-data": 1}',
    ])
      await expect(call(payload), payload).rejects.toMatchObject({ code: '22023' });
    await expect(call('{}', 'huge')).rejects.toMatchObject({ code: '22023' });
    expect(await countOf(estate.url, 'event_pending')).toBe(0);
    // Forbidden names may occur in values and inside other words.
    await call('{"source": "\\"password\\": token", "counts": {"drawn": 1}}', 'high');
    expect(await countOf(estate.url, 'event_pending')).toBe(1);
  });

  it('survive an uninstall followed by a new installation', async () => {
    await emitNow(db, [signalOf('input.stale', 'one'), signalOf('input.stale', 'two')]);
    await estate.gcos.uninstall();
    await estate.gcos.init();
    await mapTester(estate.url);
    await emitNow(db, [signalOf('input.stale', 'three')]);
    await personEvents.activate(['input.stale']);
    expect(await promote()).toMatchObject({ promoted: 3, remaining: 0 });
    expect(await refs()).toEqual(['one', 'two', 'three']);
  });
});
