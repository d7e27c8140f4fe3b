// Waiting for what others bring about: always for a condition, never for a guessed time. The deadline only ends what hangs, so it is far
// beyond what a busy machine needs.
import { setTimeout as pause } from 'node:timers/promises';

const DEADLINE_MS = 120_000;

/** Waits until `look` gives something, and returns that; fails with `what` if it never does. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`not within ${DEADLINE_MS} ms: ${what}`);
    await pause(20);
  }
}
