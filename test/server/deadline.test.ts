// The deadline of a request ends with its answer, whatever the answer is: a timer that stays would reject
// later, and an unhandled rejection ends the server.
import { expect, it } from 'vitest';
import { withDeadline } from '../../src/server/limits.js';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const never = () => new AbortController().signal;

it('ends when the request is refused before any work', async () => {
  const before = timers();
  await expect(
    withDeadline(60_000, never, () => {
      throw new Error('the server is stopping');
    }),
  ).rejects.toThrow('the server is stopping');
  expect(timers()).toBe(before);
  await expect(withDeadline(60_000, never, async () => 'answered')).resolves.toBe('answered');
  expect(timers()).toBe(before);
});
