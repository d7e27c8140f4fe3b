// The pauses between wide rounds follow from how long a round takes, within limits.
import { expect, it } from 'vitest';
import { DEFAULT_PACE, pausesAfter } from '../../src/work/intake/intake.js';

it.each([
  { births: '10⁵', ms: 20, pauses: { busy: 5_000, quiet: 30_000 } },
  { births: '10⁷', ms: 750, pauses: { busy: 15_000, quiet: 250_000 } },
  { births: '10⁸', ms: 8_000, pauses: { busy: 30_000, quiet: 300_000 } },
])('are $pauses after a round of $ms ms ($births births)', ({ ms, pauses }) => {
  expect(pausesAfter(ms, DEFAULT_PACE)).toEqual(pauses);
});

it('keep the share of time that a setting gives wide rounds', () => {
  const pace = {
    ...DEFAULT_PACE,
    share: 0.1,
    quiet_share: 0.002,
    wide_most_ms: 60_000,
    quiet_most_ms: 600_000,
  };
  expect(pausesAfter(1_000, pace)).toEqual({ busy: 10_000, quiet: 500_000 });
});
