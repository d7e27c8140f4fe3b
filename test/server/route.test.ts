// Every route of the server, from its own list: without a credential, with an unknown, an expired and a
// revoked one, with too little permission and with a limited one. Each is refused before anything is read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '../../src/server/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { type CallOptions, startServer, type TestServer } from '../support/http.js';

let estate: Estate;
let server: TestServer;
let unusable: Record<string, string>;
let limited: string;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 100_000 } });
  const create = (more = {}) =>
    estate.gcos.tokens.create({ name: 'x', pipeline: true, permissions: ['read', 'gate'], ...more });
  const [expired, revoked] = [await create(), await create()];
  await asHost(
    estate.url,
    `update gcos_trust.gcos_token set created_at = now() - interval '2 days', expires_at = now() - interval '1 second' where token_id = '${expired.id}'`,
  );
  await estate.gcos.tokens.revoke(revoked.id);
  unusable = {
    credential_unknown: `gcos_${'0'.repeat(12)}_${'0'.repeat(64)}${'0'.repeat(8)}`,
    credential_expired: expired.token,
    credential_revoked: revoked.token,
  };
  limited = (await create({ permissions: ['read'], scopes: ['policy'] })).token;
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

type Route = TestServer['routes'][number];
const guarded = () => server.routes.filter(({ permission }) => permission !== 'public');

/** A request to the route that says nothing that it could be about. */
function call({ method, path, atRoot, body }: Route, options: CallOptions) {
  const address = `${atRoot ? '' : '/api/v1'}${path.replaceAll(/\{\w+\}/g, 'nothing')}`;
  return server.call(address, {
    method: method.toUpperCase(),
    ...options,
    headers: { 'if-match': '"x"', ...options.headers },
    ...(body === undefined ? {} : { body: {} }),
  });
}

const bearer = (token: string): CallOptions => ({ as: null, headers: { authorization: `Bearer ${token}` } });
/** No name of a host, a login or a table, no statement, no file. */
const LEAK = /gcos_trust|gcos_server|governance_|birth_registry|select |node_modules|\.ts:|127\.0\.0\.1/;

describe('every route', () => {
  it('there are many, each with its own address', () => {
    const names = server.routes.map(({ method, path }) => `${method} ${path}`);
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is refused without a credential, and what it says is only that', async () => {
    for (const route of guarded())
      for (const options of [
        { as: null },
        { as: null, headers: { authorization: 'Basic eDp5' } },
        { as: null, headers: { authorization: 'Bearer ' } },
      ]) {
        const { status, text, headers } = await call(route, options);
        expect([route.path, status]).toEqual([route.path, 401]);
        expect(headers.get('www-authenticate')).toContain('Bearer');
        expect(text).toContain('credential_missing');
        expect(text).not.toMatch(LEAK);
      }
  });

  it('is refused with an unknown, an expired and a revoked credential', async () => {
    for (const route of guarded())
      for (const [code, token] of Object.entries(unusable)) {
        const { status, text } = await call(route, bearer(token));
        expect([route.path, status]).toEqual([route.path, 401]);
        expect(text).toContain(code);
        expect(text).not.toMatch(LEAK);
      }
  });

  it('is refused with each other permission', async () => {
    const all: Permission[] = ['read', 'gate', 'decide', 'operate'];
    for (const route of guarded())
      for (const as of all.filter((each) => each !== route.permission)) {
        const { status, text } = await call(route, { as });
        expect([route.path, as, status]).toEqual([route.path, as, 403]);
        expect(text).toContain('permission_missing');
        expect(text).not.toMatch(LEAK);
      }
  });

  it('is refused to a credential that is limited to a scope, unless it names the scope', async () => {
    for (const route of guarded()) {
      const { status } = await call(route, bearer(limited));
      // 400 and 404: the request of this test names nothing that exists.
      expect([400, 403, 404], route.path).toContain(status);
      if (route.permission !== 'read') expect(status).toBe(403);
    }
    expect((await server.call('/api/v1/status', bearer(limited))).json.code).toBe('outside_limits');
  });

  it('never has a credential in an address', async () => {
    const { status } = await server.call(`/api/v1/status?access_token=${server.tokens.read}`, { as: null });
    expect(status).toBe(401);
    expect(server.logged.join('\n')).not.toContain(server.tokens.read);
  });
});
