// What a worker exposes: metrics in the format of Prometheus, and a log without secrets.
import { describe, expect, it } from 'vitest';
import { makeLog } from '../../src/index.js';
import { expositionText, strikeOut } from '../../src/work/worker/index.js';
import { asHost } from '../support/database.js';
import { estate, useWorked } from '../support/worked.js';

describe('the metrics', () => {
  describe('of an estate', () => {
    useWorked();

    it('weight dirty rows by risk and time', async () => {
      await asHost(
        estate.url,
        `update governance_candidate_state set dirty = false, dirty_reason = null, dirtied_at = null;
         update governance_candidate_object set dirty = false, dirty_reason = null, dirtied_at = null`,
      );
      const mark = (risk: string, seconds: number) =>
        asHost(
          estate.url,
          `update governance_candidate_state set dirty = true, dirty_reason = 'test', dirtied_at = timestamptz '2026-07-01 00:00:00Z' - interval '${seconds} seconds'
           where row_id = (select min(row_id) from governance_candidate_state where row_state = 'active' and risk_class = '${risk}') returning 1`,
        );
      expect(await mark('write_high', 100)).toHaveLength(1);
      expect(await mark('descriptive', 50)).toHaveLength(1);
      const gauges = await estate.gcos.worker.gauges('2026-07-01 00:00:00Z');
      expect(gauges.dirty).toEqual([
        { kind: 'group', riskClass: 'descriptive', rows: 1n, exposure: 50 },
        { kind: 'group', riskClass: 'write_high', rows: 1n, exposure: 800 },
      ]);
      // A year later all verdicts have expired: no more rows are dirty, but all of them wait.
      const { dirty } = await estate.gcos.worker.gauges('2027-12-01 00:00:00Z');
      expect(dirty.reduce((rows, each) => rows + each.rows, 0n)).toBe(2n);
      expect(dirty.map((each) => each.kind)).toContain('object');
    });
  });

  it('are written in the text format of Prometheus', () => {
    expect(
      expositionText([
        { name: 'a', help: 'one\ntwo', type: 'gauge', samples: [{ labels: { x: 'q"\\\n' }, value: 1.5 }] },
        { name: 'b', help: 'none', type: 'gauge', samples: [] },
      ]),
    ).toBe('# HELP a one\\ntwo\n# TYPE a gauge\na{x="q\\"\\\\\\n"} 1.5\n');
  });
});

describe('the log', () => {
  it('contains no database password', () => {
    const lines: string[] = [];
    makeLog((line) => lines.push(line))('error', 'x', {
      error:
        'connecting to postgresql://user:s3cret@db.example:5432/host?sslmode=require failed; password=s3cret, PGPASSWORD=s3cret',
    });
    expect(lines.join()).not.toContain('s3cret');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', event: 'x' });
    expect(strikeOut('postgres://a:b@h/d')).toBe('postgres://***@h/d');
  });
});
