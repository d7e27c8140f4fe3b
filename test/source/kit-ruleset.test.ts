// A kit becomes content of a ruleset: its rows are drafted, approved and activated like any other rules, its
// detectors run with the login of rules, and a change of the kit is a change of rules.
import { afterEach, expect, it } from 'vitest';
import { Prober, readSetting, type Setting } from '../../src/db/index.js';
import { readRulesInForce, rowsOf } from '../../src/host/index.js';
import {
  type KitOverrides,
  kit,
  kitSettings,
  listingQuery,
  withOverrides,
  writeKit,
} from '../../src/source/kit/index.js';
import { coverageSettings } from '../../src/verdict/coverage/rules.js';
import { runDetectors } from '../../src/verdict/detector/index.js';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

let estate: Estate | undefined;
afterEach(async () => {
  await estate?.close();
  estate = undefined;
});

const document = kit('postgres-baseline');
const write = ({ db }: Estate, overrides: KitOverrides = {}) =>
  db.transaction({ isolation: 'read committed' }, (tx) => writeKit(tx, withOverrides(document, overrides)));

/** A host with no rules of its own, and the members of sources. */
async function emptyRules(): Promise<Estate> {
  const found = await createEstate('installed');
  await asHost(
    found.url,
    `delete from coverage_profile; delete from measurement_registry;
     create table if not exists gcos_source_object (source_id integer, object_class text, code text, identity text,
       parent_class text, parent_code text, attributes jsonb, links jsonb, status text);
     grant select on gcos_source_object to gcos_reader`,
  );
  return found;
}

it('is in force only once approved; its detectors run, and an override is a change of rules', async () => {
  estate = await emptyRules();
  const { gcos, db, url } = estate;
  expect(await write(estate)).toEqual({
    scopes: document.scopes.length,
    profiles: document.profiles.length,
    detectors: document.detectors.length,
  });
  expect(await write(estate)).toEqual({ scopes: 0, profiles: 0, detectors: 0 });
  const inForce = () =>
    db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
      const content = await readRulesInForce(tx);
      return { detectors: rowsOf(content, 'detectors'), profiles: rowsOf(content, 'profiles') };
    });
  const first = await putRulesIntoForce(gcos);
  const { detectors, profiles } = await inForce();
  expect(detectors.map((each) => each['measurement_id']).sort()).toEqual(
    document.detectors.map((each) => `postgres-baseline:${each.id}`).sort(),
  );
  expect(detectors.every((each) => listingQuery(String(each['source_query'])) !== undefined)).toBe(true);
  expect(profiles.map((each) => each['class_pattern']).sort()).toEqual(
    document.profiles.map((each) => each.class).sort(),
  );
  const prober = new Prober({ url: urlAs(url, 'reader'), schema: 'public', connectTimeoutMs: 10_000 });
  const ran = await runDetectors(db, prober);
  expect(ran.results.filter((each) => each.outcome !== 'passed')).toEqual([]);
  expect(ran.passed).toBe(document.detectors.length);
  // Another version of the rules: in the tables, and not in force.
  expect(
    await write(estate, {
      profiles: { table: { risk: 'read' } },
      detectors: { table_unlogged: { enabled: false } },
    }),
  ).toEqual({ scopes: 0, profiles: 1, detectors: 1 });
  expect((await inForce()).detectors).toEqual(detectors);
  expect((await gcos.rulesets.draft()).version).not.toBe(first);
  // A kit that no longer has a class or a detector retires their rows.
  const less = {
    ...withOverrides(document),
    profiles: document.profiles.filter((each) => each.class !== 'type'),
    detectors: document.detectors.slice(1),
  };
  await db.transaction({ isolation: 'read committed' }, (tx) => writeKit(tx, less));
  expect(
    await asHost(
      url,
      `select profile_code as code from coverage_profile where status <> 'active'
       union all select measurement_id from measurement_registry where not enabled`,
    ),
  ).toEqual([{ code: 'postgres-baseline:type' }, { code: `postgres-baseline:${document.detectors[0]?.id}` }]);
});

it('is refused where a class already has a profile, and then writes nothing', async () => {
  estate = await createEstate('installed');
  const rows = () => asHost(estate?.url ?? '', 'select * from measurement_registry order by measurement_id');
  const before = await rows();
  await expect(write(estate)).rejects.toMatchObject({ code: 'kit_conflict' });
  expect(await rows()).toEqual(before);
});

it('adds to the settings what its links need, once, and keeps the rest', async () => {
  estate = await createEstate('installed');
  type Columns = Readonly<Record<string, unknown>>;
  const settingOf = (key: string) =>
    coverageSettings.find((each) => each.key === key) as unknown as Setting<unknown>;
  const [evidence, columns] = [settingOf('verdict.link_evidence'), settingOf('verdict.link_columns')];
  const current = await estate.db.transaction({ isolation: 'read committed' }, async (tx) => ({
    linkEvidence: (await readSetting(tx, evidence)) as readonly unknown[],
    linkColumns: (await readSetting(tx, columns)) as Columns,
  }));
  const settings = kitSettings(withOverrides(document), current);
  const after = {
    linkEvidence: evidence.form.parse(settings['verdict.link_evidence']) as readonly unknown[],
    linkColumns: columns.form.parse(settings['verdict.link_columns']) as Columns,
  };
  expect(after.linkEvidence).toEqual(expect.arrayContaining([...current.linkEvidence]));
  expect(after.linkEvidence).toHaveLength(current.linkEvidence.length + document.links.length);
  expect(after.linkColumns['member']).toMatchObject({
    classification: ['classification_ref'],
    retention: ['retention_ref'],
    approval: ['approval_ref'],
    rollback: ['rollback_ref'],
  });
  expect(kitSettings(withOverrides(document), after)).toEqual(settings);
});
