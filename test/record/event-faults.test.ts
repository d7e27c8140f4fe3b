// Faults stay local: a refused subject does not delay other subjects, and a failed notification does not
// delay its signal. Only a mark makes a signal dead, and only mapped people may change types and
// subscriptions.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { Events } from '../../src/record/event/index.js';
import { setClock } from '../support/clock.js';
import { asHost, openDatabase, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { countOf, emitNow, mapTester, outbox, signalOf } from '../support/events.js';
import { createPeople } from '../support/people.js';
import { until } from '../support/wait.js';

const BAD = 'handoff.count_changed';
const GOOD = 'handoff.object_born';
const many = (n: number, type: string, ref: (n: number) => string) =>
  Array.from({ length: n }, (_, index) => signalOf(type, ref(index), { payload: { count: index } }));

describe('signals', () => {
  let estate: Estate;
  let db: Database;
  let events: Events;
  beforeEach(async () => {
    estate = await createEstate('installed');
    await mapTester(estate.url);
    await asHost(
      estate.url,
      `create function refuse_bad() returns trigger language plpgsql as $$ begin
         if new.event_subject_ref like 'BAD%' then raise exception 'refused by the host'; end if; return new; end $$;
       create trigger refuse_bad before insert on event_outbox for each row execute function refuse_bad();`,
    );
    db = openDatabase(urlAs(estate.url, 'worker'));
    events = new Events(db, estate.gcos.installation);
  });
  afterEach(async () => {
    await db.close();
    await estate.close();
  });
  const heal = () => asHost(estate.url, 'alter table event_outbox disable trigger refuse_bad');
  const set = (key: string, change: string) =>
    asHost(
      estate.url,
      `update governance_setting set setting_value = setting_value || '${change}' where setting_key = '${key}'`,
    );
  const counts = async (ref: string) =>
    (await outbox(estate.url, `event_subject_ref = '${ref}'`)).map(
      (row) => (row['safe_payload'] as { count: number }).count,
    );
  const upTo = (n: number) => Array.from({ length: n }, (_, index) => index);

  it('of one refused subject do not delay other subjects, and its first signal is tried once per run', async () => {
    await emitNow(
      db,
      many(1_200, BAD, () => 'BAD'),
    );
    await emitNow(
      db,
      many(100, GOOD, (n) => `G-${n % 7}`),
    );
    await estate.gcos.events.activate([BAD, GOOD]);
    expect(await events.promote()).toMatchObject({ promoted: 100, failed: 1, remaining: 1_200 });
    // Later signals of other subjects are emitted. Later signals of this subject wait, also if they arrive
    // while it is parked.
    await emitNow(db, [signalOf(BAD, 'BAD', { payload: { count: 1_200 } }), signalOf(BAD, 'fine')]);
    expect(await refs('fine')).toBe(1);
    expect(await events.promote()).toMatchObject({ promoted: 0, failed: 1, remaining: 1_201 });
    const [head, next] = await events.held({ limit: 2 });
    expect([head?.errorCount, next?.errorCount]).toEqual([2, 0]);
    await heal();
    expect(await events.promote()).toMatchObject({ promoted: 1_201, failed: 0, remaining: 0 });
    expect(await counts('BAD')).toEqual(upTo(1_201));
  });
  const refs = (ref: string) => countOf(estate.url, `event_outbox where event_subject_ref = '${ref}'`);

  it('of many refused subjects do not delay other subjects, also with a small batch limit', async () => {
    await emitNow(
      db,
      many(300, BAD, (n) => `BAD-${n % 150}`),
    );
    await emitNow(
      db,
      many(50, GOOD, (n) => `G-${n}`),
    );
    await estate.gcos.events.activate([BAD, GOOD]);
    expect(await events.promote({ limit: 40 })).toMatchObject({ promoted: 40, failed: 150 });
    expect(await events.promote()).toMatchObject({ promoted: 10, failed: 150 });
    // After a dead letter its successor is tried and refused in turn.
    for (let round = 3; round < 5; round += 1) expect(await events.promote()).toMatchObject({ failed: 150 });
    expect(await events.promote()).toMatchObject({ failed: 300, deadLettered: 150, remaining: 150 });
    await heal();
    expect(await estate.gcos.deadLetters.retry({ origin: 'event' })).toHaveLength(150);
    expect(await events.promote()).toMatchObject({ promoted: 300, remaining: 0 });
    expect(await counts('BAD-7')).toEqual([7, 157]);
  });

  it('stay dead once they are marked, also when the limit is raised', async () => {
    await set('event.promotion', '{"max_errors": 1}');
    await emitNow(db, [signalOf(BAD, 'BAD'), signalOf(BAD, 'BAD-2')]);
    await estate.gcos.events.activate([BAD]);
    expect(await events.promote()).toMatchObject({ failed: 2, deadLettered: 2, remaining: 0 });
    await set('event.promotion', '{"max_errors": 50}');
    expect(await events.held({ limit: 10, deadLettered: true })).toHaveLength(2);
    expect(await events.promote()).toMatchObject({ failed: 0, remaining: 0 });
    await heal();
    expect(await estate.gcos.deadLetters.retry({ origin: 'event' })).toHaveLength(2);
    expect(await events.promote()).toMatchObject({ promoted: 2, remaining: 0 });
  });

  it.each(['{"window": "P1M"}', '{"window": "PT0S"}', '{"ceiling": "x"}', '{"ceiling": -1, "window": []}'])(
    'are emitted and delivered in spite of an invalid notification setting: %s',
    async (wrong) => {
      await estate.gcos.inbox.subscribe({ any: true, recipient: 'R' });
      await estate.gcos.events.activate([GOOD]);
      await set('event.notification', wrong);
      try {
        expect(await emitNow(db, [signalOf(GOOD, 'A', { payload: {} })])).toMatchObject({
          emitted: 1,
        });
        expect(await estate.gcos.inbox.list({ recipient: 'R', limit: 10 })).toHaveLength(1);
        await expect(estate.gcos.inbox.escalate()).rejects.toMatchObject({ code: 'setting_invalid' });
      } finally {
        await set('event.notification', '{"window": "PT1H", "ceiling": 50}');
      }
    },
  );

  it('are emitted although other programs have written unusable subscriptions', async () => {
    await asHost(
      estate.url,
      `alter table event_subscription alter column recipient_ref drop not null;
       insert into event_subscription (recipient_ref, event_domain, scope_filter, mute) values (null, 'governance', '{}', false),
         ((select string_agg(md5(n::text), '') from generate_series(1, 500) as n), 'governance', '{}', false), ('R', 'governance', '{}', false)`,
    );
    await emitNow(db, [signalOf(GOOD, 'A', { payload: {} })]);
    await estate.gcos.events.activate([GOOD]);
    expect(await events.promote()).toMatchObject({ promoted: 1, failed: 0, undelivered: 0 });
    expect(await emitNow(db, [signalOf(GOOD, 'B', { payload: {} })])).toMatchObject({ emitted: 1 });
    expect(await estate.gcos.inbox.list({ recipient: 'R', limit: 10 })).toHaveLength(2);
    expect(await countOf(estate.url, 'governance_delivery')).toBe(2);
  });

  it('are emitted although delivery fails; the failure is reported, and the delivery is repeated', async () => {
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R' });
    await emitNow(
      db,
      many(3, GOOD, (n) => `H-${n}`),
    );
    await estate.gcos.events.activate([GOOD]);
    await asHost(
      estate.url,
      `alter table governance_delivery add constraint broken check (recipient_ref <> 'R')`,
    );
    expect(await events.promote()).toMatchObject({
      promoted: 3,
      failed: 0,
      deadLettered: 0,
      undelivered: 3,
      deliveryError: expect.stringContaining('broken'),
    });
    expect(await emitNow(db, [signalOf(GOOD, 'A', { payload: {} })])).toMatchObject({ emitted: 1 });
    expect(await events.promote()).toMatchObject({ undelivered: 4 });
    await asHost(estate.url, 'alter table governance_delivery drop constraint broken');
    expect(await events.promote()).toMatchObject({ undelivered: 0, deliveryError: null });
    const notifications = await estate.gcos.inbox.list({ recipient: 'R', limit: 10 });
    expect(notifications.map((each) => each.canonicalAddress).sort()).toEqual([
      'birth_registry:A',
      'birth_registry:H-0',
      'birth_registry:H-1',
      'birth_registry:H-2',
    ]);
    expect(await countOf(estate.url, 'governance_delivery_fault')).toBe(0);
  });

  it('are counted once per recipient: a full window costs no more than an empty one', async () => {
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R' });
    await estate.gcos.events.activate([GOOD]);
    await set('event.notification', '{"ceiling": 100000}');
    const batch = many(10_000, GOOD, (n) => `N-${n}`);
    await setClock(estate.url, { at: '2026-06-02 10:00:00+00' });
    /** Emits the batch on a separate connection; returns how many rows of deliveries that session read. */
    const emitAndCount = async () => {
      const read = async () => {
        const [row] = await asHost(
          estate.url,
          `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_user_tables where relname = 'governance_delivery'`,
        );
        return Number(row?.['n']);
      };
      const before = await read();
      const own = openDatabase(urlAs(estate.url, 'worker'), { poolSize: 1 });
      await emitNow(own, batch);
      await own.close();
      await until('its session has ended', async () => {
        const rows = await asHost(
          estate.url,
          `select 1 from pg_stat_activity where datname = current_database() and usename = 'gcos_worker' and query like '%gcos_emit%'`,
        );
        return rows.length === 0;
      });
      return (await read()) - before;
    };
    await emitAndCount();
    const again = await emitAndCount();
    expect(await countOf(estate.url, "governance_delivery where kind = 'signal'")).toBe(20_000);
    // Counting 10,000 rows for each of 10,000 signals would read 100 million.
    expect(again).toBeLessThan(1_000_000);
  });

  it('may have very long subjects, no payload, or the key of another type', async () => {
    const [ref] = await asHost(
      estate.url,
      "select string_agg(md5(n::text), '') as long from generate_series(1, 500) as n",
    );
    await asHost(
      urlAs(estate.url, 'worker'),
      `select gcos_emit(array['${BAD}'], array['t'], array['${ref?.['long']}'], array['a'], array[''], array['{}'], array[''], array[''], array[''])`,
    );
    expect(await emitNow(db, [{ type: GOOD, subjectTable: 't' }])).toMatchObject({ held: 1 });
    const dedupeKey = 'x'.repeat(500);
    const keyed = [GOOD, BAD].map((type) => signalOf(type, 'K', { payload: {}, dedupeKey }));
    expect(await emitNow(db, keyed)).toEqual({ emitted: 0, held: 2, repeated: 0 });
    expect(await emitNow(db, keyed)).toEqual({ emitted: 0, held: 0, repeated: 2 });
    await estate.gcos.events.activate([GOOD, BAD]);
    expect(await events.promote()).toMatchObject({ promoted: 4, remaining: 0 });
  });

  it('are registered, activated, read and subscribed to only by people with a mapped login', async () => {
    const people = createPeople(estate.url);
    try {
      const ann = await people.person('ann', 'member');
      const stranger = await people.login('stranger');
      const type = { type: 'coverage.mine', stream: 'governance.coverage', severity: 'low' } as const;
      const acts: ((gcos: Estate['gcos']) => Promise<unknown>)[] = [
        (gcos) => gcos.events.register({ ...type, description: 'x' }),
        (gcos) => gcos.events.activate([GOOD]),
        (gcos) => gcos.inbox.subscribe({ any: true, recipient: 'R' }),
        async (gcos) => {
          await emitNow(db, [signalOf(GOOD, 'A', { payload: {} })]);
          return gcos.inbox.read({ recipient: 'R' });
        },
        (gcos) => gcos.inbox.mute({ recipient: 'R' }),
        (gcos) => gcos.inbox.unmute({ recipient: 'R' }),
        (gcos) => gcos.inbox.unsubscribe({ recipient: 'R' }),
        (gcos) => gcos.events.deactivate([GOOD]),
      ];
      for (const act of acts) {
        await expect(act(stranger.gcos)).rejects.toMatchObject({
          code: 'actor_unknown',
          exit: 3,
          help: expect.stringContaining('insert into "gcos_trust".governance_actor'),
        });
        await act(ann.gcos);
      }
      await expect(
        asHost(stranger.url, "select gcos_set_types_active(array['owner.gap'], true)"),
      ).rejects.toMatchObject({ code: '42501' });
      const audit = await asHost(
        estate.url,
        `select action, changed_by from registry_changelog where entity_type = 'governance_event_type' and changed_by like '%ann' order by id`,
      );
      expect(audit).toEqual(
        ['register', 'activate', 'deactivate'].map((action) => ({
          action,
          changed_by: `gcos:${ann.login} for ann`,
        })),
      );
      expect(await countOf(estate.url, "event_read where actor_ref = 'ann'")).toBe(2);
      expect(
        await countOf(estate.url, "governance_subscription where created_by = 'ann' and ended_by = 'ann'"),
      ).toBe(1);
    } finally {
      await people.close();
    }
  });

  it('of types that the host registered in the same domain are not activated by GCOS', async () => {
    await asHost(
      estate.url,
      `insert into event_type_registry (event_domain, event_type, event_stream, delivery_lane, description, active)
       select event_domain, 'host.own', event_stream, delivery_lane, 'the host''s', false from event_type_registry
       where event_domain = 'governance' limit 1`,
    );
    const active = () => countOf(estate.url, "event_type_registry where event_type = 'host.own' and active");
    await expect(estate.gcos.events.activate(['host.*'])).rejects.toMatchObject({
      code: 'event_type_foreign',
      exit: 3,
    });
    await estate.gcos.events.activate(['*']);
    await asHost(estate.url, "select gcos_set_types_active(array['host.own'], true)");
    expect(await active()).toBe(0);
    await asHost(estate.url, "delete from event_type_registry where event_type = 'host.own'");
  });
});
