// The console loads quickly: no screen needs more script than its limit. The build must be there.
import { expect, it } from 'vitest';
import { LIMIT_KB, screenSizes } from '../scripts/console-size.mjs';

it('no screen of the console needs more script than the limit', () => {
  const sizes = screenSizes();
  expect(sizes.map(({ screen }) => screen)).toContain('Overview');
  expect(sizes.filter(({ kb }) => kb > LIMIT_KB)).toEqual([]);
});
