// Notifications: delivered once per recipient, read, muted, summarised above the ceiling, escalated.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { countOf, mapTester, signalOf } from '../support/events.js';

const AT = '2026-06-02 10:00:00+00';
const later = (hours: number) =>
  new Date(Date.parse('2026-06-02T10:00:00Z') + hours * 3_600_000).toISOString();

describe('the inbox', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
    await mapTester(estate.url);
    await estate.gcos.events.activate(['*']);
    await setClock(estate.url, { at: AT });
  });
  afterEach(() => estate.close());
  const emit = (...signals: Parameters<typeof signalOf>[]) =>
    estate.gcos.events.emit(signals.map((each) => signalOf(...each)));
  const escalateAt = async (at: string) => {
    await setClock(estate.url, { at });
    return estate.gcos.inbox.escalate();
  };
  const inbox = (recipient: string, all = false) => estate.gcos.inbox.list({ recipient, limit: 100, all });
  const types = async (recipient: string) => (await inbox(recipient)).map((each) => each.eventType);

  it('delivers, records reading, and mutes; the finding does not change', async () => {
    await asHost(
      estate.url,
      `insert into system_issues (code, issue_type, severity, source_system, coalesce_key, status, first_seen_at, last_seen_at)
       select 'GCOS-TEST-1', 'owner_gap', severity, 'gcos', 'gov:test', status, now(), now() from system_issues limit 1`,
    );
    const finding = () =>
      asHost(estate.url, "select s::text as row from system_issues s where code = 'GCOS-TEST-1'");
    const before = await finding();
    await estate.gcos.inbox.subscribe({
      recipient: 'GOV-SIV',
      stream: 'governance.coverage',
      filter: { scope: 'approval' },
    });
    await emit(
      ['owner.gap', 'A'],
      ['owner.gap', 'B', { payload: { scope: 'audit' } }],
      ['handoff.object_born', 'C', { payload: { scope: 'approval' } }],
    );
    const [notification, ...rest] = await inbox('GOV-SIV');
    expect(rest).toEqual([]);
    expect(notification).toMatchObject({
      kind: 'signal',
      eventType: 'owner.gap',
      canonicalAddress: 'birth_registry:A',
      severity: 'high',
      readAt: null,
    });
    expect(await estate.gcos.inbox.read({ recipient: 'GOV-SIV', ids: [notification?.id ?? 0n] })).toBe(1);
    expect(await inbox('GOV-SIV')).toEqual([]);
    const marks = await asHost(
      estate.url,
      "select r.actor_ref, r.read_status_source, o.event_type from event_read r join event_outbox o on o.id = r.event_id where r.read_status_source = 'gcos'",
    );
    expect(marks).toEqual([{ actor_ref: 'tester', read_status_source: 'gcos', event_type: 'owner.gap' }]);
    await estate.gcos.inbox.mute({ recipient: 'GOV-SIV' });
    await emit(['owner.gap', 'D']);
    expect(await inbox('GOV-SIV')).toEqual([]);
    expect(
      await countOf(estate.url, "event_outbox where event_domain = 'governance' and event_subject_ref = 'D'"),
    ).toBe(1);
    expect(await finding()).toEqual(before);
    await estate.gcos.inbox.unmute({ recipient: 'GOV-SIV' });
    await emit(['owner.gap', 'E']);
    expect(await types('GOV-SIV')).toEqual(['owner.gap']);
  });

  it('notifies a recipient once for any number of subscriptions, and not again on a replay', async () => {
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R', type: 'owner.gap' });
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R' });
    expect(await estate.gcos.inbox.subscribe({ any: true, recipient: 'R' })).toMatchObject({
      created: false,
    });
    await emit(['owner.gap', 'A', { dedupeKey: 'k' }]);
    await emit(['owner.gap', 'A', { dedupeKey: 'k' }]);
    expect(await types('R')).toEqual(['owner.gap']);
    await estate.gcos.inbox.read({ recipient: 'R' });
    // Also without the stored keys the signal keeps its identity, and it was delivered.
    await asHost(estate.url, 'delete from governance_signal_key');
    await emit(['owner.gap', 'A', { dedupeKey: 'k' }]);
    expect(await inbox('R')).toEqual([]);
    expect(await inbox('R', true)).toHaveLength(1);
    expect(await countOf(estate.url, "event_outbox where event_domain = 'governance'")).toBe(1);
  });

  it('counts as read every signal that the host marked as read by the recipient', async () => {
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R' });
    await emit(['owner.conflict', 'A'], ['owner.conflict', 'B']);
    await asHost(
      estate.url,
      "insert into event_read (event_id, actor_ref, read_at, read_status_source) select id, 'R', now(), 'ui' from event_outbox where event_subject_ref = 'A'",
    );
    expect((await inbox('R')).map((each) => each.canonicalAddress)).toEqual(['birth_registry:B']);
    expect(await escalateAt(later(48))).toBe(1);
  });

  it('notifies subscribers also when a held signal is promoted', async () => {
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R', type: 'input.stale' });
    await estate.gcos.events.deactivate(['input.stale']);
    await emit(['input.stale', 'A']);
    expect(await inbox('R')).toEqual([]);
    await estate.gcos.events.activate(['input.stale']);
    await estate.gcos.events.promote();
    expect(await types('R')).toEqual(['input.stale']);
  });

  it('summarises signals above the ceiling with their exact count', async () => {
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R', stream: 'governance.coverage' });
    const many = (from: number, to: number, type = 'owner.gap') =>
      Array.from({ length: to - from }, (_, n): Parameters<typeof signalOf> => [type, `S-${from + n}`]);
    await emit(...many(0, 1_000));
    await emit(...many(1_000, 1_500, 'coverage.anarchic_object'));
    const found = await inbox('R');
    expect(found.filter((each) => each.kind === 'signal')).toHaveLength(50);
    expect(found.filter((each) => each.kind === 'digest')).toMatchObject([
      { signals: 1_450n, severity: 'critical' },
    ]);
    // The next window starts at zero.
    await setClock(estate.url, { at: later(1) });
    await emit(['owner.gap', 'next']);
    await setClock(estate.url, { at: AT });
    expect((await inbox('R')).at(-1)).toMatchObject({
      kind: 'signal',
      canonicalAddress: 'birth_registry:next',
    });
    // A digest that was read no longer grows: a new digest counts the later signals.
    await estate.gcos.inbox.read({ recipient: 'R' });
    await emit(...many(2_000, 2_010));
    expect(await inbox('R')).toMatchObject([{ kind: 'digest', signals: 10n }]);
  });

  it('keeps the exact count with concurrent emitters', async () => {
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R' });
    const batch = (n: number) => Array.from({ length: 40 }, (_, m) => signalOf('owner.gap', `P-${n}-${m}`));
    await Promise.all(Array.from({ length: 20 }, (_, n) => estate.gcos.events.emit(batch(n))));
    const [row] = await asHost(
      estate.url,
      "select sum(signals)::int as n from governance_delivery where recipient_ref = 'R'",
    );
    expect(row?.['n']).toBe(800);
  });

  it('escalates a notification once if it stays unread longer than its severity allows', async () => {
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R' });
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'Q', type: 'owner.conflict' });
    await emit(
      ['owner.conflict', 'critical'],
      ['owner.gap', 'high'],
      ['owner.assigned', 'low', { payload: {} }],
    );
    const escalate = (hours: number) => escalateAt(later(hours));
    expect(await escalate(0.9)).toBe(0);
    // Two recipients left the same signal unread: the council gets one escalation.
    expect(await escalate(1.1)).toBe(1);
    expect(await escalate(1.2)).toBe(0);
    const [, first] = await inbox('R');
    await estate.gcos.inbox.read({ recipient: 'R', ids: [first?.id ?? 0n] });
    expect(await escalate(5)).toBe(0);
    expect(await escalate(24 * 365)).toBe(0);
    expect(await inbox('GOV-COUNCIL')).toMatchObject([
      { kind: 'escalation', severity: 'critical', canonicalAddress: 'birth_registry:critical' },
    ]);
    expect(
      (await Promise.all(Array.from({ length: 4 }, () => estate.gcos.inbox.escalate()))).reduce(
        (sum, n) => sum + n,
        0,
      ),
    ).toBe(0);
  });

  it('refuses to escalate with an invalid setting', async () => {
    const set = (change: string) =>
      asHost(
        estate.url,
        `update governance_setting set setting_value = setting_value || '${change}' where setting_key = 'event.notification'`,
      );
    await set('{"window": "soon"}');
    await expect(estate.gcos.inbox.escalate()).rejects.toMatchObject({
      code: 'setting_invalid',
      exit: 3,
    });
    await set('{"window": "PT1H"}');
    expect(await estate.gcos.inbox.escalate()).toBe(0);
  });

  it('ends a subscription without deleting host rows or changing other subscriptions', async () => {
    const others = () =>
      asHost(
        estate.url,
        "select e::text as row from event_subscription e where event_domain <> 'governance' order by id",
      );
    const before = await others();
    const { subscription } = await estate.gcos.inbox.subscribe({ recipient: 'GOV-IU' });
    expect(await estate.gcos.inbox.unsubscribe({ recipient: 'GOV-IU' })).toBe(1);
    await emit(['owner.gap', 'A']);
    expect(await inbox('GOV-IU')).toEqual([]);
    expect(await estate.gcos.inbox.subscriptions({ limit: 10 })).toEqual([]);
    await expect(estate.gcos.inbox.mute({ recipient: 'GOV-IU' })).rejects.toMatchObject({
      code: 'subscription_unknown',
      exit: 3,
    });
    expect(await estate.gcos.inbox.subscribe({ recipient: 'GOV-IU' })).toEqual({
      subscription,
      created: true,
    });
    await emit(['owner.gap', 'A']);
    expect(await types('GOV-IU')).toEqual(['owner.gap']);
    expect(await others()).toEqual(before);
    await expect(
      estate.gcos.inbox.subscribe({ any: true, recipient: 'R', stream: 'governance.nothing' }),
    ).rejects.toMatchObject({ code: 'event_stream_unknown' });
  });

  it('is purged with all rows that GCOS wrote, and no others', async () => {
    await asHost(
      estate.url,
      "insert into event_subscription (recipient_ref, event_domain, scope_filter, mute) values ('HOST', 'governance', '{}', true)",
    );
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'R' });
    await emit(['owner.gap', 'A']);
    await estate.gcos.inbox.read({ recipient: 'R' });
    await estate.gcos.uninstall({ purge: true });
    const left = async (table: string, where = "event_domain = 'governance'") =>
      countOf(estate.url, `${table} where ${where}`);
    expect(await left('event_outbox')).toBe(0);
    expect(await left('event_type_registry')).toBe(0);
    expect(await left('event_read', "read_status_source = 'gcos'")).toBe(0);
    expect(await left('event_subscription')).toBe(1);
  });
});
