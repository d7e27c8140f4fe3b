// A scan whose rows another session changes at the same time starts again without an error.
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { until } from '../support/wait.js';

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('backfilled');
});
afterAll(() => estate.close());

/** Waits until a session of GCOS waits for a lock. */
const untilScanWaits = () =>
  until('a session of GCOS waits for a lock', async () => {
    const [row] = await asHost(
      estate.url,
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and application_name like 'gcos%'`,
    );
    return Number(row?.['n']) > 0;
  });

it('a scan starts again when another session has changed a row it was about to write', async () => {
  for (let round = 0; round < 4; round += 1) {
    const [row] = await asHost(
      estate.url,
      `update governance_candidate_state c set dirty = true, dirty_reason = 'handoff:authority_changed', dirtied_at = now() - interval '1 hour'
       from (select inventory_key from governance_candidate_state where row_state = 'active' group by 1 order by 1 offset ${round} limit 1) m
       where c.inventory_key = m.inventory_key and c.row_state = 'active' returning c.row_id::text as row_id`,
    );
    const other = new pg.Client({ connectionString: estate.url });
    await other.connect();
    await other.query('begin');
    await other.query('update governance_candidate_state set updated_at = now() where row_id = $1', [
      row?.['row_id'],
    ]);
    const scanning = estate.gcos.scans.run({ mode: 'incremental' });
    await untilScanWaits();
    await other.query('commit');
    await other.end();
    const { lookedAt } = await scanning;
    expect(lookedAt).toBeGreaterThan(0);
  }
});
