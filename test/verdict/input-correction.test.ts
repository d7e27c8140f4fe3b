// How bad input is handled: quarantine and release by people, corrections and relapses in the host.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readObjectRows, readRules, reviseObjects } from '../../src/verdict/candidate/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { inputAt, needsInput } from '../support/input.js';
import { createPeople, type People, type Person } from '../support/people.js';

let estate: Estate;
let people: People;
let operator: Person;
const { all, ownOf, openFindings, othersThan, stamp } = inputAt(() => estate.url);
beforeEach(async () => {
  estate = await createEstate('backfilled');
  people = createPeople(estate.url);
  operator = await people.person('keeper', 'member');
});
afterEach(async () => {
  await people?.close();
  await estate?.close();
});

describe('quarantine', () => {
  it('keeps an object in quarantine until a person releases it', async () => {
    const key = { collection: 'articles', code: 'A-99123' };
    const before = await othersThan(key.collection, key.code);
    await operator.gcos.inputs.quarantine([key], { reason: 'looks odd' });
    await estate.gcos.backfills.run({});
    expect(await ownOf(key.collection, key.code)).toEqual(needsInput('quarantined'));
    expect((await openFindings('input_quarantined')).map((row) => row['subject'])).toEqual(['articles']);
    expect(await othersThan(key.collection, key.code)).toEqual(before);
    await operator.gcos.inputs.release([key]);
    await estate.gcos.backfills.run({});
    expect(await ownOf(key.collection, key.code)).toEqual([]);
    expect(await openFindings('input_quarantined')).toEqual([]);
    const audit = await all(
      `select action, changed_by from registry_changelog where entity_type = 'governance_input' order by id`,
    );
    expect(audit).toEqual([
      { action: 'quarantine', changed_by: `gcos:${operator.login} for keeper` },
      { action: 'release', changed_by: `gcos:${operator.login} for keeper` },
    ]);
  });

  it('refuses unknown callers, decisions in the name of another person, and unknown objects', async () => {
    const stranger = await people.login('stranger');
    const key = { collection: 'articles', code: 'A-99124' };
    await expect(stranger.gcos.inputs.quarantine([key])).rejects.toMatchObject({ code: 'actor_unknown' });
    await expect(operator.gcos.inputs.quarantine([key], { as: 'SOMEBODY' })).rejects.toMatchObject({
      code: 'actor_not_allowed',
    });
    await expect(
      operator.gcos.inputs.quarantine([key, { collection: 'articles', code: 'no such' }]),
    ).rejects.toMatchObject({
      code: 'input_object_unknown',
    });
    await expect(operator.gcos.inputs.release([key])).rejects.toMatchObject({
      code: 'input_not_quarantined',
    });
    await expect(
      operator.gcos.inputs.trust({ kind: 'origin', source: 'DOT-014', scope: 'nowhere', level: 'denied' }),
    ).rejects.toMatchObject({ code: 'value_unknown' });
    await expect(
      operator.gcos.inputs.trust({ kind: 'origin', source: 'DOT-014', level: 'denied' }),
    ).rejects.toMatchObject({ code: 'input_reason_missing' });
    await expect(
      operator.gcos.inputs.trust(
        { kind: 'origin', source: 'DOT-O14', level: 'denied' },
        { reason: 'a test' },
      ),
    ).rejects.toMatchObject({ code: 'value_unknown', message: expect.stringContaining('did you mean') });
    expect(await operator.gcos.inputs.quarantine([key], { dryRun: true })).toMatchObject({
      changed: 1,
      verified: true,
    });
    expect(await all(`select 1 from governance_input_state where entity_code = 'A-99124'`)).toEqual([]);
    for (const table of ['governance_input_trust', 'governance_input_contract', 'governance_input_state'])
      await expect(
        asHost(
          operator.url,
          `update ${table} set collection_name = 'x'`.replace(
            /trust set collection_name/,
            'trust set source',
          ),
        ),
      ).rejects.toMatchObject({
        code: '42501',
      });
  });
});

describe('corrections and relapses', () => {
  it('a bad row affects no other row; a correction resolves its finding, and a relapse reopens it', async () => {
    const before = await othersThan('orders', 'ORD-BAD');
    await all(
      `insert into birth_registry (entity_code, collection_name, species_code, status, governance_role, dot_origin)
       values ('ORD-BAD', 'orders', null, 'born', 'governed', 'DOT-014')`,
    );
    const run = async () => {
      const report = await estate.gcos.backfills.run({});
      expect(report.proof.closed && report.ledger?.closes).toBe(true);
    };
    const finding = async () =>
      (await openFindings('input_incomplete')).filter(
        (row) =>
          String(row['coalesce_key']).includes('orders') && String(row['coalesce_key']).includes('species'),
      );
    await run();
    expect(await ownOf('orders', 'ORD-BAD')).toEqual(needsInput('incomplete_input'));
    expect(await finding()).toMatchObject([{ reopens: 0 }]);
    expect(await othersThan('orders', 'ORD-BAD')).toEqual(before);
    const set = (species: string) =>
      all(`update birth_registry set species_code = ${species} where entity_code = 'ORD-BAD'`);
    const good = `(select species_code from birth_registry where entity_code = 'ORD-000006')`;
    await set(good);
    await run();
    expect(await ownOf('orders', 'ORD-BAD')).toEqual([]);
    expect(await finding()).toEqual([]);
    await set('null');
    await run();
    expect(await finding()).toMatchObject([{ reopens: 1 }]);
    // After two more relapses the object stays in quarantine even when its input is valid.
    await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const options = { ...(await stamp(tx)), rules: await readRules(tx) };
      const stateWith = async (species: string) => {
        await tx.script(`update birth_registry set species_code = ${species} where entity_code = 'ORD-BAD'`);
        await reviseObjects(tx, [{ collection: 'orders', code: 'ORD-BAD' }], options);
        const rows = await readObjectRows(tx, {
          keys: [{ collection: 'orders', code: 'ORD-BAD' }],
          at: options.at,
        });
        return rows.find((row) => row.rowState === 'active')?.inputQualityState ?? null;
      };
      expect(await stateWith(good)).toBeNull();
      expect(await stateWith('null')).toBe('incomplete_input');
      expect(await stateWith(good)).toBeNull();
      expect(await stateWith('null')).toBe('incomplete_input');
      expect(await stateWith(good)).toBe('quarantined');
    });
  });
});
