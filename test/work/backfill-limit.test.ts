// The statement limit of a backfill and of a full scan: the setting GCOS_STATEMENT_TIMEOUT, as the error of a
// statement that reaches it says; and the progress of their searches of all births.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Gcos } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';

let estate: Estate;
let gcos: Gcos;
beforeEach(async () => {
  estate = await createEstate('ruled');
  gcos = await openAt(estate.url, { GCOS_STATEMENT_TIMEOUT: '77s' });
});
afterEach(async () => {
  await gcos?.close();
  await estate?.close();
});

/** Notes the statement limit of every transaction that writes one of the tables of verdicts. */
const noteLimits = () =>
  asHost(
    estate.url,
    `create table noted_limit (setting text);
     create function note_limit() returns trigger language plpgsql security definer set search_path = public as
       $$ begin insert into noted_limit values (current_setting('statement_timeout')); return null; end $$;
     ${[
       'governance_inventory',
       'governance_candidate_state',
       'governance_candidate_object',
       'evolution_snapshots',
     ]
       .map(
         (table) =>
           `create trigger note_limit after insert or update on ${table} for each statement execute function note_limit();`,
       )
       .join('\n')}`,
  );
const noted = async () =>
  (await asHost(estate.url, 'select distinct setting from noted_limit order by 1')).map(
    (row) => row['setting'],
  );

describe('a backfill and a full scan', () => {
  it('have the statement limit that GCOS_STATEMENT_TIMEOUT says', async () => {
    await noteLimits();
    await gcos.backfills.run({});
    expect(await noted()).toEqual(['77s']);
  });

  it('show how far the searches of all births and the comparison have come', async () => {
    const seen: [string, number, number][] = [];
    const onProgress = ({ step, done, total }: { step: string; done: number; total: number }) =>
      seen.push([step, done, total]);
    const runs = [
      () => gcos.backfills.run({ onProgress }),
      () => gcos.scans.run({ mode: 'full', onProgress }),
    ];
    for (const run of runs) {
      seen.length = 0;
      await run();
      expect(seen).toContainEqual(['search', 20_000, 20_000]);
      // The births are read once for the fingerprints, and once for the ledger.
      expect(seen).toContainEqual(['reconcile', 0.5, 4]);
      expect(seen).toContainEqual(['reconcile', 1, 4]);
    }
  });
});
