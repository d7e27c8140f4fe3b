// What a worker exposes: metrics in the format of Prometheus, and a log without secrets.
import { describe, expect, it } from 'vitest';
import { type DutyState, makeLog } from '../../src/index.js';
import { exposeSamples } from '../../src/kernel/index.js';
import { gaugeSamples, processSamples, strikeOut, WORKER_METRICS } from '../../src/work/worker/index.js';
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

  it('are each exposed in some state of worker and database', async () => {
    const beat = {
      ...{
        executor: 'gcos_intake:birth_registry',
        worker: 'intake',
        source: 'birth_registry',
        state: 'running',
      },
      ...{ leaseOwner: null, lastTickAt: null, lastTickStatus: null, progressValue: null, progressAt: null },
      ...{ lagSeconds: 1, lastSuccessAt: null, failingSince: null, successSeconds: 2, failingSeconds: 3 },
      ...{ error: null, silentSeconds: 4, stalledSeconds: 5 },
    };
    const duty: DutyState = {
      ...{ duty: 'intake', state: 'working', reason: null, rounds: 1, errors: 2, failing: 0 },
      ...{ roundMs: null, lastRoundMs: 1_500 },
    };
    const text = await exposeSamples(WORKER_METRICS, {
      ...gaugeSamples({
        at: '2026-07-01 00:00:00Z',
        tail: {
          ...{ horizon: '1', horizonAge: 1n, horizonSeconds: 2, seenSize: 3n, gaps: 4n },
          ...{ maxId: 1n, lastWideAt: null, lastNearAt: null },
        },
        dirty: [{ kind: 'group', riskClass: 'write_high', rows: 1n, exposure: 8 }],
        recompute: 0n,
        held: 0n,
        deadLetters: new Map(),
        proofSeconds: 1,
        heartbeats: [beat],
        paused: false,
        watched: { seconds: 1, unwatched: false },
      }),
      ...processSamples([duty], 'healthy'),
      gcos_database_up: [{ value: 1 }],
    });
    const exposed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]);
    expect(exposed).toEqual(Object.entries(WORKER_METRICS).map(([name, { type }]) => [name, type]));
    expect(text).toContain('\ngcos_duty_last_round_seconds{duty="intake"} 1.5\n');
    expect(text).toContain(
      '\ngcos_heartbeat_lag_seconds{worker="intake",source="birth_registry",state="running"} 1\n',
    );
  });

  it('have no sample for what is unknown, and no label that is not declared', async () => {
    const declared = {
      lag: { type: 'gauge', help: 'one\ntwo', labels: { worker: ['a"\\\n'] } },
      letters: { type: 'gauge', help: 'letters', labels: { from: ['a'] }, combine: 'sum' },
      errors: { type: 'counter', help: 'errors', labels: { duty: ['a'] } },
      unknown: { type: 'gauge', help: 'absent' },
    } as const;
    const of = (label: string) => [
      { labels: { [label]: 'x' }, value: 2 },
      { labels: { [label]: 'y' }, value: 1 },
    ];
    const text = await exposeSamples(declared, {
      lag: [{ labels: { worker: 'a"\\\n' }, value: 1.5 }, ...of('worker')],
      letters: of('from'),
      errors: of('duty'),
      unknown: [],
    });
    expect(text.split('\n').filter((line) => line !== '')).toEqual([
      '# HELP lag one\\ntwo',
      '# TYPE lag gauge',
      'lag{worker="a\\"\\\\\\n"} 1.5',
      'lag{worker="other"} 2',
      '# HELP letters letters',
      '# TYPE letters gauge',
      'letters{from="other"} 3',
      '# HELP errors errors',
      '# TYPE errors counter',
      'errors{duty="other"} 3',
    ]);
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
