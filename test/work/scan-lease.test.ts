// A lease is renewed beside the transactions that it protects. However long one takes, a renewal changes no
// row that the transaction writes, so that it commits at the first attempt.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

/** A lease that is renewed every 40 ms. */
const OFTEN = { leaseTtlMs: 120 };

let estate: Estate;
const sql = (text: string) => asHost(estate.url, text);
beforeAll(async () => {
  estate = await createEstate('scanned');
  // A sequence also counts what is rolled back.
  await sql(
    `create table public.noted (id bigserial, what text, during text);
     grant all on public.noted, public.noted_id_seq to public;
     create function public.note() returns trigger language plpgsql as $$
     begin
       insert into public.noted (what, during) values (tg_argv[0], new.worker);
       return null;
     end $$;
     create trigger note_renewal after update on gov_worker_lease for each row
     when (new.fence = old.fence and not new.released) execute function public.note('renewal');
     create trigger note_advance after update on gov_worker_cursor for each row
     when (new.fence = old.fence) execute function public.note('advance')`,
  );
});
afterAll(() => estate.close());

async function counts(worker: string) {
  const [row] = await sql(
    `select count(*) filter (where what = 'renewal' and during = '${worker}')::int as renewals,
       count(*) filter (where what = 'advance' and during = '${worker}')::int as advances,
       (select last_value from public.noted_id_seq)::int - count(*)::int as lost
     from public.noted`,
  );
  return row as { renewals: number; advances: number; lost: number };
}

it('commits a scan at the first attempt however often its lease is renewed meanwhile', async () => {
  await sql(
    `update governance_candidate_state set dirty = true, dirty_reason = 'handoff:authority_changed', dirtied_at = now() - interval '1 hour'
     where row_state = 'active'`,
  );
  const report = await estate.gcos.scans.run({ mode: 'incremental', ...OFTEN });
  expect(report.lookedAt).toBeGreaterThan(100);
  const seen = await counts('scan');
  expect(seen.renewals).toBeGreaterThan(1);
  expect(seen.advances).toBeGreaterThan(0);
  expect(seen.lost).toBe(0);
});

it('commits a full scan and a backfill at the first attempt, too', async () => {
  await estate.gcos.scans.run({ mode: 'full', ...OFTEN });
  await estate.gcos.backfills.run({ ...OFTEN });
  const seen = await counts('closing_run');
  expect(seen.renewals).toBeGreaterThan(3);
  expect(seen.lost).toBe(0);
});
