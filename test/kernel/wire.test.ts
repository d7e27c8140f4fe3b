// The encoder of all data that GCOS prints, stores as documents or exports.
import { describe, expect, it } from 'vitest';
import { toWire } from '../../src/kernel/index.js';

describe('toWire', () => {
  it('writes names in snake_case, integers as text and times in RFC 3339, and omits undefined', () => {
    expect(
      toWire({
        runId: 'r',
        elapsedMs: 12,
        snapshotId: 9_007_199_254_740_993n,
        at: '2026-11-16 08:00:00.123456+00',
        absent: null,
        missing: undefined,
        scopes: [{ verifiedShare: 0.5, class_0: 6, unverifiedBy: { needs_input: 1, 'GOV-SIV': 2 } }],
      }),
    ).toEqual({
      run_id: 'r',
      elapsed_ms: 12,
      snapshot_id: '9007199254740993',
      at: '2026-11-16T08:00:00.123456Z',
      absent: null,
      scopes: [{ verified_share: 0.5, class_0: 6, unverified_by: { needs_input: 1, 'GOV-SIV': 2 } }],
    });
  });

  it('copies documents of the host and of rules unchanged, except for integers', () => {
    const action = { changeOwner: { toTeam: 'a' }, at: '2026-11-16 08:00:00+00', size: 1n };
    expect(toWire({ proposedAction: action })).toEqual({ proposed_action: { ...action, size: '1' } });
  });

  it('leaves text unchanged that only resembles a time', () => {
    for (const text of ['2026-11-16', 'at 2026-11-16 08:00:00+00', '2026-11-16 08:00:00+02', 'infinity'])
      expect(toWire(text)).toBe(text);
  });
});
