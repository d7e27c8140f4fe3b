// A backfill is killed repeatedly at random moments while births, updates, moves and deletions arrive.
import { describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate } from '../support/estate.js';
import { startWorkerProcess } from '../support/worker-process.js';

const KILLS = 30;

/** A small random generator: a seed gives the same choices on every machine. */
function choices(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('SIGKILL at 30 random moments of a sweep (seed 31)', () => {
  it('the resumed run closes, the proof holds, and no birth is counted twice', async () => {
    const estate = await createEstate('ruled');
    const random = choices(31);
    let writing = true;
    try {
      await asHost(
        estate.url,
        `update governance_setting set setting_value = '{"first_batch": 150, "largest_batch": 300, "target_ms": 400}' where setting_key = 'backfill.pace'`,
      );
      const writer = (async () => {
        const collections = ['orders', 'articles', 'dot_tools', 'payments', 'publishing_jobs'];
        for (let n = 0; writing; n += 1) {
          const id = 1 + Math.floor(random() * 20_000);
          const collection = collections[Math.floor(random() * collections.length)];
          await asHost(
            estate.url,
            [
              `insert into birth_registry (entity_code, collection_name, status) values ('K-${n}', '${collection}', 'born')`,
              `update birth_registry set status = 'retired' where id = ${id}`,
              `update birth_registry set collection_name = '${collection}' where id = ${id}`,
              `delete from birth_registry where id = ${id}`,
              `insert into birth_registry (entity_code, collection_name, born_at) values ('B-${n}', '${collection}', '2026-03-01')`,
            ][n % 5] ?? '',
          );
        }
      })();
      let finished = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const process = startWorkerProcess(
          { url: estate.url, leaseTtlMs: 250, parts: kill % 3 === 2 ? 2 : 1 },
          'backfill-process.mjs',
        );
        await process.waitForState('open');
        // In two of three rounds, waits until the sweep has started, however slow the machine is.
        if (kill % 3 !== 0)
          await Promise.race([process.waitForState('sweep').catch(() => undefined), process.ended]);
        const moment = new Promise((resolve) => setTimeout(resolve, random() * 200));
        await Promise.race([moment, process.ended]);
        if (process.reports.some((each) => each['state'] === 'done')) finished += 1;
        await process.end();
      }
      writing = false;
      await writer;
      // The process that was killed last leaves a lease of 250 ms.
      const report = await estate.gcos.backfills.run({});
      expect(report.proof).toMatchObject({
        closed: true,
        omitted: 0n,
        duplicated: 0n,
        mismatchedGroups: [],
      });
      expect(report.ledger?.closes).toBe(true);
      expect(report.resumed || finished > 0).toBe(true);
      const [counts] = await asHost(
        estate.url,
        `select (select count(*) from birth_registry)::int as births, (select sum(member_count) from governance_inventory)::int as running,
           (select count(*) from gov_backfill_partial)::int as left_over`,
      );
      expect(counts?.['running']).toBe(counts?.['births']);
      expect(counts?.['left_over']).toBe(0);
      expect(
        await asHost(estate.url, `select run_id from candidate_scan_run where status = 'running'`),
      ).toEqual([]);
    } finally {
      writing = false;
      await estate.close();
    }
  }, 600_000);
});
