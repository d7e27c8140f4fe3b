// Waits for a condition, never for a guessed time. The deadline only ends a test that hangs, so it is far
// longer than a busy machine needs.
import { setTimeout as pause } from 'node:timers/promises';

const DEADLINE_MS = 120_000;

/**
 * Waits until `read` returns a value other than undefined and false. Fails with `what` at the deadline; a
 * benchmark may need a later one.
 */
export async function until<T>(
  what: string,
  read: () => Promise<T | undefined | false> | T | undefined | false,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await pause(20);
  }
}
