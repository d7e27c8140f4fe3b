// The searches of all births read pages: whatever their size, the result is the one of a single statement.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerTime, type Transaction } from '../../src/db/index.js';
import { readRules } from '../../src/verdict/candidate/index.js';
import {
  findAllSuspects,
  type ObjectKey,
  previewSources,
  readDuplicateBirths,
  readSources,
  type SourceCount,
} from '../../src/verdict/input/index.js';
import { rowsIn } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

/** The last is the whole table in one page. */
const PAGE_SIZES = [97, 4_096, 1_000_000];
const keyTexts = (keys: readonly ObjectKey[]) => keys.map((key) => `${key.collection} ${key.code}`).sort();
const sourceTexts = (sources: readonly SourceCount[]) =>
  sources
    .map(({ collection, species, origin, births }) => `${collection} ${species} ${origin} ${births}`)
    .sort();

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('backfilled');
});
afterAll(() => estate?.close());

/** Runs `work` beside keys that were born twice, far apart, and births from a source that nobody trusts. */
const beside = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
    await tx.script(
      `insert into birth_registry (id, entity_code, collection_name, species_code, status, governance_role, dot_origin)
       select 60000000 + id, entity_code, collection_name, species_code, status, governance_role, dot_origin
       from birth_registry where id % 400 = 0;
       update birth_registry set dot_origin = 'somebody' where collection_name = 'orders' and id % 7 = 0`,
    );
    return work(tx);
  });

describe('a search of all births', () => {
  it('finds the keys that were born twice, in pages and passes of any size', () =>
    beside(async (tx) => {
      const expected = keyTexts(
        (await rowsIn(
          tx,
          'select collection_name as collection, entity_code as code from birth_registry group by 1, 2 having count(*) > 1',
        )) as unknown as ObjectKey[],
      );
      expect(expected.length).toBeGreaterThan(40);
      for (const pageSize of PAGE_SIZES)
        expect(keyTexts(await readDuplicateBirths(tx, { pageSize }))).toEqual(expected);
      // Fewer hashes than births: many passes.
      let pages = 0;
      const onPage = () => {
        pages += 1;
      };
      const few = { pageSize: 1_000, mostHashes: 3_000, onPage };
      expect(keyTexts(await readDuplicateBirths(tx, few))).toEqual(expected);
      expect(pages).toBeGreaterThan(7 * 20);
    }));

  it('finds the sources of births, and the births of those that are denied', () =>
    beside(async (tx) => {
      const { map, input } = await readRules(tx);
      const counted = await rowsIn(
        tx,
        'select collection_name as collection, species_code as species, dot_origin as origin, count(*) as births from birth_registry group by 1, 2, 3',
      );
      const expected = sourceTexts(counted as unknown as SourceCount[]);
      const unvouched = await readSources(tx, input);
      const { single } = await previewSources(tx, unvouched, { map, input });
      expect(single.length).toBeGreaterThan(10);
      for (const pageSize of PAGE_SIZES) {
        expect(sourceTexts(await readSources(tx, undefined, { pageSize }))).toEqual(expected);
        expect(sourceTexts(await readSources(tx, input, { pageSize }))).toEqual(sourceTexts(unvouched));
        const paged = await previewSources(tx, unvouched, { map, input, pageSize });
        expect(keyTexts(paged.single)).toEqual(keyTexts(single));
      }
    }));

  it('finds the births that must be judged', () =>
    beside(async (tx) => {
      const options = { ...(await readRules(tx)), at: await readServerTime(tx) };
      const whole = await findAllSuspects(tx, options, { pageSize: 1_000_000 });
      expect(whole?.length).toBeGreaterThan(100);
      for (const pageSize of PAGE_SIZES)
        expect(await findAllSuspects(tx, options, { pageSize })).toEqual(whole);
    }));
});
