// Later runs of a backfill: after changes to the host or to candidate rows, the next run detects them and
// closes again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackfillReport } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { keepRulesInForce } from '../support/ruleset-in-force.js';

describe('a later run', () => {
  let estate: Estate;
  const all = (sql: string) => asHost(estate.url, sql);
  const one = async (sql: string) => (await all(sql))[0] ?? {};
  const run = () => estate.gcos.backfills.run({});
  const closes = (report: BackfillReport) => report.proof.closed && report.ledger?.closes === true;
  /** The number of live rows of an object, and their lifecycle status. */
  const rowsOf = (code: string, collection = 'dot_tools') =>
    one(
      `select count(*)::int as rows, min(i.lifecycle_status) as status from governance_candidate_object o
       join governance_inventory i using (inventory_key)
       where o.collection_name = '${collection}' and o.entity_code = '${code}' and o.row_state = 'active'`,
    );
  const limitTail = (roundRows: number, rebaseRows: number) =>
    all(
      `update governance_setting set setting_value = '{"round_rows": ${roundRows}, "rebase_rows": ${rebaseRows}, "gaps": 1000}' where setting_key = 'tail.limits'`,
    );
  beforeEach(async () => {
    estate = await createEstate('backfilled');
  });
  afterEach(() => estate.close());

  it("closes after a member's status changed in its registry, and moves the object to its new group", async () => {
    expect(await rowsOf('DOT-119')).toEqual({ rows: 6, status: 'active' });
    await all(`update dot_tools set status = 'paused_for_test' where dot_code = 'DOT-119'`);
    const report = await run();
    expect(await rowsOf('DOT-119')).toEqual({ rows: 6, status: 'paused_for_test' });
    expect(closes(report)).toBe(true);
  });

  it('closes after a profile lets members inherit, and after it no longer does', async () => {
    await all(`update coverage_profile set inherits = true where class_pattern = 'dot_tool'`);
    await keepRulesInForce(estate.gcos);
    expect(closes(await run())).toBe(true);
    expect(await rowsOf('DOT-117')).toMatchObject({ rows: 0 });
    await all(`update coverage_profile set inherits = false where class_pattern = 'dot_tool'`);
    await keepRulesInForce(estate.gcos);
    expect(closes(await run())).toBe(true);
    expect(await rowsOf('DOT-117')).toMatchObject({ rows: 6 });
  });

  it('takes in births that an earlier verification read but could not process', async () => {
    await limitTail(10, 20);
    await all(
      `insert into birth_registry (entity_code, collection_name, status) select 'V-' || n, 'dot_tools', 'born' from generate_series(1, 50) n`,
    );
    expect((await estate.gcos.backfills.verify()).proof.closed).toBe(true);
    const report = await run();
    expect(await rowsOf('V-50')).toMatchObject({ rows: 6 });
    expect(closes(report)).toBe(true);
  });

  it('takes in the births of a run that was interrupted after it had read all births again', async () => {
    await limitTail(10, 20);
    await all(
      `insert into birth_registry (entity_code, collection_name, status) select 'W-' || n, 'dot_tools', 'born' from generate_series(1, 50) n`,
    );
    const stop = new AbortController();
    const interrupted = estate.gcos.backfills.run({
      signal: stop.signal,
      // The comparison that follows completes; the run stops after it.
      onProgress: ({ step }) => step === 'reconcile' && stop.abort(new Error('interrupted')),
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'operation_cancelled' });
    expect(await rowsOf('W-50')).toMatchObject({ rows: 0 });
    const report = await run();
    expect(await rowsOf('W-50')).toMatchObject({ rows: 6 });
    expect(closes(report)).toBe(true);
  });

  it('evaluates expired and dirty rows again, including those of objects', async () => {
    const invalid = () =>
      one(
        `select count(*)::int as rows from governance_candidate_object o join governance_validity(now()) v using (row_id)
         where o.row_state = 'active' and not v.valid`,
      );
    await all(`update governance_candidate_object set stale_after = now() - interval '1 second'`);
    await all(
      `update governance_object_ownership set owner_gov_code = 'GOV-DOT' where object_type = 'collection' and object_ref = 'dot_tools'`,
    );
    expect((await invalid())['rows']).toBeGreaterThan(1_000);
    expect(closes(await run())).toBe(true);
    expect(await invalid()).toEqual({ rows: 0 });
    expect(await run()).toMatchObject({ changedRows: 0n });
  });

  it('detects rows of an object that were deleted by hand and writes them again; the run after it closes', async () => {
    await all(
      `delete from governance_candidate_object where collection_name = 'dot_tools' and entity_code = 'DOT-117'`,
    );
    const report = await run();
    expect(report.proof.closed).toBe(true);
    expect(report.ledger?.closes).toBe(false);
    expect(await rowsOf('DOT-117')).toMatchObject({ rows: 6 });
    expect(closes(await run())).toBe(true);
  });

  it('does the same for rows of weight zero: a malformed birth and a duplicate key in a container', async () => {
    await all(
      `insert into birth_registry (entity_code, collection_name, status) values ('', 'orders', 'born'), ('D-1', 'orders', 'born'), ('D-1', 'orders', 'born')`,
    );
    expect(closes(await run())).toBe(true);
    for (const code of ['', 'D-1']) expect(await rowsOf(code, 'orders')).toMatchObject({ rows: 6 });
    await all(
      `delete from governance_candidate_object where collection_name = 'orders' and entity_code in ('', 'D-1')`,
    );
    expect(closes(await run())).toBe(false);
    for (const code of ['', 'D-1']) expect(await rowsOf(code, 'orders')).toMatchObject({ rows: 6 });
    expect(closes(await run())).toBe(true);
  });
});
