// The ceiling: findings of one type for one recipient above the ceiling become one summary.
import { describe, expect, it } from 'vitest';
import { coalesceKey } from '../../src/record/finding/index.js';
import { ALL, evaluated, gap, issues, RULES, useFindings, write } from '../support/findings.js';

useFindings();

describe('ceiling', () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => gap(`c${String(from + n).padStart(5, '0')}`));

  it('replaces findings without a row by one summary with the exact count, and writes rows again below it', async () => {
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

    // Still above: the summary has the new number and keeps the rules under which it was raised.
    await write(many(1, 1_000), ALL);
    expect((await summary())?.['evidence']).toMatchObject({
      facts: { findings: 997 },
      ruleset: { raised: RULES },
    });
    expect((await summary())?.['n']).toBe(4_997 + 997);
    // An evaluation of a few subjects does not resolve the summary.
    expect((await write([], evaluated('summary', 'c00004'))).resolved).toEqual([]);

    const below = await write(many(1, 200), ALL);
    expect(below.resolved.map((each) => each.subject)).toEqual(['summary']);
    expect(below.raised).toHaveLength(197);
    expect(below.repeated).toBe(3);
    expect((await issues()).filter((row) => row['status'] === 'open')).toHaveLength(200);
  });

  it('is counted per type and route, and a parent above it is represented by its summary', async () => {
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
    // Children above the ceiling become a summary under the summary of their parents.
    const more = await write([...parents, ...children.slice(10)]);
    expect(more.raised).toMatchObject([{ type: 'audit_gap', subject: 'summary', notify: false, count: 290 }]);
  });
});
