// Lists of tokens and people: who may see what, whatever the credential asks for; and break-glass passes over
// HTTP, from the request to its end, approved by two logins.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer, TOKEN_PERSON } from '../support/http.js';
import { createPeople, type People, type Person } from '../support/people.js';

let estate: Estate;
let people: People;
let server: TestServer;
let ana: Person;
const ids: Record<string, string> = {};
const secrets: Record<string, string> = {};

beforeAll(async () => {
  estate = await createEstate('scanned');
  people = createPeople(estate.url);
  server = await startServer(estate);
  ana = await people.person('ana', 'president');
  const bob = await people.person('bob', 'council');
  const create = async (name: string, made: Promise<{ readonly id: string; readonly token: string }>) => {
    const { id, token } = await made;
    [ids[name], secrets[name]] = [id, token];
  };
  await create('ana', ana.gcos.tokens.create({ name: 'console', permissions: ['read', 'decide'] }));
  await create('other', ana.gcos.tokens.create({ name: 'second', permissions: ['read'] }));
  await create('bob', bob.gcos.tokens.create({ name: 'operator', permissions: ['read', 'operate'] }));
  const pipeline = { name: 'pipeline', pipeline: true };
  await create('pipeline', estate.gcos.tokens.create({ ...pipeline, permissions: ['read'] }));
  await create(
    'limited',
    estate.gcos.tokens.create({ ...pipeline, permissions: ['read'], scopes: ['policy'] }),
  );
  await create('revoked', ana.gcos.tokens.create({ name: 'old', permissions: ['read'] }));
  await ana.gcos.tokens.revoke(ids['revoked'] ?? '');
});
afterAll(async () => {
  await server?.close();
  await people?.close();
  await estate?.close();
});

const as = (name: string) => ({ as: null, headers: { authorization: `Bearer ${secrets[name]}` } });
const seenBy = async (name: string, query = '') => {
  const { status, json } = await server.call(`/api/v1/tokens?limit=100${query}`, as(name));
  expect(status).toBe(200);
  return (json.tokens as { readonly id: string }[]).map(({ id }) => id);
};
const idsOf = (...names: readonly string[]) => names.map((name) => ids[name]);

describe('tokens', () => {
  it('a person sees their own, a pipeline itself, and who may operate all', async () => {
    expect(await seenBy('ana')).toEqual(idsOf('revoked', 'other', 'ana'));
    expect(await seenBy('pipeline')).toEqual(idsOf('pipeline'));
    expect(await seenBy('bob')).toEqual(expect.arrayContaining(Object.values(ids)));
    const limited = await server.call('/api/v1/tokens', as('limited'));
    expect([limited.status, limited.json.code]).toEqual([403, 'outside_limits']);
  });

  it('no secret and no hash leaves', async () => {
    const { text } = await server.call('/api/v1/tokens', as('bob'));
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
    const hashes = await asHost(
      estate.url,
      "select secret_check, encode(secret_hash, 'hex') as hash from gcos_trust.gcos_token",
    );
    for (const row of hashes) {
      expect(text).not.toContain(String(row['secret_check']));
      expect(text).not.toContain(String(row['hash']));
    }
  });

  it('filters and pages only among those, and refuses a name or a cursor that is none', async () => {
    expect(await seenBy('ana', '&status=active')).toEqual(idsOf('other', 'ana'));
    expect(await seenBy('ana', '&person=bob')).toEqual([]);
    expect(await seenBy('bob', '&person=ana&status=revoked')).toEqual(idsOf('revoked'));
    for (const query of ['person=zoe', 'status=fine', 'owner=x', 'after=x']) {
      const { status, json } = await server.call(`/api/v1/tokens?${query}`, as('ana'));
      expect([query, status]).toEqual([query, 400]);
      expect(json.code).toMatch(/^(value_unknown|request_malformed|value_invalid)$/);
    }
    const { json } = await server.call('/api/v1/tokens?limit=1', as('bob'));
    const forged = await server.call(`/api/v1/tokens?after=${json.next.after}`, as('pipeline'));
    // The cursor names a token that this credential may not see: for it there is none.
    expect([forged.status, forged.json.code]).toEqual([404, 'token_unknown']);
  });

  it('people are listed with counts of the tokens that the asker may see', async () => {
    const tokensOf = async (who: string, name: string) => {
      const { json } = await server.call('/api/v1/people', as(who));
      return json.people.find((each: { person: string }) => each.person === name).tokens;
    };
    for (const [who, name, count] of [
      ['ana', 'ana', 2],
      ['bob', 'ana', 2],
      ['pipeline', 'ana', 0],
      ['bob', TOKEN_PERSON, 4],
    ] as const) {
      const found = await tokensOf(who, name);
      expect([who, name, found.count]).toEqual([who, name, count]);
      const { json } = await server.call(found.href, as(who));
      expect(json.tokens).toHaveLength(count);
    }
  });
});

describe('a break-glass pass over HTTP', () => {
  const body = { collection: 'dot_tools', code: 'DOT-117', stage: 'prod', action: 'execute', minutes: 15 };
  const ask = async () =>
    (
      await server.call('/api/v1/gate/check', {
        as: 'gate',
        body: { collection: body.collection, code: body.code },
      })
    ).json.decisions[0];

  it('is requested with a token, approved by another login, relied on, listed and closed', async () => {
    expect((await ask()).answer).toBe('block');
    const requested = await server.call('/api/v1/gate/break-glass', {
      as: 'decide',
      body: { ...body, reason: 'incident 7' },
    });
    expect([requested.status, requested.text]).toEqual([201, expect.stringContaining('"pass"')]);
    const { pass } = requested.json;
    expect((await ask()).answer).toBe('block');
    // The proposer is no second person, whatever they present.
    const seen = (await server.call(`/api/v1/requests/${pass.approval_ref}`)).json.decides_on;
    const own = await server.call(`/api/v1/requests/${pass.approval_ref}/approve`, {
      as: 'decide',
      body: {},
      headers: { 'if-match': `"${seen}"` },
    });
    expect([own.status, (await ask()).answer]).toEqual([403, 'block']);
    // Another login.
    await ana.gcos.requests.approve(pass.approval_ref);
    const allowed = await ask();
    expect([allowed.answer, allowed.break_glass]).toEqual(['allow', pass.code]);
    const [inForce] = (await server.call('/api/v1/gate/break-glass')).json.passes;
    expect(inForce).toMatchObject({ code: pass.code, status: 'in_force' });
    expect(allowed.valid_until).toBe(inForce.ends_at);
    const closed = await server.call(`/api/v1/gate/break-glass/${pass.code}/close`, {
      as: 'decide',
      body: {},
    });
    expect([closed.status, closed.json.code]).toEqual([200, pass.code]);
    expect((await ask()).answer).toBe('block');
    expect((await server.call(`/api/v1/gate/break-glass/${pass.code}`)).json.status).not.toBe('in_force');
    expect((await server.call('/api/v1/gate/break-glass/GBG-9999')).status).toBe(404);
  });
});
