// Findings: one row per cause, every transition, refused input, and keys.
import { describe, expect, it } from 'vitest';
import { coalesceKey, resolveFindings, writeFindings } from '../../src/record/finding/index.js';
import { asHost } from '../support/database.js';
import {
  ALL,
  context,
  estate,
  evaluated,
  gap,
  issues,
  RC,
  RULES,
  useFindings,
  write,
} from '../support/findings.js';

useFindings();

describe('transitions', () => {
  it('raise: write one row with code, host vocabulary and evidence, and an audit row', async () => {
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

  it('repeat with the same severity: change only the count and the time', async () => {
    await write([gap('g1')]);
    const [before] = await issues();
    const again = await write([gap('g1', { riskClass: 'read', count: 4, evidence: { other: true } })], {
      runId: 'run-2',
      at: '2026-06-02 12:00:00+00',
    });
    expect(again).toEqual({ raised: [], reopened: [], resolved: [], repeated: 1 });
    expect(await issues()).toEqual([{ ...before, n: 5, last: '2026-06-02 12:00:00+00' }]);
    // A late observation does not move the time back.
    await write([gap('g1')], { at: '2026-05-01 00:00:00+00' });
    expect(await issues()).toEqual([{ ...before, n: 6, last: '2026-06-02 12:00:00+00' }]);
  });

  it('resolve: only findings that were evaluated under the active rules and not observed', async () => {
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

  it('resolve: no finding under rules that are not active', async () => {
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

  it('reopen: keep the row and count the reopening', async () => {
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

  it('reopen: a finding that a person closed; another open status of the host stays', async () => {
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

  it('raise: write a new row if the host deleted it, and adopt the rows of an earlier installation', async () => {
    const first = await write([gap('g1'), gap('g2')]);
    await asHost(estate.url, "delete from system_issues where entity_code = 'g1' and source = 'gcos'");
    const again = await write([gap('g1')]);
    expect(again.raised.map((each) => each.code)).toEqual([first.raised[0]?.code]);
    expect(again.raised[0]?.issueId).not.toBe(first.raised[0]?.issueId);
    await asHost(estate.url, 'delete from governance_finding_key');
    // Earlier announcements are unknown, so the findings are announced again; the issues only count.
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

  it('restamp: keep open findings of carried subjects under the new rules', async () => {
    await write([gap('g1'), gap('g2'), gap('g3')]);
    await write([gap('g1'), gap('g2')], ALL);
    const [row] = await asHost(
      estate.url,
      `select gcos_restamp_findings(array(select coalesce_key from governance_finding_key where subject in ('g1', 'g3')) || array['no key'], '${RULES}', 'gov-rs-new')::int as stamped`,
    );
    expect(row).toEqual({ stamped: 1 });
    expect((await issues()).map((row) => row['evidence'].ruleset.holds)).toEqual([
      'gov-rs-new',
      RULES,
      RULES,
    ]);
  });

  it('leave no row if the transaction is rolled back', async () => {
    await estate.db.rehearse(RC, (tx) => writeFindings(tx, [gap('g1')], context()));
    expect(await issues()).toEqual([]);
  });
});

describe('findings', () => {
  it('are refused with an undeclared type or an invalid count', async () => {
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

  it('may have a type that the deployment added', async () => {
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

  it('have keys that are unique and fit into the column', async () => {
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
});
