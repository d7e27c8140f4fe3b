// When a finding is announced: not while its parent is open, and not when it reopens within the cool-down.
import { describe, expect, it } from 'vitest';
import { coalesceKey } from '../../src/record/finding/index.js';
import { asHost } from '../support/database.js';
import { ALL, estate, gap, issues, useFindings, write } from '../support/findings.js';

useFindings();

describe('parents', () => {
  it('suppress the announcement of their children while they are open; GCOS announces those afterwards', async () => {
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

  it('that were never written suppress no announcement', async () => {
    const done = await write([gap('g1', { parentKey: 'gov:coverage:governance_orphan:missing:policy:' })]);
    expect(done.raised.map((each) => each.notify)).toEqual([true]);
  });

  it('that close with an unannounced child suppress the announcement of its end', async () => {
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

  it('suppresses the announcement of a finding that reopens within it, and announces it afterwards', async () => {
    expect((await write([critical], at('12:00:00'))).raised[0]?.notify).toBe(true);
    expect((await write([], { ...at('12:05:00'), ...ALL })).resolved[0]?.notify).toBe(true);
    expect((await write([critical], at('12:14:59'))).reopened).toMatchObject([{ notify: false }]);
    expect((await write([critical], at('12:14:59.9'))).reopened).toEqual([]);
    // Still open after the cool-down: it is announced once; the issue only counts the occurrence.
    const late = await write([critical], at('12:15:00'));
    expect(late).toMatchObject({ reopened: [{ notify: true }], repeated: 1 });
    expect((await write([critical], at('12:15:01'))).reopened).toEqual([]);
    expect((await issues())[0]).toMatchObject({ reopens: 1, n: 5 });
    // A finding that reopens and resolves within the cool-down is not announced.
    await write([], { ...at('12:16:00'), ...ALL });
    expect((await write([critical], at('12:17:00'))).reopened).toMatchObject([{ notify: false }]);
    expect((await write([], { ...at('12:18:00'), ...ALL })).resolved).toMatchObject([{ notify: false }]);
    expect((await write([critical], at('12:30:00'))).reopened).toMatchObject([{ notify: true }]);
  });

  it('is a setting, and a type may have its own value', async () => {
    const breakGlass = { ...gap('release-1'), type: 'gate_break_glass' };
    const breakGlassResolved = { evaluated: { types: ['gate_break_glass'], subjects: 'all' as const } };
    await write([breakGlass], at('12:00:00'));
    await write([], { ...at('12:00:01'), ...breakGlassResolved });
    expect((await write([breakGlass], at('12:00:02'))).reopened).toMatchObject([{ notify: true }]);
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
