// A closing run after another one: the ledger is the same where nothing is new, and counts what the run itself has renewed.
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
  it('is the same where nothing is new, and nothing is written', async () => {
    const again = await run();
    expect(again.changedRows).toBe(0n);
    expect(terms(again)).toEqual(terms(before));
  });

  it('counts what the round itself has renewed: groups that were dirty hold again', async () => {
    await asHost(
      estate.url,
      `update governance_candidate_state set dirty = true, dirty_reason = 'test', dirtied_at = now() where row_state = 'active'`,
    );
    expect(terms(await run())).toEqual(terms(before));
  });

  it('counts what others have written since it was last closed', async () => {
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

  it('looks at all births again after one that was added, and after one that was not taken in by it', async () => {
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

  it('leaves the server with statistics of the rows it wrote, and waits for nobody who is counting', async () => {
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
