// A deleted birth leaves no row version. The next wide round notices it by the number of births, whatever was
// born meanwhile; and a scan that comes across the row of such an object ends it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask, inShort } from '../support/gate.js';
import { wrongGroupsOf } from '../support/tail.js';

/** In a class whose objects count one by one; its registry still lists it. */
const TOOL = { collection: 'dot_tools', code: 'DOT-118' };
/** The same, and no registry lists it. */
const JOB = { collection: 'publishing_jobs', code: 'PJB-000003' };
/** Listed by a registry, and never born. */
const LISTED = { collection: 'dot_tools', code: 'DOT-NEW' };
/** Represented by its group. */
const REVISION = { collection: 'article_revisions', code: 'AR-0000001' };

type Key = typeof TOOL;

describe('a deleted birth', () => {
  let estate: Estate;
  const sql = (text: string) => asHost(estate.url, text);
  const remove = ({ collection, code }: Key) =>
    sql(`delete from birth_registry where collection_name = '${collection}' and entity_code = '${code}'`);
  const rowsOf = ({ collection, code }: Key) =>
    sql(
      `select distinct row_state, candidate_verdict as verdict, input_quality_state as input, evidence ? 'source_row_gone' as gone
       from governance_candidate_object where collection_name = '${collection}' and entity_code = '${code}' and row_state <> 'superseded'`,
    );
  const TOMBSTONE = [{ row_state: 'retired', verdict: 'retired', input: null, gone: true }];
  const UNBORN = [
    { row_state: 'active', verdict: 'deferred_birth', input: 'birth_or_registry_missing', gone: false },
  ];
  beforeEach(async () => {
    estate = await createEstate('reconciled');
  });
  afterEach(() => estate?.close());

  it('is noticed by the next wide round, also if as many were born meanwhile', async () => {
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    expect(inShort(await ask(estate, REVISION))).toBe('allow');
    for (const key of [TOOL, JOB, REVISION]) await remove(key);
    await sql(
      `insert into birth_registry (entity_code, collection_name, species_code, dot_origin, governance_role, status)
       select 'NEW-' || n, b.collection_name, b.species_code, b.dot_origin, b.governance_role, b.status
       from generate_series(1, 3) as n, (select * from birth_registry where collection_name = 'article_revisions' order by id limit 1) as b`,
    );
    await estate.gcos.worker.once({ signal: new AbortController().signal, log: () => undefined });
    expect(await wrongGroupsOf(estate.db)).toEqual([]);
    expect(await rowsOf(JOB)).toEqual(TOMBSTONE);
    expect(await rowsOf(TOOL)).toEqual(UNBORN);
    expect(inShort(await ask(estate, TOOL))).toMatch('block');
    expect(inShort(await ask(estate, JOB))).toMatch('block');
    expect(inShort(await ask(estate, REVISION))).toMatch('block');
    // Nothing is left to do.
    expect(await estate.gcos.intakes.once()).toMatchObject({ tombstones: 0, applied: { dirtied: 0 } });
  });

  it('ends the expired row of its object in one scan, without a round of the intake', async () => {
    await remove(TOOL);
    await remove(JOB);
    await sql(
      `update governance_candidate_object set stale_after = now() - interval '1 minute'
       where row_state = 'active' and entity_code in ('${TOOL.code}', '${JOB.code}')`,
    );
    expect((await estate.gcos.scans.run({ mode: 'incremental' })).lookedAt).toBeGreaterThan(0);
    expect(await rowsOf(JOB)).toEqual(TOMBSTONE);
    expect(await rowsOf(TOOL)).toEqual(UNBORN);
    expect((await estate.gcos.scans.run({ mode: 'incremental' })).lookedAt).toBe(0);
    expect(inShort(await ask(estate, TOOL))).toMatch('block');
  });

  it('is not forgotten if nothing could be decided when it was noticed', async () => {
    await sql(
      `update governance_setting set setting_value = '{"share": 0.0001, "seconds": 60, "least": 0}' where setting_key = 'intake.storm'`,
    );
    // An unmapped action of the host marks a group, which now counts as a storm.
    await sql(
      `insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('dot_tool', 'DOT-117', 'looked_at', 'DOT-001')`,
    );
    await estate.gcos.intakes.once();
    await remove(JOB);
    await sql(`insert into dot_tools (dot_code, name, tier) values ('DOT-NEW', 'made up', 'A')`);
    await estate.gcos.intakes.once();
    expect(await rowsOf(JOB)).not.toEqual(TOMBSTONE);
    expect(await rowsOf(LISTED)).toEqual([]);
    await sql(
      `update governance_setting set setting_value = '{"share": 0.5, "seconds": 60, "least": 100}' where setting_key = 'intake.storm'`,
    );
    await estate.gcos.intakes.once();
    expect(await rowsOf(JOB)).toEqual(TOMBSTONE);
    expect(await rowsOf(LISTED)).toEqual(UNBORN);
    // Once only.
    expect(await estate.gcos.intakes.once()).toMatchObject({ tombstones: 0, applied: { dirtied: 0 } });
  });
});
