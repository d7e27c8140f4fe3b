// A row whose verdict, outcome and evidence did not change is not written again: a change of one object
// writes the rows of that object and of its group, and the row of a group is updated in its page.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { until } from '../support/wait.js';

const JOBS = `collection_name = 'publishing_jobs'`;
const OBJECTS = `governance_candidate_object where row_state in ('active', 'retired')`;

let estate: Estate;
const host = (text: string) => asHost(estate.url, text);
beforeAll(async () => {
  estate = await createEstate('scanned');
});
afterAll(() => estate.close());

/** The version of each row of an object, by object and row. */
async function versions(): Promise<ReadonlyMap<string, string>> {
  const rows = await host(
    `select collection_name || ':' || entity_code || ' ' || row_id as row, ctid::text || xmin::text as version from ${OBJECTS}`,
  );
  return new Map(rows.map((row) => [String(row['row']), String(row['version'])]));
}

/** The objects with a row that was written since `before`. */
async function writtenSince(before: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const written = [...(await versions())].filter(([row, version]) => before.get(row) !== version);
  return [...new Set(written.map(([row]) => row.split(' ')[0] ?? ''))].sort();
}

const marked = async () =>
  (
    await host(
      `select distinct collection_name || ':' || entity_code as object from ${OBJECTS} and row_state = 'active' and dirty order by 1`,
    )
  ).map((row) => String(row['object']));

it('writes the rows of the objects that changed, not those of their group', async () => {
  const [logged] = (
    await host(
      `select entity_code from birth_registry where ${JOBS} and status = 'born' and entity_code not like 'LESS-%' order by id limit 1`,
    )
  ).map((row) => String(row['entity_code']));
  const { scanned } = (await host(`select count(*)::int as scanned from ${OBJECTS} and ${JOBS}`))[0] ?? {};
  const before = await versions();
  await host(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
     select 'LESS-1', collection_name, species_code, composition_level, dot_origin, governance_role, status
     from birth_registry where ${JOBS} and entity_code = '${logged}';
     insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('publishing_jobs', '${logged}', 'update', 'DOT-001')`,
  );
  const round = await estate.gcos.intakes.once();
  expect(round.applied.byKind).toMatchObject({ object_born: 1, source_changed: 1 });
  // The new object is not marked: that it was not evaluated keeps it from being safe.
  expect(await marked()).toEqual([`publishing_jobs:${logged}`]);
  const { evaluated } = await estate.gcos.scans.run({ mode: 'incremental' });
  expect(evaluated).toBeGreaterThan(0);
  expect(await marked()).toEqual([]);
  expect(await writtenSince(before)).toEqual(['publishing_jobs:LESS-1', `publishing_jobs:${logged}`].sort());
  const rows = await host(
    `select count(*)::int as rows, bool_and(candidate_verdict <> 'relevant' or coverage_outcome <> 'not_evaluated') as evaluated
     from ${OBJECTS} and ${JOBS}`,
  );
  expect(rows).toEqual([{ rows: Number(scanned) + 6, evaluated: true }]);
});

it('retires the object that an updated birth was before', async () => {
  const former = String(
    (
      await host(
        `select entity_code from birth_registry where ${JOBS} and status = 'born' and entity_code not like 'LESS-%' order by id offset 3 limit 1`,
      )
    )[0]?.['entity_code'],
  );
  await host(`update birth_registry set entity_code = 'LESS-3' where ${JOBS} and entity_code = '${former}'`);
  await estate.gcos.intakes.once();
  await estate.gcos.scans.run({ mode: 'incremental' });
  const left = await host(
    `select distinct row_state, candidate_verdict from ${OBJECTS} and ${JOBS} and entity_code = '${former}'`,
  );
  expect(left).toEqual([{ row_state: 'retired', candidate_verdict: 'retired' }]);
});

it('blocks an object between its change and its evaluation, and no other object of its group', async () => {
  const [changed, other] = (
    await host(
      `select entity_code from birth_registry where ${JOBS} and status = 'born' and entity_code not like 'LESS-%' order by id desc limit 2`,
    )
  ).map((row) => String(row['entity_code']));
  await host(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
     select 'LESS-2', collection_name, species_code, composition_level, dot_origin, governance_role, status
     from birth_registry where ${JOBS} and entity_code = '${changed}';
     insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('publishing_jobs', '${changed}', 'update', 'DOT-001')`,
  );
  const codes = async (code: unknown) => {
    const { decisions } = await estate.gcos.gates.check([
      { collection: 'publishing_jobs', code: String(code), stage: 'prod', action: 'execute' },
    ]);
    return [...new Set(decisions.flatMap((each) => each.reasons.map(({ code: reason }) => reason)))].sort();
  };
  const before = await codes(other);
  await estate.gcos.intakes.once();
  expect(await codes(changed)).toContain('dirty');
  expect(await codes('LESS-2')).toContain('coverage_not_scanned');
  expect(await codes(other)).toEqual(before);
  await estate.gcos.scans.run({ mode: 'incremental' });
  expect(await codes(changed)).not.toContain('dirty');
  expect(await codes('LESS-2')).not.toContain('coverage_not_scanned');
});

it('updates the row of a group that moved within its page', async () => {
  const updates = async () => {
    const [row] = await host(
      `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'governance_candidate_state'`,
    );
    return row as { all: number; hot: number };
  };
  const before = await updates();
  for (const n of [1, 2, 3]) {
    await host(
      `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
       select 'LESS-A-${n}', collection_name, species_code, composition_level, dot_origin, governance_role, status
       from birth_registry where collection_name = 'articles' and status = 'born' limit 1`,
    );
    await estate.gcos.intakes.once();
    await estate.gcos.scans.run({ mode: 'incremental' });
  }
  // Each of six scopes, marked and renewed, three times. A session reports its statistics a little later.
  const after = await until('the statistics of 36 updates', async () => {
    const now = await updates();
    return now.all - before.all >= 36 && now;
  });
  // A page that other tests have filled takes no further version.
  expect((after.hot - before.hot) / (after.all - before.all)).toBeGreaterThan(0.5);
});
