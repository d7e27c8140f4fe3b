// A token limited to owners asks the gate only about what they own: the database looks at each subject.
// Whatever prevents an answer is a block with that code as its only reason.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gcos } from '../../src/index.js';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { codesOf } from '../support/gate.js';

describe('a token that is limited to owners', () => {
  let estate: Estate;
  let server: Gcos;
  const host = (text: string) => asHost(estate.url, text);
  const one = async (text: string) => (await host(text))[0] ?? {};

  beforeAll(async () => {
    estate = await createEstate('judged');
    server = await openAt(urlAs(estate.url, 'server'));
  });
  afterAll(async () => {
    await server?.close();
    await estate?.close();
  });

  it('asks about their groups and objects, and not about those of others, of several, or of none', async () => {
    // Groups of which exactly one body owns something; and one of which nobody owns anything.
    const groups = await host(
      `select g.inventory_key as key, min(g.owner_scope) as owner, min(i.source_registry) as collection
       from governance_group g join governance_inventory i on i.inventory_key = g.inventory_key
       group by g.inventory_key having count(distinct g.owner_scope) = 1 order by 2, 1`,
    );
    const owner = String(groups[0]?.['owner']);
    const own = String(groups[0]?.['key']);
    const foreign = String(groups.find((each) => each['owner'] !== owner)?.['key']);
    const unowned = String(
      (
        await one(
          'select inventory_key as key from governance_group group by 1 having count(owner_scope) = 0 limit 1',
        )
      )['key'],
    );
    const { token } = await estate.gcos.tokens.create({
      name: 'of one body',
      permissions: ['gate'],
      pipeline: true,
      owners: [owner],
    });
    const api = server.as({ credential: token, permission: 'gate' });
    const ask = async (...keys: string[]) =>
      (await api.gates.check(keys.map((group) => ({ group })))).decisions.map(codesOf);
    expect(await ask(own)).not.toEqual([['outside_limits']]);
    const [recorded] = await host(
      'select login, person_ref from governance_gate_answer order by check_id desc limit 1',
    );
    expect(recorded).toMatchObject({ login: expect.stringMatching(/^token:/), person_ref: null });
    const recordedRows = async () =>
      (await one('select count(*)::int as n from governance_gate_answer'))['n'];
    const before = await recordedRows();
    for (const keys of [[foreign], [unowned], ['0'.repeat(32)], [own, foreign]])
      expect(await ask(...keys), keys.join()).toEqual(keys.map(() => ['outside_limits']));
    // A second body in another scope of the same group.
    await host(`update governance_group set owner_scope = '${owner}-2' where ctid = (
      select ctid from governance_group where inventory_key = '${own}' order by owner_scope nulls first, scope limit 1)`);
    expect(await ask(own)).toEqual([['outside_limits']]);
    expect(await recordedRows()).toBe(before);
  });

  it('follows the own rows of an object before those of its group', async () => {
    const object = await one(
      `select collection_name, entity_code, min(owner_scope) as owner from governance_candidate_object
       where row_state = 'active' group by 1, 2 having count(distinct owner_scope) = 1 order by 1, 2 limit 1`,
    );
    const { collection_name: collection, entity_code: code, owner } = object as Record<string, string>;
    const tokenFor = async (name: string) =>
      (await estate.gcos.tokens.create({ name, permissions: ['gate'], pipeline: true, owners: [name] }))
        .token;
    const ask = async (token: string) =>
      (
        await server
          .as({ credential: token, permission: 'gate' })
          .gates.check([{ collection: collection ?? '', code: code ?? '' }])
      ).decisions.map(codesOf);
    // Its group may have further scopes of the same owner, and none of another: made so.
    const body = String(
      (await one(`select min(code) as code from governance_registry where code <> '${owner}'`))['code'],
    );
    await host(`update governance_group set owner_scope = null where inventory_key = (
      select inventory_key from governance_candidate_object where collection_name = '${collection}' and entity_code = '${code}' limit 1)`);
    const token = await tokenFor(owner ?? '');
    expect(await ask(token)).not.toEqual([['outside_limits']]);
    expect(await ask(await tokenFor(body))).toEqual([['outside_limits']]);
    await host(`update governance_candidate_object set owner_scope = '${body}'
      where collection_name = '${collection}' and entity_code = '${code}' and scope = (
        select min(scope) from governance_candidate_object where collection_name = '${collection}' and entity_code = '${code}')`);
    expect(await ask(token)).toEqual([['outside_limits']]);
  });
});
