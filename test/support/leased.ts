// An installed estate and a worker's login for each test of cursors, leases and retries.
import { afterEach, beforeEach } from 'vitest';
import type { Database } from '../../src/db/index.js';
import type { Gcos } from '../../src/index.js';
import {
  acquireLease,
  advance,
  type Failure,
  type Lease,
  type LeaseRequest,
  readCursor,
  recordFailures,
} from '../../src/record/cursor/index.js';
import { setClock } from './clock.js';
import { openDatabase } from './database.js';
import { createEstate, type Estate } from './estate.js';
import { mapTester } from './events.js';
import { createPeople, type People } from './people.js';

export const committed = { isolation: 'read committed' } as const;
export const AT = '2026-06-01 12:00:00+00';
export const source = 'feed';

export let estate: Estate;
/** The database with a worker's login; `api` has a login of the API. */
export let db: Database;
export let workerUrl: string;
export let api: { readonly login: string; readonly url: string; readonly gcos: Gcos };

/** Provides a new estate and both logins for each test of the file; the DBA is the person `tester`. */
export function useWorkerLogin(): void {
  let people: People | undefined;
  beforeEach(async () => {
    estate = await createEstate('installed');
    await mapTester(estate.url);
    people = createPeople(estate.url);
    workerUrl = (await people.login('worker', 'gcos_worker')).url;
    api = await people.login('api', 'gcos_api');
    db = openDatabase(workerUrl);
  });
  afterEach(async () => {
    await db?.close();
    await people?.close();
    await estate?.close();
  });
}

export async function take(request: Partial<LeaseRequest> = {}): Promise<Lease> {
  const lease = await acquireLease(db, { worker: 'tester', source, holder: 'one', ...request });
  if (lease === undefined) throw new Error('the lease is not free');
  return lease;
}

export const cursorOf = (lease: Lease, round = 'main'): ReturnType<typeof readCursor> =>
  db.transaction(committed, (tx) => readCursor(tx, lease, round));

/** Records these failures at the time `at`, where the clock stops, and advances the cursor. */
export async function fail(lease: Lease, failures: readonly Failure[], at = AT) {
  await setClock(estate.url, { at });
  return lease.work(committed, async (tx) => {
    const recorded = await recordFailures(tx, lease, 'main', failures);
    await advance(tx, lease, 'main', {});
    return recorded;
  });
}
export const item = (ref: string): Failure => ({ table: 'feed', ref, error: 'no' });
/** Fails one item until it becomes a dead letter. */
export async function bury(lease: Lease, ref: string): Promise<void> {
  for (let n = 0; n < 5; n += 1) await fail(lease, [item(ref)]);
}
