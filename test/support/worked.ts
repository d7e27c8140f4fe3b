// An estate with a fresh ledger, so that no audit is due, and the URL of a login with a worker's rights, for
// tests of the worker.
import { afterEach, beforeEach } from 'vitest';
import { createEstate, type Estate } from './estate.js';
import { createPeople, type People } from './people.js';

export let estate: Estate;
export let workerUrl: string;

/** Provides a new estate and the login for each test of the file. */
export function useWorked(): void {
  let people: People | undefined;
  beforeEach(async () => {
    estate = await createEstate('scanned');
    people = createPeople(estate.url);
    workerUrl = (await people.login('worker', 'gcos_worker')).url;
  });
  afterEach(async () => {
    await people?.close();
    await estate?.close();
  });
}
