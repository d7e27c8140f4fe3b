// Routed signals: a signal that names an owner reaches that body without a subscription, or the council if
// the host does not know the body. Muting declines it, and neither digests nor escalations flood an inbox.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emitSignals } from '../../src/record/event/index.js';
import { setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { mapTester, signalOf } from '../support/events.js';

const AT = '2026-06-02 10:00:00+00';
const later = (hours: number) =>
  new Date(Date.parse('2026-06-02T10:00:00Z') + hours * 3_600_000).toISOString();

describe('routing', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
    await mapTester(estate.url);
    await estate.gcos.events.activate(['*']);
    await setClock(estate.url, { at: AT });
  });
  afterEach(() => estate.close());
  const routed = (ref: string, owner: string, type = 'owner.gap', more = {}) =>
    signalOf(type, ref, { payload: { owner, scope: 'approval', ...more } });
  const emit = (...signals: ReturnType<typeof routed>[]) => estate.gcos.events.emit(signals);
  const inbox = async (recipient: string) =>
    (await estate.gcos.inbox.list({ recipient, limit: 100 })).map((each) =>
      each.kind === 'signal' ? `${each.eventType} ${each.canonicalAddress}` : `${each.kind} ${each.signals}`,
    );

  it('reaches the body it is routed to, and the council for a body that is unknown or not active', async () => {
    await asHost(
      estate.url,
      `insert into governance_registry (code, name, status) values ('GOV-OLD', 'Old', 'dormant')`,
    );
    await emit(routed('A', 'GOV-SIV'), routed('B', 'LAB-COUNCIL'), routed('C', 'GOV-OLD'));
    expect(await inbox('GOV-SIV')).toEqual(['owner.gap birth_registry:A']);
    expect(await inbox('GOV-COUNCIL')).toEqual(['owner.gap birth_registry:B', 'owner.gap birth_registry:C']);
    expect([...(await inbox('LAB-COUNCIL')), ...(await inbox('GOV-OLD'))]).toEqual([]);
    // A subscriber does not replace the body, and a subscription of the body does not notify it twice.
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'AUDITOR', type: 'owner.gap' });
    await estate.gcos.inbox.subscribe({ recipient: 'GOV-DOT', stream: 'governance.coverage' });
    await emit(routed('D', 'GOV-DOT'));
    expect(await inbox('AUDITOR')).toEqual(['owner.gap birth_registry:D']);
    expect(await inbox('GOV-DOT')).toEqual(['owner.gap birth_registry:D']);
  });

  it('reaches the body also when the signal was held, and the heartbeat of a run reaches only subscribers', async () => {
    await estate.gcos.events.deactivate(['owner.gap']);
    await emit(
      routed('A', 'GOV-SIV'),
      signalOf('candidate.scan_completed', 'run', { payload: { run_id: 'r' } }),
    );
    expect(await inbox('GOV-SIV')).toEqual([]);
    await estate.gcos.events.activate(['owner.gap']);
    await estate.gcos.events.promote();
    expect(await inbox('GOV-SIV')).toEqual(['owner.gap birth_registry:A']);
    const [row] = await asHost(estate.url, 'select count(*)::int as n from governance_delivery');
    expect(row?.['n']).toBe(1);
  });

  it('is declined by a muted subscription that matches, and not by one that ended', async () => {
    await estate.gcos.inbox.subscribe({ recipient: 'GOV-SIV', type: 'owner.gap' });
    await estate.gcos.inbox.mute({ recipient: 'GOV-SIV' });
    await emit(routed('A', 'GOV-SIV'), routed('B', 'GOV-SIV', 'audit.gap'));
    expect(await inbox('GOV-SIV')).toEqual(['audit.gap birth_registry:B']);
    expect(await inbox('GOV-COUNCIL')).toEqual([]);
    await estate.gcos.inbox.unsubscribe({ recipient: 'GOV-SIV' });
    await emit(routed('C', 'GOV-SIV'));
    expect(await inbox('GOV-SIV')).toEqual(['audit.gap birth_registry:B', 'owner.gap birth_registry:C']);
  });

  it('a signal of a finding that another one represents reaches only subscribers to its type', async () => {
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'STREAM', stream: 'governance.coverage' });
    await estate.gcos.inbox.subscribe({ any: true, recipient: 'TYPE', type: 'audit.gap' });
    await estate.gcos.events.emit([
      signalOf('audit.gap', 'A', { payload: { scope: 'audit', parent_issue_id: '7' } }),
    ]);
    expect([await inbox('STREAM'), await inbox('TYPE')]).toEqual([[], ['audit.gap birth_registry:A']]);
  });

  it('above the ceiling one digest grows, also in repeatable-read transactions', async () => {
    for (let n = 0; n < 6; n += 1)
      await estate.db.transaction({ isolation: 'repeatable read' }, (tx) =>
        emitSignals(
          tx,
          Array.from({ length: 20 }, (_, m) => routed(`S-${n}-${m}`, 'GOV-SIV')),
        ),
      );
    expect((await inbox('GOV-SIV')).filter((each) => each.startsWith('digest'))).toEqual(['digest 70']);
    // A digest that changed since the snapshot does not fail the transaction: a second row counts the rest.
    await estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => {
      await emitSignals(tx, [routed('X', 'GOV-DOT')]);
      await emit(routed('Y', 'GOV-SIV'));
      await emitSignals(tx, [routed('Z', 'GOV-SIV')]);
    });
    expect((await inbox('GOV-SIV')).filter((each) => each.startsWith('digest'))).toEqual([
      'digest 71',
      'digest 1',
    ]);
  });

  it('escalations above the ceiling become one digest of the council', async () => {
    await asHost(
      estate.url,
      `update governance_setting set setting_value = setting_value || '{"ceiling": 5}' where setting_key = 'event.notification'`,
    );
    for (const body of ['GOV-SIV', 'GOV-DOT'])
      await emit(...Array.from({ length: 5 }, (_, n) => routed(`${body}-${n}`, body)));
    await setClock(estate.url, { at: later(5) });
    expect(await estate.gcos.inbox.escalate()).toBe(10);
    await setClock(estate.url, { at: later(5.1) });
    expect(await estate.gcos.inbox.escalate()).toBe(0);
    const found = await inbox('GOV-COUNCIL');
    expect(found).toEqual([...Array.from({ length: 5 }, () => 'escalation 1'), 'digest 5']);
  });
});
