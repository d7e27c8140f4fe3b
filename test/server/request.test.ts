// How a request runs: health, one resource that is read, one that is written, and what is refused before a
// verb of the library runs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provideActors } from '../../src/demo/index.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';
import { createPeople, type People } from '../support/people.js';

let estate: Estate;
let people: People;
let server: TestServer;
beforeAll(async () => {
  estate = await createEstate('scanned');
  people = createPeople(estate.url);
  server = await startServer(estate);
});
afterAll(async () => {
  await server?.close();
  await people?.close();
  await estate?.close();
});

describe('health', () => {
  it('needs no credential and names nothing that is governed', async () => {
    expect((await server.call('/healthz', { as: null })).json).toEqual({ ok: true });
    const ready = await server.call('/readyz', { as: null });
    expect([ready.status, ready.json]).toEqual([200, { ready: true, reason: null }]);
  });
});

describe('a resource that is read', () => {
  it('answers in the public form, with a request id', async () => {
    const { status, json, headers } = await server.call('/api/v1/status', {
      headers: { 'x-request-id': 'build-17' },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ schema: 'current', inventory: 'present', births: expect.any(String) });
    expect(headers.get('x-request-id')).toBe('build-17');
  });

  it('is refused without a credential and with an unknown one, as a problem', async () => {
    const { status, json, headers } = await server.call('/api/v1/status', { as: null });
    expect(status).toBe(401);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('www-authenticate')).toContain('Bearer');
    expect(json).toMatchObject({
      type: 'urn:gcos:error:credential_missing',
      status: 401,
      code: 'credential_missing',
      instance: `urn:gcos:request:${headers.get('x-request-id')}`,
    });
    const unknown = await server.call('/api/v1/status', {
      as: null,
      headers: { authorization: 'Bearer no-such-token' },
    });
    expect([unknown.status, unknown.json.code]).toEqual([401, 'credential_unknown']);
  });

  it('refuses what it does not know', async () => {
    const parameter = await server.call('/api/v1/status?wide=1');
    expect([parameter.status, parameter.json.errors]).toEqual([
      400,
      [{ at: 'query.wide', message: 'is not known here' }],
    ]);
    expect((await server.call('/api/v1/nothing')).json.code).toBe('route_unknown');
    const method = await server.call('/api/v1/status', { method: 'DELETE' });
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET']);
  });
});

describe('a resource that is written', () => {
  it('binds a vote to what was read', async () => {
    await provideActors(estate.db);
    const proposer = await people.person('proposer', 'member');
    const { code } = await proposer.gcos.requests.open('gcos.remediation.propose', {
      note: 'raise the limit',
    });
    const path = `/api/v1/requests/${code}`;
    const { decides_on: seen } = (await server.call(path)).json;
    const vote = (headers: Record<string, string>, as: 'read' | 'decide' = 'decide') =>
      server.call(`${path}/reject`, { as, body: { reason: 'not now' }, headers });
    expect((await vote({})).status).toBe(428);
    expect((await vote({ 'if-match': '"another"' })).status).toBe(412);
    expect((await vote({ 'if-match': `"${seen}"` }, 'read')).status).toBe(403);
    const rejected = await vote({ 'if-match': `"${seen}"` });
    expect([rejected.status, rejected.json.status, rejected.json.decides_on]).toEqual([
      200,
      'rejected',
      seen,
    ]);
    expect((await vote({ 'if-match': `"${seen}"` })).json).toMatchObject({
      status: 409,
      code: 'request_closed',
    });
  });
});

describe('the document', () => {
  it('describes every route with its permission', async () => {
    const { json } = await server.call('/api/v1/openapi.json', { as: null });
    expect(json.openapi).toBe('3.1.0');
    expect(json.paths['/api/v1/requests/{code}/approve'].post).toMatchObject({
      'x-gcos-permission': 'decide',
    });
  });
});
