// A lease that is given up with the last of its work: free once that is committed, and not a moment before.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acquireLease, advance, type Lease } from '../../src/record/cursor/index.js';
import { createEstate, type Estate } from '../support/estate.js';

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('installed');
});
afterAll(() => estate.close());

const WORK = { isolation: 'repeatable read', retries: 2 } as const;
const take = (source: string, holder = 'one') =>
  acquireLease(estate.db, { worker: 'tester', source, holder });
async function mustTake(source: string): Promise<Lease> {
  const lease = await take(source);
  if (lease === undefined) throw new Error('the lease is not free');
  return lease;
}

it('is free for others once the work is committed, and giving it up again changes nothing', async () => {
  const lease = await mustTake('leaves');
  await lease.work(WORK, async (tx) => {
    await advance(tx, lease, 'main', {});
    await lease.releaseWith(tx);
    expect(await take('leaves', 'two'), 'not before').toBeUndefined();
  });
  const next = await take('leaves', 'two');
  expect(next?.fence).toBe(lease.fence + 1n);
  expect(await lease.release()).toBe(true);
  expect(await take('leaves', 'three'), 'the next one has it').toBeUndefined();
});

it('is kept where the work was undone, and then given up as ever', async () => {
  const lease = await mustTake('stays');
  await expect(
    lease.work(WORK, async (tx) => {
      await lease.releaseWith(tx);
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  expect(await take('stays', 'two')).toBeUndefined();
  expect(await lease.release()).toBe(true);
  expect(await take('stays', 'two')).toBeDefined();
});

it('is kept where the work was repeated and stayed the second time', async () => {
  const lease = await mustTake('repeats');
  let tries = 0;
  await lease.work(WORK, async (tx) => {
    tries += 1;
    if (tries > 1) return;
    await lease.releaseWith(tx);
    await tx.script(`do $body$ begin raise exception 'once more' using errcode = '40001'; end $body$`);
  });
  expect(tries).toBe(2);
  expect(await take('repeats', 'two')).toBeUndefined();
  expect(await lease.release()).toBe(true);
  expect(await take('repeats', 'two')).toBeDefined();
});
