// Tokens: creating, presenting and revoking them; the levels of identity and what a quorum counts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gcos, Permission } from '../../src/index.js';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';
import { until } from '../support/wait.js';

const HIGH = 'gcos.ruleset.activate';
const MEDIUM = 'gcos.exception.grant';
const LOW = 'gcos.remediation.propose';

describe('tokens', () => {
  let estate: Estate;
  let people: People;
  let server: Gcos;
  let alice: Person;
  let president: Person;
  const host = (text: string) => asHost(estate.url, text);
  const tokenOf = async (who: Person, ...permissions: Permission[]) =>
    (await who.gcos.tokens.create({ name: `of ${who.name}`, permissions })).token;
  /** The operations on the connections of the server, by a token of `who`. */
  const by = async (who: Person, permission: Permission) =>
    server.as({ credential: await tokenOf(who, permission), permission });

  beforeAll(async () => {
    estate = await createEstate('installed');
    people = createPeople(estate.url);
    alice = await people.person('alice', 'member');
    president = await people.person('president', 'president');
    server = await openAt(urlAs(estate.url, 'server'), { GCOS_POOL_SIZE: '2' });
  });
  afterAll(async () => {
    await server?.close();
    await people?.close();
    await estate?.close();
  });

  it('act as their person, and the record names the level and the token', async () => {
    const created = await alice.gcos.tokens.create({
      name: 'alice, laptop',
      permissions: ['decide', 'read'],
    });
    expect(created).toMatchObject({ person: 'alice', createdBy: 'alice' });
    expect(created.token).toMatch(/^gcos_[0-9a-f]{12}_[0-9a-f]{72}$/);
    const api = server.as({ credential: created.token, permission: 'decide' });
    const { code } = await api.requests.open(LOW, { x: 1 });
    expect(await server.requests.show(code)).toMatchObject({ proposer: 'alice', proposerLevel: 'token' });
    const [request] = await host(
      `select login, verified, identity_level from governance_request where request_code = '${code}'`,
    );
    expect(request).toEqual({ login: `token:${created.id}`, verified: true, identity_level: 'token' });
    const [link] = await host(
      `select login, payload ->> 'identity_level' as level from gcos_log where subject = '${code}'`,
    );
    expect(link).toEqual({ login: `token:${created.id}`, level: 'token' });
    expect(await server.log.verify()).toMatchObject({ intact: true });
  });

  it('are shown without their secret, with their last use, and are revoked at once', async () => {
    const created = await alice.gcos.tokens.create({ name: 'to revoke', permissions: ['read'], days: 2 });
    const reads = server.as({ credential: created.token, permission: 'read' });
    await reads.requests.list();
    const line = async () => (await server.tokens.list()).find((each) => each.id === created.id);
    await until('the use of the token to be noted', async () => (await line())?.lastUsedAt !== null);
    expect(await line()).toMatchObject({
      name: 'to revoke',
      status: 'active',
      permissions: ['read'],
      scopes: null,
    });
    expect(JSON.stringify(await line())).not.toContain(created.token.slice(20, 60));
    expect(await alice.gcos.tokens.revoke(created.id)).toMatchObject({
      status: 'revoked',
      revokedBy: 'alice',
    });
    await expect(reads.requests.list()).rejects.toMatchObject({ code: 'credential_revoked' });
    await expect(alice.gcos.tokens.revoke(created.id)).rejects.toMatchObject({ code: 'token_revoked' });
    const kinds = await host(`select kind from gcos_log where subject = '${created.id}' order by position`);
    expect(kinds).toEqual([{ kind: 'token.created' }, { kind: 'token.revoked' }]);
  });

  it('do what they permit, and each operation only what it presented', async () => {
    const reader = await by(alice, 'read');
    await expect(reader.requests.open(LOW, {})).rejects.toMatchObject({ code: 'permission_missing' });
    const token = await tokenOf(alice, 'decide', 'read');
    await expect(
      server.as({ credential: token, permission: 'operate' }).requests.list(),
    ).rejects.toMatchObject({
      code: 'permission_missing',
    });
    // The token may decide, and the operation presented it for reading.
    await expect(
      server.as({ credential: token, permission: 'read' }).requests.open(LOW, {}),
    ).rejects.toMatchObject({
      code: 'permission_missing',
    });
    const decides = server.as({ credential: token, permission: 'decide' });
    await expect(decides.workers.pause('why')).rejects.toMatchObject({ code: 'permission_missing' });
    await expect((await by(alice, 'operate')).settings.set('scan.audit', '{}')).rejects.toMatchObject({
      code: 'setting_value_invalid',
    });
    await (await by(alice, 'operate')).workers.pause('a look');
    expect(await server.workers.state()).toMatchObject({
      paused: true,
      pause: { by: 'alice', login: expect.stringMatching(/^token:/) },
    });
    await (await by(alice, 'operate')).workers.resume();
  });

  it('count in a quorum where the policy counts their level', async () => {
    const { code: medium } = await alice.gcos.requests.open(MEDIUM, { x: 1 });
    const approves = await by(president, 'decide');
    expect(await approves.requests.approve(medium)).toMatchObject({
      status: 'approved',
      decisions: [{ person: 'president', level: 'token', counts: true }],
    });
    const { code: high } = await alice.gcos.requests.open(HIGH, { x: 1 });
    await expect(approves.requests.approve(high)).rejects.toMatchObject({ code: 'identity_level_refused' });
    // Nothing was recorded: the person decides by their login.
    expect((await president.gcos.requests.approve(high)).decisions).toMatchObject([
      { person: 'president', level: 'login', counts: true },
    ]);
    // One person, two credentials: one decision.
    await expect(approves.requests.reject(high, { reason: 'no' })).rejects.toMatchObject({
      code: 'decision_repeated',
    });
  });

  it('stop counting when the policy stops counting their level, and need no login where it is counted', async () => {
    const policy = (levels: object) =>
      host(`update governance_setting set setting_value = jsonb_build_object('quorum', '{"low": {"any": 2}, "medium": {"president": 2}, "high": {"president": 1}}'::jsonb,
        'levels', '${JSON.stringify(levels)}'::jsonb) where setting_key = 'approval.policy'`);
    await policy({ high: ['login', 'token'] });
    const { code } = await alice.gcos.requests.open(HIGH, { x: 2 });
    const approves = await by(president, 'decide');
    expect(await approves.requests.approve(code)).toMatchObject({ status: 'approved' });
    await policy({ high: ['login'] });
    expect(await server.requests.show(code)).toMatchObject({
      status: 'pending',
      decisions: [
        { counts: false, remark: 'identified by a token, which the policy does not count for this risk' },
      ],
    });
    await policy({ high: 'token' });
    expect(await server.requests.show(code)).toMatchObject({ status: 'pending' });
    await host(
      `update governance_setting set setting_value = '{"quorum": {"low": {"any": 1}, "medium": {"president": 1}, "high": {"president": 1, "council": 2}}}' where setting_key = 'approval.policy'`,
    );
  });

  it('open and approve an action that takes two logins as two credentials', async () => {
    const policy = 'approval.two_logins';
    await host(
      `update governance_setting set setting_value = '["${MEDIUM}"]' where setting_key = '${policy}'`,
    );
    const opened = await (await by(alice, 'decide')).requests.open(MEDIUM, { x: 3 });
    expect(await (await by(president, 'decide')).requests.approve(opened.code)).toMatchObject({
      status: 'approved',
    });
    await host(
      `update governance_setting set setting_value = '["gcos.gate.break_glass"]' where setting_key = '${policy}'`,
    );
  });
});
