// The host's table of births (seed 41 §41.11): GCOS is installed, runs everything it has, and is removed; its
// definition in the catalogs and its rows stay as they were, byte for byte.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { workOnce } from '../support/working.js';

let estate: Estate;
beforeEach(async () => {
  estate = await createEstate('host');
});
afterEach(() => estate.close());

const TABLE = `'birth_registry'::regclass`;

/** Everything that the catalogs say about the table, except who may read it. */
const DEFINITION = `
  select (select to_jsonb(c) - '{relacl,relpages,reltuples,relallvisible,relallfrozen,relfrozenxid,relminmxid}'::text[] from pg_class c where c.oid = ${TABLE}) as relation,
    (select jsonb_agg(to_jsonb(a) - 'attacl' order by a.attnum) from pg_attribute a where a.attrelid = ${TABLE}) as columns,
    (select jsonb_agg(to_jsonb(a) -> 'attacl' order by a.attnum) from pg_attribute a where a.attrelid = ${TABLE}) as column_rights,
    (select jsonb_agg(pg_get_expr(d.adbin, d.adrelid) order by d.adnum) from pg_attrdef d where d.adrelid = ${TABLE}) as defaults,
    (select jsonb_agg(pg_get_triggerdef(t.oid) order by t.oid) from pg_trigger t where t.tgrelid = ${TABLE}) as triggers,
    (select jsonb_agg(to_jsonb(i) || jsonb_build_object('def', pg_get_indexdef(i.indexrelid)) order by i.indexrelid) from pg_index i where i.indrelid = ${TABLE}) as indexes,
    (select jsonb_agg(pg_get_constraintdef(k.oid) order by k.oid) from pg_constraint k where k.conrelid = ${TABLE} or k.confrelid = ${TABLE}) as constraints,
    (select jsonb_agg(pg_get_ruledef(r.oid) order by r.oid) from pg_rewrite r where r.ev_class = ${TABLE}) as rules,
    (select jsonb_agg(to_jsonb(p) order by p.oid) from pg_policy p where p.polrelid = ${TABLE}) as policies,
    (select jsonb_agg(to_jsonb(s) order by s.oid) from pg_statistic_ext s where s.stxrelid = ${TABLE}) as statistics,
    (select count(*)::int from pg_publication_rel p where p.prrelid = ${TABLE}) as publications,
    (select count(*)::int from pg_inherits i where i.inhparent = ${TABLE} or i.inhrelid = ${TABLE}) as parts,
    (select obj_description(${TABLE}, 'pg_class')) as comment`;
/** The rows with their versions: also an update that changes nothing would show. */
const ROWS = `select count(*)::int as n, md5(string_agg(b::text || b.ctid::text || b.xmin::text || b.xmax::text, '|' order by b.id)) as rows from birth_registry b`;
const RIGHTS = `select pg_get_userbyid(a.grantee) as who, a.privilege_type as may, a.is_grantable as grantable
  from pg_class c cross join aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) as a where c.oid = ${TABLE} order by 1, 2`;

it('seed 41 §41.11 test 3, birth untouched: definition, rights and rows of birth_registry are the same after a life with GCOS', async () => {
  const read = async (sql: string) => asHost(estate.url, sql);
  const before = { definition: await read(DEFINITION), rows: await read(ROWS), rights: await read(RIGHTS) };
  const [rows] = before.rows;
  expect(rows?.['n']).toBe(20_000);

  await estate.gcos.init();
  await putRulesIntoForce(estate.gcos);
  await estate.gcos.backfills.run({});
  await estate.gcos.scans.run({ mode: 'full' });
  await asHost(
    estate.url,
    `insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('dot_tool', 'DOT-117', 'update', 'DOT-001')`,
  );
  await workOnce(estate.gcos);
  await estate.gcos.scans.run({ mode: 'incremental' });
  expect(await read(DEFINITION)).toEqual(before.definition);
  expect(await read(ROWS)).toEqual(before.rows);
  // While it is installed, its roles may read the table, and nothing else.
  const added = (await read(RIGHTS)).filter(
    (right) => !before.rights.some((old) => JSON.stringify(old) === JSON.stringify(right)),
  );
  expect(added.length).toBeGreaterThan(0);
  for (const right of added)
    expect(right).toEqual({ who: expect.stringMatching(/^gcos_/), may: 'SELECT', grantable: false });

  const { exit, stderr } = await runCli(['uninstall', '--yes', '--database-url', estate.url]);
  expect(exit, stderr).toBe(0);
  expect(await read(DEFINITION)).toEqual(before.definition);
  expect(await read(ROWS)).toEqual(before.rows);
  expect(await read(RIGHTS)).toEqual(before.rights);
  evidence(`definition, rights and ${some(Number(rows?.['n']), 'row')} as before`);
});
