// What a stolen server login, a stolen token, and code of the host can do with tokens: with psql, and real
// logins.
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetClock, setClock } from '../../support/clock.js';
import { asHost, urlAs } from '../../support/database.js';
import type { CreateEstate, Estate } from '../../support/estate.js';
import { createPeople, type People, type Person } from '../../support/people.js';
import { actBy, present, presentedForm, withClient } from '../../support/tokens.js';

const LOW = 'gcos.remediation.propose';
const UNKNOWN = { code: 'UG030' };
const EXPIRED = { code: 'UG031' };
const REVOKED = { code: 'UG032' };
const NOT_PERMITTED = { code: 'UG033' };
const OUTSIDE = { code: 'UG034' };
const DENIED = { code: '42501' };

const presented = async (client: pg.Client): Promise<string> =>
  String((await client.query("select current_setting('gcos.presented') as s")).rows[0]?.s);
const put = (client: pg.Client, setting: string) =>
  client.query("select set_config('gcos.presented', $1, true)", [setting]);
const OPEN = `select outcome from gcos_open_request('${LOW}', '{"x": 1}', null)`;

export function tokenAttacks(create: CreateEstate): void {
  let estate: Estate;
  let people: People;
  let mia: Person;
  let ben: Person;
  let server: string;
  const host = (text: string) => asHost(estate.url, text);
  const tokenOf = async (who: Person, ...permissions: ('read' | 'gate' | 'decide' | 'operate')[]) =>
    who.gcos.tokens.create({ name: 'attacked', permissions });
  const openRequest = async (who: Person) => (await who.gcos.requests.open(LOW, { x: 1 })).code;
  const requests = async () =>
    Number((await host('select count(*)::int as n from governance_request'))[0]?.['n']);

  beforeAll(async () => {
    estate = await create('ruled');
    people = createPeople(estate.url);
    mia = await people.person('mia', 'member');
    ben = await people.person('ben', 'president');
    server = urlAs(estate.url, 'server');
  });
  afterAll(async () => {
    await people?.close();
    await estate?.close();
  });

  describe('a stolen login of the server', () => {
    it('reads, and asks the gate for no person', async () => {
      expect(await asHost(server, 'select count(*)::int as n from birth_registry')).toHaveLength(1);
      const [answer] = await asHost(
        server,
        `select c.login, c.person_ref from gcos_gate_check('{articles}', '{A-1}', array[null::text], '{prod}', '{execute}') c`,
      );
      expect(answer).toEqual({ login: 'gcos_server', person_ref: null });
    });

    it('acts as no person, not even where governance_actor has a row for it', async () => {
      const code = await openRequest(mia);
      for (const mapped of [false, true]) {
        if (mapped)
          await host(
            `insert into governance_actor (person_ref, login, approver_type) values ('mistake', 'gcos_server', 'president')`,
          );
        for (const call of [
          `gcos_open_request('${LOW}', '{}', null)`,
          `gcos_open_request('${LOW}', '{}', 'mia')`,
          `gcos_decide('${code}', 'approve', null, null)`,
          `gcos_withdraw_request('${code}', null, 'mia')`,
          `gcos_set_setting('scan.audit', '{}')`,
          `gcos_create_token('mine', null, false, '{read}', null, null, 1)`,
          `gcos_create_token('mine', 'mia', false, '{read}', null, null, 1)`,
          `gcos_create_token('mine', null, true, '{gate}', null, null, 1)`,
          `gcos_revoke_token('000000000000')`,
        ])
          expect(await asHost(server, `select outcome from ${call}`), call).toEqual([
            { outcome: 'login_unknown' },
          ]);
        for (const call of ['gcos_set_paused(true, $$x$$)', 'gcos_retry_dead_letters(null, null)'])
          await expect(asHost(server, `select ${call}`), call).rejects.toMatchObject(DENIED);
        expect(
          await asHost(server, `select outcome from gcos_write_person('eve', null, 'president', true)`),
        ).toEqual([{ outcome: 'not_administrator' }]);
      }
      await host(`delete from governance_actor where person_ref = 'mistake'`);
    });

    it('reads neither secrets, nor their hashes, nor the key, as no login does', async () => {
      const { id } = await tokenOf(mia, 'read');
      for (const role of ['reader', 'worker', 'api', 'server', 'pruner'])
        for (const text of [
          'select from gcos_token',
          'select secret_hash from gcos_token',
          'select from gcos_token_use',
          'select from gcos_identity_key',
          `select gcos_identity_digest('${id}', 'decide')`,
          'select from gcos_identity()',
          'select from gcos_asking()',
        ])
          await expect(asHost(urlAs(estate.url, role), text), `${role}: ${text}`).rejects.toMatchObject(
            DENIED,
          );
      // Code of the host runs as the owner of host tables, at the worst.
      for (const text of [
        'select from gcos_token',
        'select from gcos_identity_key',
        `select gcos_identity_digest('x', 'y')`,
      ])
        await expect(
          host(`set role gcos_owner; set search_path = gcos_trust; ${text}`),
          text,
        ).rejects.toMatchObject(DENIED);
      const [hash] = await host(
        `select encode(secret_hash, 'hex') as hash from gcos_token where token_id = '${id}'`,
      );
      const [seen] = await host(
        `select count(*)::int as n from gcos_log where payload::text like '%${String(hash?.['hash'])}%'`,
      );
      expect(seen).toEqual({ n: 0 });
      expect(
        await asHost(server, `select to_jsonb(t) ? 'secret_hash' as has from governance_token t limit 1`),
      ).toEqual([{ has: false }]);
    });

    it('learns nothing from guesses', async () => {
      const { id, token } = await tokenOf(mia, 'read');
      const stored = String(
        (await host(`select encode(secret_hash, 'hex') as h from gcos_token where token_id = '${id}'`))[0]?.[
          'h'
        ],
      );
      await withClient(server, async (client) => {
        for (const guess of [
          id,
          `gcos_${id}`,
          token,
          stored,
          '',
          '%',
          presentedForm(`${token}0`),
          presentedForm(token).toUpperCase(),
        ])
          await expect(
            client.query('select gcos_present($1, $2, null, null)', [guess, 'read']),
            guess,
          ).rejects.toMatchObject(UNKNOWN);
        await expect(
          client.query('select gcos_present(null, $1, null, null)', ['read']),
        ).rejects.toMatchObject(UNKNOWN);
      });
    });
  });

  describe('what a transaction presented', () => {
    it('cannot be written by hand, and what is not signed is no login either', async () => {
      const { id, token } = await tokenOf(ben, 'decide');
      const code = await openRequest(mia);
      const before = await requests();
      await withClient(ben.url, async (client) => {
        for (const setting of [
          id,
          `${id}:decide`,
          `${id}:decide:`,
          `${id}:decide:${'0'.repeat(64)}`,
          `::`,
          `${id}:decide:a:b`,
          'x',
        ]) {
          await client.query('begin');
          await put(client, setting);
          for (const text of [OPEN, `select gcos_decide('${code}', 'approve', null, null)`]) {
            await client.query('savepoint s');
            await expect(client.query(text), setting).rejects.toMatchObject(UNKNOWN);
            await client.query('rollback to s');
          }
          await expect(
            client.query(
              `select gcos_gate_check('{articles}', '{A-1}', array[null::text], '{prod}', '{execute}')`,
            ),
          ).rejects.toMatchObject(UNKNOWN);
          await client.query('rollback');
        }
        // Another permission, or another token, with the signature of this transaction.
        const { id: other } = await tokenOf(mia, 'decide');
        await client.query('begin');
        await present(client, token, 'decide');
        const [, , signature] = (await presented(client)).split(':');
        for (const setting of [`${id}:operate:${signature}`, `${other}:decide:${signature}`]) {
          await put(client, setting);
          await client.query('savepoint s');
          await expect(client.query(OPEN)).rejects.toMatchObject(UNKNOWN);
          await client.query('rollback to s');
        }
        await client.query('rollback');
      });
      expect(await requests()).toBe(before);
    });

    it('is void in another session, in the next transaction, and in the same message', async () => {
      const { token } = await tokenOf(ben, 'decide');
      const before = await requests();
      await withClient(server, async (client) => {
        await client.query('begin');
        await present(client, token, 'decide');
        const setting = await presented(client);
        await withClient(server, async (thief) => {
          await thief.query('begin');
          await put(thief, setting);
          await expect(thief.query(OPEN)).rejects.toMatchObject(UNKNOWN);
          await thief.query('rollback');
        });
        await client.query('commit');
        // A setting of a transaction ends with it.
        expect(await presented(client)).toBe('');
        expect((await client.query(OPEN)).rows).toEqual([{ outcome: 'login_unknown' }]);
        await client.query('begin');
        await put(client, setting);
        await expect(client.query(OPEN)).rejects.toMatchObject(UNKNOWN);
        await client.query('rollback');
        // Two transactions of one message begin at the same time, on the same backend.
        for (const mode of ['read only', 'read write']) {
          await expect(
            client.query(`begin ${mode}; select gcos_present('${presentedForm(token)}', 'decide', null, null);
              select set_config('host.kept', current_setting('gcos.presented'), false); commit;
              begin; select set_config('gcos.presented', current_setting('host.kept'), true); ${OPEN}; commit`),
            mode,
          ).rejects.toMatchObject(UNKNOWN);
          await client.query('rollback');
        }
        // A part of a transaction that may only read gives no signature for writing.
        await client.query('begin; savepoint s; set transaction read only');
        await present(client, token, 'decide');
        await client.query('release s');
        await expect(client.query(OPEN)).rejects.toMatchObject(UNKNOWN);
        await client.query('rollback');
      });
      expect(await requests()).toBe(before);
    });

    it('stays with a prepared transaction, and with nothing after it', async () => {
      const { id, token } = await tokenOf(mia, 'decide');
      await withClient(server, async (client) => {
        await client.query('begin');
        await present(client, token, 'decide');
        const setting = await presented(client);
        await client.query(OPEN);
        await client.query(`prepare transaction 'kept-${id}'`);
        expect(await presented(client)).toBe('');
        await client.query('begin');
        await put(client, setting);
        await expect(client.query(OPEN)).rejects.toMatchObject(UNKNOWN);
        await client.query('rollback');
        await client.query(`commit prepared 'kept-${id}'`);
      });
      const rows = await host(
        `select l.login, r.proposer, r.identity_level from governance_request r
         join gcos_log l on l.subject = r.request_code where r.login = 'token:${id}'`,
      );
      expect(rows).toEqual([{ login: `token:${id}`, proposer: 'mia', identity_level: 'token' }]);
    });

    it('is one credential: a transaction presents no second one', async () => {
      const [first, second] = [await tokenOf(mia, 'decide'), await tokenOf(ben, 'decide')];
      await withClient(server, async (client) => {
        await client.query('begin');
        await present(client, first.token, 'decide');
        await expect(present(client, second.token, 'decide')).rejects.toMatchObject({ code: '25000' });
        await client.query('rollback');
      });
    });

    it('is worth nothing to code of the host in the same transaction', async () => {
      const { token } = await tokenOf(ben, 'decide');
      const [wanted, other] = [await openRequest(mia), await openRequest(mia)];
      await host(`create table public.stolen (setting text, outcome text);
        grant insert on public.stolen to public;
        create function public.steal() returns trigger language plpgsql as $f$
        declare result text;
        begin
          begin
            select d.outcome into result from gcos_trust.gcos_decide('${other}', 'approve', null, null) d;
          exception when others then result := sqlstate;
          end;
          insert into public.stolen values (current_setting('gcos.presented', true), result);
          return new;
        end $f$;
        grant execute on function public.steal() to public;
        create trigger steal before insert on apr_approvals for each row execute function public.steal()`);
      await actBy(
        server,
        token,
        'decide',
        `select outcome from gcos_decide('${wanted}', 'approve', null, null)`,
      );
      await host('drop trigger steal on apr_approvals');
      const [stolen] = await host('select setting, outcome from public.stolen');
      expect(stolen?.['setting']).toMatch(/^[0-9a-f]{12}:decide:[0-9a-f]{64}$/);
      // It runs as the owner of host tables there, which may not even call an act.
      expect(['42501', 'not_direct']).toContain(stolen?.['outcome']);
      expect(await host(`select from governance_decision where request_code = '${other}'`)).toEqual([]);
      await withClient(server, async (client) => {
        await client.query('begin');
        await put(client, String(stolen?.['setting']));
        await expect(
          client.query(`select gcos_decide('${other}', 'approve', null, null)`),
        ).rejects.toMatchObject(UNKNOWN);
      });
      await host('drop function public.steal(); drop table public.stolen');
    });

    it('does not let code of the host create tokens in the session of a person', async () => {
      await host(`create function public.mint() returns text language sql as
        $f$ select outcome from gcos_trust.gcos_create_token('theirs', null, false, '{decide}', null, null, 1) $f$;
        create function public.recruit() returns text language sql as
        $f$ select outcome from gcos_trust.gcos_write_person('eve', null, 'president', true) $f$;
        grant execute on function public.mint(), public.recruit() to public`);
      expect(await asHost(mia.url, 'select public.mint() as outcome')).toEqual([{ outcome: 'not_direct' }]);
      expect(await host('select public.mint() as outcome')).toEqual([{ outcome: 'not_direct' }]);
      expect(await host('select public.recruit() as outcome')).toEqual([{ outcome: 'not_direct' }]);
      await host('drop function public.mint(); drop function public.recruit()');
    });
  });

  describe('a stolen token', () => {
    it('does only what it permits', async () => {
      const code = await openRequest(mia);
      const vote = `select outcome from gcos_decide('${code}', 'approve', null, null)`;
      const ask = `select login, person_ref from gcos_gate_check('{articles}', '{A-1}', array[null::text], '{prod}', '{execute}')`;
      const gate = await tokenOf(ben, 'gate');
      expect(await actBy(server, gate.token, 'gate', ask)).toEqual([
        { login: `token:${gate.id}`, person_ref: 'ben' },
      ]);
      await expect(actBy(server, gate.token, 'gate', vote)).rejects.toMatchObject(NOT_PERMITTED);
      await expect(actBy(server, gate.token, 'decide', vote)).rejects.toMatchObject(NOT_PERMITTED);
      await expect(actBy(server, gate.token, 'everything', vote)).rejects.toMatchObject(NOT_PERMITTED);
      const decide = await tokenOf(ben, 'decide', 'read');
      await expect(actBy(server, decide.token, 'decide', ask)).rejects.toMatchObject(NOT_PERMITTED);
      for (const [permission, text] of [
        ['read', vote],
        ['decide', `select gcos_set_paused(true, 'x')`],
        ['decide', `select gcos_set_setting('scan.audit', '{}')`],
        ['decide', `select gcos_register_types('{a.b}', '{s}', '{low}', '{d}', '{f}')`],
        ['read', 'select gcos_draft_ruleset(null)'],
      ] as const)
        await expect(actBy(server, decide.token, permission, text), text).rejects.toMatchObject(
          NOT_PERMITTED,
        );
      expect(await actBy(server, decide.token, 'decide', vote)).toEqual([{ outcome: 'ok' }]);
      const [row] = await host(
        `select login, person_ref, identity_level from governance_decision where request_code = '${code}'`,
      );
      expect(row).toEqual({ login: `token:${decide.id}`, person_ref: 'ben', identity_level: 'token' });
    });

    it('acts for its person only, creates no token, and has no rights of the login that presents it', async () => {
      await host(`update governance_actor set may_act_for_others = true where person_ref = 'ben'`);
      const all = await tokenOf(ben, 'read', 'gate', 'decide', 'operate');
      expect(
        await actBy(
          server,
          all.token,
          'decide',
          `select outcome from gcos_open_request('${LOW}', '{}', 'mia')`,
        ),
      ).toEqual([{ outcome: 'not_allowed' }]);
      for (const url of [server, estate.url]) {
        await expect(
          actBy(
            url,
            all.token,
            'operate',
            `select outcome from gcos_create_token('again', null, false, '{read}', null, null, 1)`,
          ),
        ).rejects.toMatchObject(NOT_PERMITTED);
        expect(
          await actBy(
            url,
            all.token,
            'operate',
            `select outcome from gcos_write_person('eve', null, 'president', true)`,
          ),
        ).toEqual([{ outcome: 'not_administrator' }]);
        expect(
          await actBy(
            url,
            all.token,
            'operate',
            `select outcome from gcos_set_setting('token.lifetime', '{}')`,
          ),
        ).toEqual([{ outcome: 'setting_protected' }]);
      }
      const other = await tokenOf(mia, 'read');
      expect(
        await actBy(estate.url, all.token, 'operate', `select outcome from gcos_revoke_token('${other.id}')`),
      ).toEqual([{ outcome: 'not_administrator' }]);
      await host(`update governance_actor set may_act_for_others = false where person_ref = 'ben'`);
    });

    it('ends in the next transaction: revoked, expired, or its person inactive', async () => {
      const open = async (token: string) => actBy(server, token, 'decide', OPEN);
      const { id, token } = await tokenOf(mia, 'decide');
      await withClient(server, async (client) => {
        await client.query('begin');
        await present(client, token, 'decide');
        // A running transaction does not keep a revocation waiting.
        await mia.gcos.tokens.revoke(id);
        await client.query('commit');
        await client.query('begin');
        await expect(present(client, token, 'decide')).rejects.toMatchObject(REVOKED);
        await client.query('rollback');
      });
      const next = await tokenOf(mia, 'decide');
      await host(`update governance_actor set active = false where person_ref = 'mia'`);
      await expect(open(next.token)).rejects.toMatchObject(REVOKED);
      await host(`update governance_actor set active = true where person_ref = 'mia'`);
      expect(await open(next.token)).toEqual([{ outcome: 'ok' }]);
      await setClock(estate.url, { ahead: '90 days' });
      await expect(open(next.token)).rejects.toMatchObject(EXPIRED);
      await resetClock(estate.url);
      expect(await open(next.token)).toEqual([{ outcome: 'ok' }]);
    });

    it('of a pipeline asks the gate, and is no person', async () => {
      const robot = await estate.gcos.tokens.create({
        name: 'release',
        permissions: ['gate', 'read'],
        pipeline: true,
      });
      const ask = `select login, person_ref from gcos_gate_check('{articles}', '{A-1}', array[null::text], '{prod}', '{execute}')`;
      expect(await actBy(server, robot.token, 'gate', ask)).toEqual([
        { login: `token:${robot.id}`, person_ref: null },
      ]);
      for (const permission of ['gate', 'read'])
        await expect(actBy(server, robot.token, permission, OPEN)).rejects.toMatchObject(NOT_PERMITTED);
    });

    it('that is limited reads only what it names, and asks only about what its owners own', async () => {
      const scoped = await mia.gcos.tokens.create({
        name: 's',
        permissions: ['read'],
        scopes: ['audit', 'policy'],
      });
      const owned = await mia.gcos.tokens.create({
        name: 'o',
        permissions: ['read', 'gate'],
        owners: ['GOV-COUNCIL'],
      });
      const read = (token: string, scope: string | null, owner: string | null) =>
        withClient(server, async (client) => {
          await client.query('begin read only');
          await present(client, token, 'read', scope, owner);
          await client.query('commit');
        });
      await read(scoped.token, 'audit', null);
      await read(owned.token, 'health', 'GOV-COUNCIL');
      for (const [token, scope, owner] of [
        [scoped.token, null, null],
        [scoped.token, 'health', null],
        [scoped.token, '', 'GOV-COUNCIL'],
        [owned.token, null, null],
        [owned.token, 'audit', 'GOV-DOT'],
      ] as const)
        await expect(read(token, scope, owner)).rejects.toMatchObject(OUTSIDE);
    });
  });

  describe('creating a token', () => {
    it('gives nobody more rights than the creator has', async () => {
      const create = (who: Person, options: object) =>
        who.gcos.tokens.create({ name: 'x', permissions: ['read'], ...options });
      await expect(create(mia, { person: 'ben' })).rejects.toMatchObject({ code: 'administrator_required' });
      await expect(create(mia, { pipeline: true })).rejects.toMatchObject({ code: 'administrator_required' });
      await expect(create(mia, { days: 366 })).rejects.toMatchObject({ code: 'token_invalid' });
      await expect(create(mia, { days: 0 })).rejects.toMatchObject({ code: 'token_invalid' });
      await expect(create(mia, { permissions: [] })).rejects.toMatchObject({ code: 'token_invalid' });
      await expect(create(mia, { permissions: ['root'] })).rejects.toMatchObject({ code: 'value_unknown' });
      for (const [permissions, outcome] of [
        ['{root}', 'permissions_invalid'],
        ['{read,root}', 'permissions_invalid'],
      ])
        expect(
          await asHost(
            mia.url,
            `select outcome from gcos_create_token('x', null, false, '${permissions}', null, null, 1)`,
          ),
        ).toEqual([{ outcome }]);
      await expect(create(mia, { permissions: ['decide'], scopes: ['audit'] })).rejects.toMatchObject({
        code: 'token_invalid',
      });
      await expect(create(mia, { permissions: ['gate'], scopes: ['audit'] })).rejects.toMatchObject({
        code: 'token_invalid',
      });
      await expect(
        estate.gcos.tokens.create({ name: 'x', permissions: ['operate'], pipeline: true }),
      ).rejects.toMatchObject({ code: 'token_invalid' });
      await expect(
        estate.gcos.tokens.create({ name: 'x', permissions: ['read'], person: 'eve' }),
      ).rejects.toMatchObject({
        code: 'person_unknown',
      });
      expect(
        await estate.gcos.tokens.create({ name: 'x', permissions: ['read'], person: 'ben' }),
      ).toMatchObject({ person: 'ben' });
      const mine = await tokenOf(mia, 'read');
      await expect(ben.gcos.tokens.revoke(mine.id)).rejects.toMatchObject({ code: 'administrator_required' });
      expect(await estate.gcos.tokens.revoke(mine.id)).toMatchObject({ status: 'revoked' });
      await expect(mia.gcos.people.add('eve')).rejects.toMatchObject({ code: 'administrator_required' });
    });
  });
}
