// Who hears of a finding, and when: parents speak for their children, and what comes back soon is quiet.
import { describe, expect, it } from 'vitest';
import { coalesceKey } from '../../src/record/finding/index.js';
import { asHost } from '../support/database.js';
import { ALL, estate, gap, issues, useFindings, write } from '../support/findings.js';

useFindings();

describe('parents', () => {
  it('speak for their children while they are open; what they did not say is told afterwards', async () => {
    const parentKey = coalesceKey({ type: 'governance_orphan', subject: 'g1', scope: 'policy' }, 'coverage');
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
    const parentKey = coalesceKey({ type: 'governance_orphan', subject: 'g1', scope: 'policy' }, 'coverage');
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
  });
});
