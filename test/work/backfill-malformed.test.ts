// One birth in a hundred is malformed, and some cannot be written. The backfill accounts for all of them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackfillReport } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { type Estate, prepareEstate } from '../support/estate.js';

const MALFORMED = `
  insert into birth_registry (entity_code, collection_name, species_code, status, born_at)
  select case n % 10
      when 0 then repeat(md5(n::text), 60)
      when 1 then 'ctl-' || chr(1 + n % 8) || n
      when 2 then 'A:' || n || '/x'
      when 3 then 'BOTH-' || n / 10
      when 4 then 'FAR-' || n
      when 5 then 'PAST-' || n
      when 6 then 'OLD-' || n
      when 7 then 'NEXT-' || n
      when 8 then ''
      else 'TWICE-' || n / 20 end,
    case when n % 10 = 3 and n % 20 >= 10 then 'payments' when n % 7 = 0 then 'nobody_knows_' || n % 3 else 'orders' end,
    null, 'born',
    case n % 10 when 4 then 'infinity' when 5 then '-infinity' when 6 then '1970-01-01' when 7 then '2999-12-31' else '2026-04-01' end::timestamptz
  from generate_series(1, 190) n;
  insert into birth_registry (id, entity_code, collection_name, status)
  select -n, 'NEG-' || n, case n % 2 when 0 then 'orders' else 'dot_tools' end, 'born' from generate_series(1, 10) n;`;

describe('malformed and failing births', () => {
  let estate: Estate;
  let report: BackfillReport;
  const all = (sql: string) => asHost(estate.url, sql);
  const prepared = prepareEstate('ruled', async ({ url, gcos }) => {
    // The injected constraint prevents GCOS from writing these objects.
    await asHost(
      url,
      `drop index if exists birth_registry_entity_idx; ${MALFORMED}
       alter table governance_candidate_object add constraint injected check (entity_code not in ('DOT-050', 'DOT-051', 'NEG-3'));
       update governance_setting set setting_value = '{"attempts": 2, "base_seconds": 0.001, "cap_seconds": 0.001}' where setting_key = 'worker.retry'`,
    );
    report = await gcos.backfills.run({});
  });
  beforeEach(async () => {
    estate = await prepared.copy();
  });
  afterEach(() => estate.close());
  /** Removes the constraint, retries the births that were set aside, and runs the backfill again. */
  const retryWithoutFault = async () => {
    await all('alter table governance_candidate_object drop constraint injected');
    await estate.gcos.deadLetters.retry({ origin: 'closing_run' });
    return estate.gcos.backfills.run({});
  };

  it('are all accounted for: the running and the set-aside counts add up to the independent recount', async () => {
    expect(report.proof).toMatchObject({ closed: true, omitted: 0n, duplicated: 0n, setAside: 3n });
    expect(report.ledger?.closes).toBe(true);
    expect(
      await all(
        `select (select count(*) from birth_registry) - (select sum(member_count) from governance_inventory) as missing`,
      ),
    ).toEqual([{ missing: '3' }]);
    const letters = await estate.gcos.deadLetters.list({ origin: 'closing_run', limit: 10 });
    expect(report.retrying + report.deadLettered).toBe(3n);
    expect(letters.letters.length).toBe(Number(report.deadLettered));
  });

  it('raise one finding once they are dead letters, which supervision keeps open, and another one when there are too many', async () => {
    const open = async () =>
      (
        await all(
          `select issue_type from system_issues where issue_type in ('backfill_batch_failed', 'backfill_dlq_overflow') and status = 'open' order by 1`,
        )
      ).map((row) => row['issue_type']);
    const again = await estate.gcos.backfills.run({});
    expect(again).toMatchObject({ deadLettered: 3n, retrying: 0n });
    expect(await open()).toEqual(['backfill_batch_failed']);
    await estate.gcos.supervise();
    expect(await open()).toEqual(['backfill_batch_failed']);
    await all(
      `update governance_setting set setting_value = setting_value || '{"dead_letter_overflow": 2}' where setting_key = 'worker.watch'`,
    );
    await estate.gcos.backfills.run({});
    expect(await open()).toEqual(['backfill_dlq_overflow']);
  });

  it('have their own rows when their input is bad, and do not change the verdict of their group', async () => {
    const bad = await all(
      `select distinct o.input_quality_state from governance_candidate_object o where o.materialization_reason = 'input' order by 1`,
    );
    expect(bad.map((row) => row['input_quality_state'])).toEqual(
      expect.arrayContaining(['duplicate', 'invalid_schema']),
    );
    expect(
      await all(
        `select distinct s.candidate_verdict from governance_candidate_state s join governance_inventory i using (inventory_key)
         where i.source_registry = 'orders' and i.lifecycle_status = 'born' and s.row_state = 'active' and s.candidate_verdict = 'needs_input'`,
      ),
    ).toEqual([]);
  });

  it('are taken in by the next run once the constraint is removed', async () => {
    // After the last attempt they are dead letters.
    expect(await estate.gcos.backfills.run({})).toMatchObject({ deadLettered: 3n });
    const again = await retryWithoutFault();
    expect(again.proof).toMatchObject({ closed: true, setAside: 0n, omitted: 0n, duplicated: 0n });
    expect(again).toMatchObject({ deadLettered: 0n, retrying: 0n });
    expect(
      await all(
        `select (select count(*) from birth_registry) - (select sum(member_count) from governance_inventory) as missing`,
      ),
    ).toEqual([{ missing: '0' }]);
  });

  it('are set aside by a later run too, and its proof counts them', async () => {
    const missing = () =>
      all(
        `select ((select count(*) from birth_registry) - (select sum(member_count) from governance_inventory))::int as missing,
           (select bool_or(recompute_needed) from governance_inventory) as marked`,
      );
    await estate.gcos.backfills.run({});
    await retryWithoutFault();
    await all(
      `alter table governance_candidate_object add constraint injected check (entity_code not in ('LATE-1'))`,
    );
    await all(
      `insert into birth_registry (entity_code, collection_name, status) values ('LATE-1', 'dot_tools', 'born'), ('LATE-2', 'dot_tools', 'born')`,
    );
    const late = await estate.gcos.backfills.run({});
    expect(late.proof).toMatchObject({ closed: true, setAside: 1n, omitted: 0n, duplicated: 0n });
    expect(late.retrying + late.deadLettered).toBe(1n);
    expect(late.ledger?.closes).toBe(true);
    expect(await missing()).toEqual([{ missing: 1, marked: false }]);
    // After an update the birth is still set aside; after its deletion it is no longer counted.
    await all(`update birth_registry set status = 'retired' where entity_code = 'LATE-1'`);
    expect((await estate.gcos.backfills.run({})).proof).toMatchObject({ closed: true, setAside: 1n });
    await all(`delete from birth_registry where entity_code = 'LATE-1'`);
    const gone = await estate.gcos.backfills.run({});
    expect(gone.proof).toMatchObject({ closed: true, setAside: 0n });
    expect(gone.ledger?.closes).toBe(true);
    expect(await missing()).toEqual([{ missing: 0, marked: false }]);
  });
});
