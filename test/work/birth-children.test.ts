// Inheritance children of birth_registry are part of it: attached or detached while GCOS watches, written to,
// and with ids that the parent also has. A child without row versions stops the intake, and the doctor
// refuses it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask, inShort } from '../support/gate.js';
import { wrongGroupsOf } from '../support/tail.js';

const OBJECT = { collection: 'article_revisions', code: 'CHILD-1' };

describe('an inheritance child of birth_registry', () => {
  let estate: Estate;
  const sql = (text: string) => asHost(estate.url, text);
  const run = async () => {
    const taken = await estate.gcos.intakes.once();
    await estate.gcos.scans.run({ mode: 'incremental' });
    expect(await wrongGroupsOf(estate.db)).toEqual([]);
    return taken;
  };
  beforeEach(async () => {
    estate = await createEstate('reconciled');
  });
  afterEach(() => estate?.close());

  it('is seen when it is attached, written to and detached', async () => {
    // Written before it is attached, and with ids that exist already.
    await sql(
      `create table imported_births (like birth_registry including defaults including indexes);
       insert into imported_births select b.* from birth_registry b where b.collection_name = 'article_revisions' order by b.id limit 2;
       update imported_births set entity_code = 'CHILD-1' where id = (select min(id) from imported_births);
       update imported_births set entity_code = 'CHILD-2', species_code = null where id = (select max(id) from imported_births)`,
    );
    await run();
    expect(inShort(await ask(estate, OBJECT))).toMatch('block');
    await sql('alter table imported_births inherit birth_registry');
    expect(await run()).toMatchObject({ rebased: ['birth_registry: relation_rewritten'] });
    expect(inShort(await ask(estate, OBJECT))).toBe('allow');
    expect(inShort(await ask(estate, { ...OBJECT, code: 'CHILD-2' }))).toMatch('needs_input');
    await sql(`update imported_births set species_code = null where entity_code = 'CHILD-1'`);
    expect(await run()).toMatchObject({ rebased: [] });
    expect(inShort(await ask(estate, OBJECT))).toMatch('needs_input');
    await sql(`delete from imported_births where entity_code = 'CHILD-1'`);
    await run();
    expect(inShort(await ask(estate, OBJECT))).toMatch('block');
    await sql('alter table imported_births no inherit birth_registry');
    expect(await run()).toMatchObject({ rebased: ['birth_registry: relation_rewritten'] });
    expect(
      await sql(
        `select distinct row_state, evidence ? 'source_row_gone' as gone from governance_candidate_object where entity_code = 'CHILD-2'`,
      ),
    ).toEqual([{ row_state: 'retired', gone: true }]);
    const full = await estate.gcos.scans.run({ mode: 'full' });
    expect(full.ledger?.closes).toBe(true);
  });

  it('without row versions stops the intake', async () => {
    await sql(
      `create foreign data wrapper nowhere; create server nowhere foreign data wrapper nowhere;
       create foreign table far_births () inherits (birth_registry) server nowhere`,
    );
    expect((await estate.gcos.doctor()).lines).toContainEqual(
      expect.objectContaining({ subject: 'birth_registry parts', state: 'problem' }),
    );
    await expect(estate.gcos.intakes.once()).rejects.toMatchObject({ code: 'tail_source_unreadable' });
  });
});
