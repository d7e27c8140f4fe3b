// Findings: one row per cause, with every transition, its severity, its route, and who is told.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HostMapping } from '../../src/host/index.js';
import {
  coalesceKey,
  type FindingContext,
  type Observation,
  resolveFindings,
  restampFindings,
  type Transitions,
  writeFindings,
} from '../../src/record/finding/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';

const RULES = 'gov-rs-000000000001';
const RC = { isolation: 'read committed' } as const;

const gap = (subject: string, more: Partial<Observation> = {}): Observation => ({
  type: 'owner_gap',
  subject,
  scope: 'policy',
  entityType: 'governance_group',
  entityCode: subject,
  link: 'owner',
  ...more,
});

describe('findings', () => {
  let estate: Estate;
  let mapping: HostMapping;
  beforeAll(async () => {
    estate = await createEstate('installed');
    mapping = await estate.gcos.installation.hostVocabulary();
  });
  afterAll(() => estate.close());
  afterEach(async () => {
    await asHost(
      estate.url,
      "delete from governance_finding_key; delete from system_issues where source_system = 'gcos'",
    );
  });

  const context = (more: Partial<FindingContext> = {}): FindingContext => ({
    mapping,
    runId: 'run-1',
    at: '2026-06-01 12:00:00+00',
    ruleset: RULES,
    activeRuleset: RULES,
    ...more,
  });
  const write = (
    observations: readonly Observation[],
    more: Partial<FindingContext> = {},
  ): Promise<Transitions> =>
    estate.db.transaction(RC, (tx) => writeFindings(tx, observations, context(more)));
  const issues = () =>
    asHost(
      estate.url,
      `select i.code, i.issue_type, i.issue_class, i.sub_class, i.severity, i.status, i.occurrence_count as n,
         i.reopen_count as reopens, i.entity_code, i.parent_issue_id::int as parent, i.id::int as id, i.coalesce_key as key,
         i.first_seen_at::text as first, i.last_seen_at::text as last, i.run_id, i.evidence_snapshot as evidence
       from system_issues i where i.source_system = 'gcos' and i.source = 'gcos' order by i.id`,
    );
  const evaluated = (...subjects: string[]) => ({ evaluated: { types: ['owner_gap'], subjects } });
  const ALL = { evaluated: { types: ['owner_gap'], subjects: 'all' as const } };

  describe('transitions', () => {
    it('raise: one row with code, words of the host, evidence and an audit row', async () => {
      const done = await write([gap('g1', { riskClass: 'write_low', evidence: { members: 7n } })]);
      expect(done).toMatchObject({ reopened: [], resolved: [], repeated: 0 });
      const [row] = await issues();
      expect(done.raised).toEqual([
        {
          key: 'gov:coverage:owner_gap:g1:policy:',
          code: row?.['code'],
          issueId: BigInt(row?.['id']),
          type: 'owner_gap',
          family: 'coverage',
          eventType: 'owner.gap',
          subject: 'g1',
          scope: 'policy',
          severity: 'critical',
          routes: ['GOV-COUNCIL'],
          change: 'raised',
          notify: true,
          count: 1,
        },
      ]);
      expect(row).toMatchObject({
        code: expect.stringMatching(/^GCOS-[0-9a-f]{20}$/),
        issue_type: 'owner_gap',
        issue_class: 'thiếu_quan_hệ',
        sub_class: 'coverage',
        severity: 'critical',
        status: 'open',
        n: 1,
        reopens: 0,
        run_id: 'run-1',
        first: '2026-06-01 12:00:00+00',
        evidence: {
          severity: 'critical',
          link: 'owner',
          risk: 'write_low',
          routes: ['GOV-COUNCIL'],
          run: 'run-1',
          ruleset: { raised: RULES, holds: RULES },
          facts: { members: '7' },
        },
      });
      const audit = await asHost(
        estate.url,
        "select entity_code, alert_detail from registry_changelog where entity_type = 'governance_finding' and action = 'raise' order by id desc limit 1",
      );
      expect(audit[0]?.['entity_code']).toBe('run-1');
      expect(JSON.parse(audit[0]?.['alert_detail'])).toMatchObject({ count: 1, types: { owner_gap: 1 } });
    });

    it('repeat: the count and the time, nothing else', async () => {
      await write([gap('g1')]);
      const [before] = await issues();
      const again = await write(
        [gap('g1', { riskClass: 'write_high', count: 4, evidence: { other: true } })],
        {
          runId: 'run-2',
          at: '2026-06-02 12:00:00+00',
        },
      );
      expect(again).toEqual({ raised: [], reopened: [], resolved: [], repeated: 1 });
      expect(await issues()).toEqual([{ ...before, n: 5, last: '2026-06-02 12:00:00+00' }]);
      // An observation that arrives late does not turn the time back.
      await write([gap('g1')], { at: '2026-05-01 00:00:00+00' });
      expect(await issues()).toEqual([{ ...before, n: 6, last: '2026-06-02 12:00:00+00' }]);
    });

    it('resolve: what was evaluated under the active rules and not observed, and only that', async () => {
      await write([gap('g1'), gap('g2'), gap('g3'), gap('g1', { type: 'audit_gap' })]);
      const done = await write([gap('g2')], { runId: 'run-2', ...evaluated('g1', 'g2') });
      expect(done.resolved.map((each) => [each.subject, each.type, each.change, each.notify])).toEqual([
        ['g1', 'owner_gap', 'resolved', true],
      ]);
      expect(done.repeated).toBe(1);
      const rows = await issues();
      expect(rows.map((row) => [row['entity_code'], row['issue_type'], row['status']])).toEqual([
        ['g1', 'audit_gap', 'open'],
        ['g1', 'owner_gap', 'resolved'],
        ['g2', 'owner_gap', 'open'],
        ['g3', 'owner_gap', 'open'],
      ]);
      expect(rows[1]?.['evidence']).toMatchObject({
        ruleset: { raised: RULES, holds: RULES, closed: RULES },
        closed_run: 'run-2',
      });
      expect((await write([], ALL)).resolved.map((each) => each.subject)).toEqual(['g2', 'g3']);
      expect((await write([], ALL)).resolved).toEqual([]);
    });

    it('resolve under other rules: nothing', async () => {
      const { raised } = await write([gap('g1')]);
      const keys = raised.map((each) => each.key);
      for (const rules of [{ ruleset: 'gov-rs-old' }, { ruleset: null }, { activeRuleset: null }]) {
        expect((await write([], { ...ALL, ...rules })).resolved).toEqual([]);
        const direct = await estate.db.transaction(RC, (tx) => resolveFindings(tx, keys, context(rules)));
        expect(direct.resolved).toEqual([]);
      }
      const direct = await estate.db.transaction(RC, (tx) => resolveFindings(tx, keys, context()));
      expect(direct.resolved.map((each) => each.key)).toEqual(keys);
    });

    it('reopen: the same row, counted', async () => {
      await write([gap('g1')]);
      await write([], ALL);
      const [before] = await issues();
      const done = await write([gap('g1', { riskClass: 'write_high' })], {
        runId: 'run-3',
        at: '2026-06-09 12:00:00+00',
        ruleset: 'gov-rs-new',
        activeRuleset: 'gov-rs-new',
      });
      expect(done.reopened).toMatchObject([
        { change: 'reopened', severity: 'critical', notify: true, count: 2 },
      ]);
      expect(done).toMatchObject({ raised: [], resolved: [], repeated: 0 });
      const rows = await issues();
      expect(rows).toMatchObject([
        {
          id: before?.['id'],
          code: before?.['code'],
          status: 'open',
          severity: 'critical',
          reopens: 1,
          n: 2,
        },
      ]);
      expect(rows[0]?.['first']).toBe(before?.['first']);
      expect(rows[0]?.['evidence'].ruleset).toEqual({
        raised: 'gov-rs-new',
        holds: 'gov-rs-new',
        closed: RULES,
      });
    });

    it('respect what people did: their closing reopens, their own word for open stays', async () => {
      await write([gap('g1'), gap('g2')]);
      await asHost(
        estate.url,
        "update system_issues set status = 'closed' where entity_code = 'g1' and source = 'gcos'",
      );
      await asHost(
        estate.url,
        "update system_issues set status = 'ignored' where entity_code = 'g2' and source = 'gcos'",
      );
      const done = await write([gap('g1'), gap('g2')], { at: '2026-07-01 00:00:00+00' });
      expect(done.reopened.map((each) => each.subject)).toEqual(['g1']);
      expect(done.repeated).toBe(1);
      expect((await issues()).map((row) => row['status'])).toEqual(['open', 'ignored']);
    });

    it('make a new row where the host deleted it, and take up the rows of an earlier installation', async () => {
      const first = await write([gap('g1'), gap('g2')]);
      await asHost(estate.url, "delete from system_issues where entity_code = 'g1' and source = 'gcos'");
      const again = await write([gap('g1')]);
      expect(again.raised.map((each) => each.code)).toEqual([first.raised[0]?.code]);
      expect(again.raised[0]?.issueId).not.toBe(first.raised[0]?.issueId);
      await asHost(estate.url, 'delete from governance_finding_key');
      // What the earlier one told is not known, so it is told once more; the issues only count.
      const adopted = await write([gap('g1'), gap('g2')]);
      expect(adopted).toMatchObject({
        raised: [],
        reopened: [{ notify: true }, { notify: true }],
        repeated: 2,
      });
      expect((await issues()).map((row) => [row['n'], row['reopens']])).toEqual([
        [2, 0],
        [2, 0],
      ]);
    });

    it('restamp: open findings of carried subjects hold under the new rules', async () => {
      await write([gap('g1'), gap('g2'), gap('g3')]);
      await write([gap('g1'), gap('g2')], ALL);
      const stamped = await estate.db.transaction(RC, (tx) =>
        restampFindings(tx, ['g1', 'g3', 'g1'], RULES, 'gov-rs-new', mapping),
      );
      expect(stamped).toBe(1n);
      expect((await issues()).map((row) => row['evidence'].ruleset.holds)).toEqual([
        'gov-rs-new',
        RULES,
        RULES,
      ]);
    });

    it('in the same transaction that is rolled back leave nothing', async () => {
      await estate.db.rehearse(RC, (tx) => writeFindings(tx, [gap('g1')], context()));
      expect(await issues()).toEqual([]);
    });
  });

  it('are refused for a type nobody declared and for a count that is none', async () => {
    await expect(write([gap('g1', { type: 'no_such_gap' })])).rejects.toMatchObject({
      code: 'finding_type_unknown',
      exit: 3,
    });
    await expect(write([], { evaluated: { types: ['no_such_gap'], subjects: 'all' } })).rejects.toMatchObject(
      {
        code: 'finding_type_unknown',
      },
    );
    for (const count of [0, -1, 1.5, Number.NaN])
      await expect(write([gap('g1', { count })])).rejects.toMatchObject({ code: 'finding_invalid' });
  });

  it('of a type the deployment added work like any other', async () => {
    await asHost(
      estate.url,
      `insert into governance_finding_type
         (finding_type, family, bucket, base_severity, max_severity, raised_when, event_type, route, ceiling, closed_when)
       values ('badge_missing', 'custom', 'thiếu_quan_hệ', 'low', 'high', 'no badge', 'badge.missing', 'siv_and_council', 3, 'a badge')`,
    );
    const { raised } = await write([gap('g1', { type: 'badge_missing', link: 'audit' })]);
    expect(raised).toMatchObject([
      { family: 'custom', eventType: 'badge.missing', severity: 'low', routes: ['GOV-SIV', 'GOV-COUNCIL'] },
    ]);
  });

  it('have keys that never collide and always fit', async () => {
    const parts = [
      ':',
      'a',
      'a:b',
      '',
      'b',
      '%3A',
      '*',
      '~',
      'summary',
      'x'.repeat(6_000),
      'x'.repeat(6_001),
      '\u0001',
      'é'.repeat(200),
    ];
    const all = parts.flatMap((subject) =>
      parts.flatMap((scope) => parts.map((rootCause) => ({ type: 'owner_gap', subject, scope, rootCause }))),
    );
    const keys = all.map((each) => coalesceKey(each, 'coverage'));
    expect(new Set(keys).size).toBe(all.length);
    expect(Math.max(...keys.map((key) => Buffer.byteLength(key)))).toBeLessThanOrEqual(255);
    const done = await write([
      gap('y'.repeat(6_000)),
      gap('a\u{1F600}'.repeat(900)),
      gap('lone \ud800 surrogate'),
    ]);
    expect(done.raised).toHaveLength(3);
    expect((await write([], evaluated('y'.repeat(6_000)))).resolved).toHaveLength(1);
  });

  describe('parents', () => {
    it('speak for their children while they are open; what they did not say is told afterwards', async () => {
      const parentKey = coalesceKey(
        { type: 'governance_orphan', subject: 'g1', scope: 'policy' },
        'coverage',
      );
      const parent = gap('g1', { type: 'governance_orphan' });
      const child = gap('g1', { parentKey });
      const done = await write([child, parent]);
      expect(done.raised.map((each) => [each.type, each.notify])).toEqual([
        ['governance_orphan', true],
        ['owner_gap', false],
      ]);
      const rows = await issues();
      const parentId = rows.find((row) => row['issue_type'] === 'governance_orphan')?.['id'];
      expect(rows.find((row) => row['issue_type'] === 'owner_gap')).toMatchObject({ parent: parentId });
      const { code } = done.raised[0] ?? { code: '' };
      expect(await estate.gcos.findings.show(code)).toMatchObject({
        children: [done.raised[1]?.code],
        parent: null,
      });
      expect(await estate.gcos.findings.show(done.raised[1]?.code ?? '')).toMatchObject({
        parent: code,
        announced: false,
      });

      expect((await write([child])).reopened).toEqual([]);
      const alone = await write([child], { evaluated: { types: ['governance_orphan'], subjects: ['g1'] } });
      expect(alone.resolved.map((each) => [each.type, each.notify])).toEqual([['governance_orphan', true]]);
      expect(alone.reopened.map((each) => [each.type, each.notify])).toEqual([['owner_gap', true]]);
      expect(alone.repeated).toBe(1);
      expect((await issues()).map((row) => row['reopens'])).toEqual([0, 0]);
    });

    it('that were never written silence nobody', async () => {
      const done = await write([gap('g1', { parentKey: 'gov:coverage:governance_orphan:nobody:policy:' })]);
      expect(done.raised.map((each) => each.notify)).toEqual([true]);
    });

    it('close with a child that nobody was told of: neither is its end', async () => {
      const parentKey = coalesceKey(
        { type: 'governance_orphan', subject: 'g1', scope: 'policy' },
        'coverage',
      );
      await write([gap('g1', { parentKey }), gap('g1', { type: 'governance_orphan' })]);
      const done = await write([], {
        evaluated: { types: ['governance_orphan', 'owner_gap'], subjects: ['g1'] },
      });
      expect(done.resolved.map((each) => [each.type, each.notify])).toEqual([
        ['governance_orphan', true],
        ['owner_gap', false],
      ]);
    });
  });

  describe('cool-down', () => {
    const critical = gap('g1', { riskClass: 'write_low' });
    const at = (time: string) => ({ at: `2026-06-01 ${time}+00` });

    it('keeps a finding that comes back soon quiet, and tells it when it is over', async () => {
      expect((await write([critical], at('12:00:00'))).raised[0]?.notify).toBe(true);
      expect((await write([], { ...at('12:05:00'), ...ALL })).resolved[0]?.notify).toBe(true);
      expect((await write([critical], at('12:14:59'))).reopened).toMatchObject([{ notify: false }]);
      expect((await write([critical], at('12:14:59.9'))).reopened).toEqual([]);
      // Still there after the cool-down: now it is told, once; the issue itself only counts.
      const late = await write([critical], at('12:15:00'));
      expect(late).toMatchObject({ reopened: [{ notify: true }], repeated: 1 });
      expect((await write([critical], at('12:15:01'))).reopened).toEqual([]);
      expect((await issues())[0]).toMatchObject({ reopens: 1, n: 5 });
      // Coming and going within the cool-down tells nobody anything.
      await write([], { ...at('12:16:00'), ...ALL });
      expect((await write([critical], at('12:17:00'))).reopened).toMatchObject([{ notify: false }]);
      expect((await write([], { ...at('12:18:00'), ...ALL })).resolved).toMatchObject([{ notify: false }]);
      expect((await write([critical], at('12:30:00'))).reopened).toMatchObject([{ notify: true }]);
    });

    it('is a setting, and a type may have its own', async () => {
      const glass = { ...gap('release-1'), type: 'gate_break_glass' };
      const glassClean = { evaluated: { types: ['gate_break_glass'], subjects: 'all' as const } };
      await write([glass], at('12:00:00'));
      await write([], { ...at('12:00:01'), ...glassClean });
      expect((await write([glass], at('12:00:02'))).reopened).toMatchObject([{ notify: true }]);
      const setting = (value: string) =>
        asHost(
          estate.url,
          `update governance_setting set setting_value = '${value}' where setting_key = 'finding.cool_down'`,
        );
      await setting('{"critical": "1s", "high": "1h", "medium": "6h", "low": "24h"}');
      await write([critical], at('13:00:00'));
      await write([], { ...at('13:00:01'), ...ALL });
      expect((await write([critical], at('13:00:02'))).reopened).toMatchObject([{ notify: true }]);
      await setting('{"critical": "soon", "high": "1h", "medium": "6h", "low": "24h"}');
      await expect(write([critical])).rejects.toMatchObject({ code: 'setting_invalid', exit: 3 });
      await setting('{"critical": "15m", "high": "1h", "medium": "6h", "low": "24h"}');
    });
  });

  describe('ceiling', () => {
    const many = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, n) => gap(`c${String(from + n).padStart(5, '0')}`));

    it('folds what has no row into one summary with the exact count, and unfolds it again', async () => {
      await write(many(1, 3));
      const done = await write(many(1, 5_000), ALL);
      expect(done.repeated).toBe(3);
      expect(done.raised).toMatchObject([
        {
          key: 'gov:coverage:owner_gap:summary:GOV-COUNCIL:*',
          subject: 'summary',
          count: 4_997,
          notify: true,
          severity: 'high',
        },
      ]);
      const summary = async () => (await issues()).find((row) => row['entity_code'] === 'owner_gap');
      expect((await summary())?.['evidence'].facts).toMatchObject({
        findings: 4_997,
        seen: 5_000,
        ceiling: 200,
      });
      expect((await summary())?.['evidence'].facts.sample).toHaveLength(20);
      expect((await summary())?.['evidence'].facts.sample[0]).toBe('gov:coverage:owner_gap:c00004:policy:');
      expect(await issues()).toHaveLength(4);

      // Still above: the summary says how many there are now, under the rules it was raised under.
      await write(many(1, 1_000), ALL);
      expect((await summary())?.['evidence']).toMatchObject({
        facts: { findings: 997 },
        ruleset: { raised: RULES },
      });
      expect((await summary())?.['n']).toBe(4_997 + 997);
      // A partial look at a few subjects says nothing about the rest.
      expect((await write([], evaluated('summary', 'c00004'))).resolved).toEqual([]);

      const below = await write(many(1, 200), ALL);
      expect(below.resolved.map((each) => each.subject)).toEqual(['summary']);
      expect(below.raised).toHaveLength(197);
      expect(below.repeated).toBe(3);
      expect((await issues()).filter((row) => row['status'] === 'open')).toHaveLength(200);
    });

    it('is counted per type and route, and a folded parent is represented by its summary', async () => {
      const parents = many(1, 300).map((each) => ({ ...each, type: 'governance_orphan' }));
      const children = parents.map((each) => ({
        ...each,
        type: 'audit_gap',
        link: 'audit' as const,
        parentKey: coalesceKey(each, 'coverage'),
      }));
      const elsewhere = many(301, 500).map((each) => ({ ...each, type: 'audit_gap', scope: 'health' }));
      const done = await write([...parents, ...children.slice(0, 10), ...elsewhere]);
      expect(done.raised.filter((each) => each.subject === 'summary').map((each) => each.type)).toEqual([
        'governance_orphan',
      ]);
      const quiet = done.raised.filter((each) => !each.notify);
      expect(quiet.map((each) => each.type)).toEqual(Array(10).fill('audit_gap'));
      const rows = await issues();
      const summary = rows.find((row) => row['entity_code'] === 'governance_orphan');
      expect(rows.filter((row) => row['parent'] === summary?.['id'])).toHaveLength(10);
      // Above the ceiling themselves, the children are a summary under the parents' summary.
      const more = await write([...parents, ...children.slice(10)]);
      expect(more.raised).toMatchObject([
        { type: 'audit_gap', subject: 'summary', notify: false, count: 290 },
      ]);
    });
  });

  describe('routes', () => {
    const routed = async (more: Partial<Observation>) => (await write([gap('r', more)])).raised[0]?.routes;
    const article = {
      objectType: 'article',
      objectRef: 'A-1',
      collection: 'articles',
      objectClass: 'article',
    };

    it.each([
      [
        'the direct owner',
        { scope: 'execution', owner: { objectType: 'dot_tool', objectRef: 'DOT-117' } },
        ['GOV-DOT'],
      ],
      ['the owner through the collection', { scope: 'health', owner: article }, ['GOV-SIV']],
      [
        'the owner through the class',
        {
          scope: 'render',
          owner: { objectType: 'course', objectRef: 'C-1', collection: 'courses', objectClass: 'course' },
        },
        ['GOV-MOUT'],
      ],
      [
        'the council where owners conflict',
        { scope: 'policy', owner: { objectType: 'product', objectRef: 'P-1', collection: 'products' } },
        ['GOV-COUNCIL'],
      ],
      [
        'the default owner of the scope where nobody owns',
        { scope: 'render', owner: { objectType: 'venue', objectRef: 'V-1', collection: 'venues' } },
        ['GOV-MOUT'],
      ],
      ['the default owner where nobody is named', { scope: 'audit' }, ['GOV-SIV']],
      ['the council where the scope has none', { scope: 'nowhere', owner: article }, ['GOV-COUNCIL']],
      [
        'the council for disputes, whoever owns',
        { type: 'owner_conflict', scope: 'health', owner: article },
        ['GOV-COUNCIL'],
      ],
      ['integrity for processes', { type: 'cursor_lag', scope: 'render', owner: article }, ['GOV-SIV']],
      ['both for overflowing dead letters', { type: 'backfill_dlq_overflow' }, ['GOV-SIV', 'GOV-COUNCIL']],
    ] as const)('%s', async (_, more, routes) => {
      expect(await routed(more)).toEqual(routes);
    });

    it('the council where the host has no ownership tables', async () => {
      await asHost(
        estate.url,
        'alter table governance_object_ownership rename to o; alter table governance_responsibility_scope rename to s',
      );
      expect(await routed({ scope: 'health', owner: article })).toEqual(['GOV-COUNCIL']);
      await asHost(
        estate.url,
        'alter table o rename to governance_object_ownership; alter table s rename to governance_responsibility_scope',
      );
    });
  });

  it('write the words the host allows into the columns it has, and say so where it allows none', async () => {
    await asHost(
      estate.url,
      `create domain issue_state as varchar(8) check (value in ('new', 'closed'));
       alter table system_issues alter column status drop default, alter column status type issue_state using 'closed',
         alter column coalesce_key type varchar(255), alter column entity_code type varchar(255) using left(entity_code, 255),
         alter column evidence_snapshot type jsonb, alter column occurrence_count type bigint;
       update system_issues set severity = 'info';
       alter table system_issues add constraint narrow check (severity in ('info', 'warning', 'critical'))`,
    );
    const narrow = await openAt(estate.url);
    mapping = await narrow.installation.hostVocabulary();
    await narrow.close();
    await write([gap('g1', { link: 'owner', riskClass: 'read' })]);
    await write([], ALL);
    const done = await write([gap('g1')], { at: '2026-07-01 00:00:00+00' });
    expect(done.reopened).toMatchObject([{ severity: 'high' }]);
    expect(await issues()).toMatchObject([
      { status: 'new', severity: 'critical', evidence: { severity: 'high' } },
    ]);
    const mute: HostMapping = { words: [], wordFor: () => undefined };
    await expect(write([gap('g2')], { mapping: mute })).rejects.toMatchObject({
      code: 'finding_word_missing',
      exit: 4,
    });
  });
});
