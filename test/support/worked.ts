// A backfilled estate and the URL of a login with a worker's rights, for tests of the worker; and waiting for what it does.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { createEstate, type Estate } from './estate.js';
import { createPeople, type People } from './people.js';

export let estate: Estate;
export let workerUrl: string;

/** Provides them for the file that calls this. */
export function useWorked(): void {
  let people: People | undefined;
  beforeAll(async () => {
    estate = await createEstate('backfilled');
    people = createPeople(estate.url);
    workerUrl = (await people.login('worker', 'gcos_worker')).url;
  });
  afterAll(async () => {
    await people?.close();
    await estate?.close();
  });
}

/** Waits until it is so, and says what it waited for if it never is. */
export async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await pause(50);
  }
}
