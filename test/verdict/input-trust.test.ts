// Trust in sources and contracts of collections: their effect on single births and on whole groups.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import {
  evaluateGroups,
  materializeObjects,
  readRules,
  reviseObjects,
} from '../../src/verdict/candidate/index.js';
import {
  judgeBirths,
  readSources,
  reconcileSources,
  takeInputChanges,
} from '../../src/verdict/input/index.js';
import { rowsIn } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { inputAt } from '../support/input.js';
import { createPeople, type People, type Person } from '../support/people.js';

let estate: Estate;
let people: People;
let operator: Person;
const { all, groupStates, openFindings, stamp } = inputAt(() => estate.url);
beforeEach(async () => {
  estate = await createEstate('backfilled');
  people = createPeople(estate.url);
  operator = await people.person('keeper', 'member');
});
afterEach(async () => {
  await people?.close();
  await estate?.close();
});

describe('trust', () => {
  it('applies per scope: births of an untrusted source need input only in the scopes without trust', async () => {
    await operator.gcos.inputs.trust(
      { kind: 'origin', source: 'FEED-UNVERIFIED', scope: 'policy', level: 'trusted' },
      { reason: 'the feed is checked by hand' },
    );
    await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const change = { objects: [], origins: ['FEED-UNVERIFIED'], collections: [] };
      const nothing = { objects: [], origins: [], collections: [] };
      // The change is taken once for marking, and once more for the evaluation.
      expect(await takeInputChanges(tx, { evaluated: false })).toEqual(change);
      expect(await takeInputChanges(tx, { evaluated: false })).toEqual(nothing);
      expect(await takeInputChanges(tx, { evaluated: true })).toEqual(change);
      expect(await takeInputChanges(tx, { evaluated: true })).toEqual(nothing);
    });
    await estate.gcos.backfills.run({});
    const states = await all(
      `select s.scope, s.candidate_verdict as verdict from governance_candidate_state s join governance_inventory i using (inventory_key)
       where s.row_state = 'active' and i.source_registry = 'partner_feed_items' and s.scope in ('policy', 'health') order by 1`,
    );
    expect(states).toEqual([
      { scope: 'health', verdict: 'needs_input' },
      { scope: 'policy', verdict: 'relevant' },
    ]);
    await operator.gcos.inputs.trust(
      { kind: 'origin', source: 'FEED-UNVERIFIED', level: 'monitored' },
      { reason: 'the feed is checked by hand' },
    );
    await estate.gcos.backfills.run({});
    expect((await groupStates('partner_feed_items')).filter((row) => row['state'] !== null)).toEqual([]);
    expect(await openFindings('input_untrusted_source')).toEqual([]);
  });

  it('depends on the risk of the class by default: denied for writes, monitored for reads', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const { input } = await readRules(tx);
      const level = (risk: string | null, collection = 'x') =>
        input.trustIn({ collection, origin: 'nobody', risk }, 'policy');
      expect([level('write_high'), level('write_low'), level('read'), level('descriptive')]).toEqual([
        'denied',
        'denied',
        'monitored',
        'monitored',
      ]);
      expect(level('something new')).toBe('denied');
      expect(input.trustIn({ collection: 'x', origin: 'DOT-014', risk: 'write_high' }, 'policy')).toBe(
        'trusted',
      );
      expect(input.trustIn({ collection: 'orders', origin: null, risk: 'write_low' }, 'policy')).toBe(
        'monitored',
      );
    }));

  it('an untrusted birth in a container does not make the container untrusted', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      await tx.script(
        `insert into birth_registry (id, entity_code, collection_name, species_code, status, governance_role, dot_origin)
         select 60000001, 'ORD-FOREIGN', 'orders', species_code, status, governance_role, 'somebody'
         from birth_registry where entity_code = 'ORD-000006'`,
      );
      const options = await stamp(tx);
      const rules = await readRules(tx);
      const { single } = await reconcileSources(tx, await readSources(tx, rules.input), {
        ...rules,
        at: options.at,
      });
      expect(single).toEqual([{ collection: 'orders', code: 'ORD-FOREIGN' }]);
      await reviseObjects(tx, single, { ...options, rules: await readRules(tx) });
      await evaluateGroups(tx, { ...options, rules: await readRules(tx) });
      const [judged] = await judgeBirths(tx, { ids: [60000001n] }, { ...rules, at: options.at });
      expect(judged).toMatchObject({ state: null, deniedIn: rules.scopes });
      expect((await readRules(tx)).input.wholeIn('orders', 'policy')).toBeNull();
    }));

  it('a denied collection or a missing required contract affects the whole group', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      await tx.script(
        `insert into governance_input_trust (source_kind, source, scope, level, set_by, set_at)
         values ('collection', 'tags', '*', 'denied', 'test', now()) on conflict (source_kind, source, scope) do update set level = 'denied';
         delete from governance_input_contract where collection_name in ('payments', 'tasks')`,
      );
      const options = await stamp(tx);
      const before = await readRules(tx);
      const { changed } = await reconcileSources(tx, await readSources(tx, before.input), {
        ...before,
        at: options.at,
      });
      expect(new Set(changed)).toEqual(new Set(['tags', 'payments']));
      const { input } = await readRules(tx);
      expect(input.wholeIn('tags', 'audit')).toBe('untrusted_source');
      expect(input.wholeIn('payments', 'audit')).toBe('incomplete_input');
      // A class that only reads requires no contract.
      expect(input.wholeIn('tasks', 'audit')).toBeNull();
    }));

  it('a contract can require a code pattern, a code length and a maximum age', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      await tx.script(
        `update governance_input_contract set code_pattern = '^V-', code_length = 8, max_age = interval '100 years'
         where collection_name = 'venues';
         insert into birth_registry (id, entity_code, collection_name, born_at) values
           (60000001, 'W-1', 'venues', now()), (60000002, 'V-123456789', 'venues', now()), (60000003, 'V-1', 'venues', '1900-01-01')`,
      );
      const rules = await readRules(tx);
      const at = await readServerTime(tx);
      const judged = await judgeBirths(tx, { ids: [60000001n, 60000002n, 60000003n] }, { ...rules, at });
      expect(judged.map(({ code, state, cause }) => [code, state, cause])).toEqual([
        ['V-1', 'stale', 'born_before_limit'],
        ['V-123456789', 'invalid_schema', 'code_too_long'],
        ['W-1', 'invalid_schema', 'code_pattern'],
      ]);
    }));

  it('a second evaluation writes nothing', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const options = await stamp(tx);
      const rules = await readRules(tx);
      const at = options.at;
      const state = () =>
        rowsIn(
          tx,
          `select md5(string_agg(s::text, '|' order by subject_key)) as rows from governance_input_state s`,
        );
      const before = await state();
      expect((await reconcileSources(tx, await readSources(tx), { ...rules, at })).changed).toEqual([]);
      await materializeObjects(tx, { ...options, rules, of: { first: 1n, last: 2n ** 31n - 1n } });
      await tx.script('set constraints all immediate');
      expect(await state()).toEqual(before);
    }));
});
