// From findings to signals and inboxes: a finding is announced once, its signal is held until its type is
// active, and an unread notification is escalated.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coalesceKey, type Observation, writeFindings } from '../../src/record/finding/index.js';
import { announceFindings } from '../../src/work/announcement.js';
import { supervise } from '../../src/work/supervision.js';
import { setClock } from '../support/clock.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { mapTester } from '../support/events.js';

const AT = '2026-06-02 10:00:00+00';
const write = { isolation: 'read committed' } as const;

describe('findings become signals', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
    await mapTester(estate.url);
  });
  afterEach(() => estate.close());

  const outbox = () =>
    asHost(
      estate.url,
      "select event_type, event_subject_ref, safe_payload from event_outbox where event_domain = 'governance' order by event_type",
    );
  const openIssues = async (type: string) =>
    (await asHost(
      estate.url,
      `select status, occurrence_count from system_issues where issue_type = '${type}' and code like 'GCOS-%'`,
    )) as { status: string; occurrence_count: number }[];

  async function observe(runId: string, evidence = {}): Promise<{ emitted: number; held: number }> {
    return estate.db.transaction(write, async (tx) => {
      const transitions = await writeFindings(
        tx,
        [
          {
            type: 'owner_gap',
            subject: 'group-1',
            scope: 'policy',
            entityType: 'collection',
            entityCode: 'articles',
            link: 'owner',
            riskClass: 'read',
            evidence,
          },
        ],
        { runId, at: AT, ruleset: null, activeRuleset: null },
      );
      return announceFindings(tx, transitions, { runId, at: AT });
    });
  }

  it('41.11 #1 Register-before-emit: a signal is held while its type is inactive, and emitted once after activation', async () => {
    expect(await observe('run-1')).toMatchObject({ emitted: 0, held: 1 });
    expect(await outbox()).toEqual([]);
    const first = await estate.gcos.promoteSignals();
    expect(first).toMatchObject({
      promoted: 0,
      heldTypes: expect.arrayContaining([
        expect.objectContaining({ type: 'owner.gap', registered: true, active: false }),
      ]),
    });
    // The promoter raises a finding about the type.
    expect(await openIssues('issue_event_gap')).toEqual([expect.objectContaining({ status: 'open' })]);
    expect(await outbox()).toEqual([]);

    await estate.gcos.inbox.subscribe({ recipient: 'GOV-COUNCIL', type: 'owner.gap' });
    await estate.gcos.events.activate(['owner.gap', 'issue_event.gap', 'finding.resolved']);
    const second = await estate.gcos.promoteSignals();
    expect(second.promoted).toBeGreaterThan(0);
    const emittedSignals = await outbox();
    expect(emittedSignals.map((row) => row['event_type'])).toContain('owner.gap');
    expect((await openIssues('issue_event_gap')).map((row) => row.status)).toEqual(['resolved']);

    // A repeated observation emits no signal.
    expect(await observe('run-2')).toMatchObject({ emitted: 0, held: 0 });
    expect(await outbox()).toEqual(emittedSignals);
    expect(await openIssues('owner_gap')).toEqual([{ status: 'open', occurrence_count: 2 }]);
    // No issue of the host was changed.
    const [row] = await asHost(
      estate.url,
      "select count(*)::int as n from system_issues where code not like 'GCOS-%' and source_system = 'gcos'",
    );
    expect(row?.['n']).toBe(0);
  });

  it('an unread notification is escalated to GOV-COUNCIL after its deadline, and only once', async () => {
    await estate.gcos.events.activate(['owner.gap']);
    await estate.gcos.inbox.subscribe({ recipient: 'GOV-SIV', type: 'owner.gap' });
    await estate.db.transaction(write, async (tx) => {
      const transitions = await writeFindings(
        tx,
        [
          {
            type: 'owner_gap',
            subject: 'group-2',
            scope: 'policy',
            entityType: 'collection',
            entityCode: 'pages',
            link: 'owner',
            riskClass: 'write_high',
          },
        ],
        { runId: 'run-3', at: AT, ruleset: null, activeRuleset: null },
      );
      await announceFindings(tx, transitions, { runId: 'run-3', at: AT });
    });
    const later = { runId: 'watch', at: '2027-01-01 00:00:00+00' };
    await setClock(estate.url, { at: later.at });
    const first = await estate.db.transaction(write, (tx) => supervise(tx, later));
    expect(first.escalated).toBeGreaterThan(0);
    expect((await estate.db.transaction(write, (tx) => supervise(tx, later))).escalated).toBe(0);
  });

  it('children of a family emit signals without a route, and only the end of a finding that was announced is announced', async () => {
    const parent = {
      type: 'governance_orphan',
      subject: 'family',
      scope: 'policy',
      entityType: 'group',
      entityCode: 'family',
    };
    const parentKey = coalesceKey(parent, 'coverage');
    const children = [1, 2, 3].map((n) => ({
      type: 'audit_gap',
      subject: `child-${n}`,
      scope: 'policy',
      entityType: 'object',
      entityCode: `c${n}`,
      parentKey,
    }));
    const context = { at: AT, ruleset: null, activeRuleset: null };
    const run = (runId: string, observed: readonly Observation[], subjects: readonly string[]) =>
      estate.db.transaction(write, async (tx) => {
        const transitions = await writeFindings(tx, observed, {
          ...context,
          runId,
          evaluated: { types: ['audit_gap'], subjects },
        });
        return { transitions, emission: await announceFindings(tx, transitions, { runId, at: AT }) };
      });
    const opened = await run('family-1', [parent, ...children], []);
    expect(opened.transitions.raised).toHaveLength(4);
    expect(opened.emission.emitted + opened.emission.held).toBe(4);
    const held = await asHost(
      estate.url,
      `select capture_payload #>> '{payload,owner}' as owner, capture_payload #>> '{payload,parent_issue_id}' is not null as child,
         count(*)::int as n
       from event_pending where event_domain = 'governance' and event_type_hint in ('coverage.orphan', 'audit.gap')
       group by 1, 2 order by 2`,
    );
    expect(held).toEqual([
      { owner: 'GOV-COUNCIL', child: false, n: 1 },
      { owner: null, child: true, n: 3 },
    ]);
    const closed = await run('family-2', [], ['child-1', 'child-2', 'child-3']);
    expect(closed.transitions.resolved).toHaveLength(3);
    expect(closed.emission).toMatchObject({ emitted: 0, held: 0 });
  });
});
