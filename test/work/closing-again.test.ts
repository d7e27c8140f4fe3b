// A closing run after another one: the ledger is the same if nothing changed, and counts rows that the run
// itself renewed.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackfillReport } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate, prepareEstate } from '../support/estate.js';

describe('the ledger of a closing run', () => {
  let estate: Estate;
  let before: BackfillReport;
  const prepared = prepareEstate('backfilled', async ({ gcos }) => {
    before = await gcos.backfills.run({});
  });
  beforeEach(async () => {
    estate = await prepared.copy();
  });
  afterEach(() => estate.close());

  const terms = ({ ledger }: BackfillReport) =>
    ledger?.scopes.map(({ scope, total, unverified, closes }) => ({ scope, total, unverified, closes }));
  const run = () => estate.gcos.backfills.run({});

  it('is the same if nothing changed, and the run writes nothing', async () => {
    const again = await run();
    expect(again.changedRows).toBe(0n);
    expect(terms(again)).toEqual(terms(before));
  });

  it('counts dirty groups as valid after the run itself has renewed them', async () => {
    await asHost(
      estate.url,
      `update governance_candidate_state set dirty = true, dirty_reason = 'test', dirtied_at = now() where row_state = 'active'`,
    );
    expect(terms(await run())).toEqual(terms(before));
  });

  it('counts rows that other sessions changed since the last closing run', async () => {
    await asHost(
      estate.url,
      `update governance_candidate_object set dirty = true, dirty_reason = 'test', dirtied_at = now() where row_state = 'active'`,
    );
    expect(terms(await run())).toEqual(terms(before));
    await asHost(
      estate.url,
      `update governance_candidate_state set stale_after = now() - interval '1 hour' where row_state = 'active'`,
    );
    expect(terms(await run())).toEqual(terms(before));
  });

  it('closes after a birth was added, and is the same in the next run', async () => {
    await asHost(
      estate.url,
      `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, status, governance_role)
       select 'BESIDE-1', collection_name, species_code, composition_level, dot_origin, status, governance_role
       from birth_registry where collection_name = 'invoice_lines' order by id limit 1`,
    );
    const after = await run();
    expect(after.proof.closed).toBe(true);
    expect(after.ledger?.closes).toBe(true);
    expect(terms(await run())).toEqual(terms(after));
  });

  it('updates table statistics after writing, and does not wait for a session that holds a lock on a table', async () => {
    const fresh = await createEstate('ruled');
    const busy = new pg.Client({ connectionString: fresh.url });
    await busy.connect();
    await busy.query('begin; lock table governance_candidate_state in share update exclusive mode');
    await fresh.gcos.backfills.run({});
    await busy.end();
    const [counted] = await asHost(
      fresh.url,
      `select bool_and(reltuples > 0) as counted from pg_class
       where relname = 'governance_candidate_object'`,
    );
    expect(counted).toEqual({ counted: true });
    await fresh.close();
  });
});
