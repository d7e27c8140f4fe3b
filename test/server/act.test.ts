// What people write over HTTP, with the tokens of real people; and acts that name a key: repeated, at the same
// time, with another request, and with an answer that was lost.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { type CallOptions, startServer, type TestServer } from '../support/http.js';

let estate: Estate;
let server: TestServer;
let other: string;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate);
  await host(
    `insert into gcos_trust.governance_actor (person_ref, approver_type) values ('proposer', 'member')`,
  );
  const made = await estate.gcos.tokens.create({
    name: 'other',
    person: 'proposer',
    permissions: ['decide', 'operate'],
  });
  other = made.token;
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

const host = (text: string) => asHost(estate.url, text);
const count = async (table: string) =>
  Number((await host(`select count(*) as n from gcos_trust.${table}`))[0]?.['n']);
const write = (path: string, body: unknown, options: CallOptions = {}) =>
  server.call(`/api/v1${path}`, { as: 'decide', body, ...options });
const asOther = (headers: Record<string, string> = {}): CallOptions => ({
  as: null,
  headers: { authorization: `Bearer ${other}`, ...headers },
});

const EXCEPTION = {
  subject: { kind: 'collection', collection: 'articles' },
  scope: 'execution',
  link: 'owner',
  seconds: 86_400,
  reason: 'until the delegation is renewed',
};

describe('acts', () => {
  it('request an exception, approve it on what was read, and revoke it', async () => {
    const requested = await write('/exceptions', EXCEPTION, asOther());
    expect([requested.status, requested.json.opened]).toEqual([201, true]);
    const { code, approval_ref: request } = requested.json.exception;
    const { decides_on: seen } = (await server.call(`/api/v1/requests/${request}`)).json;
    const headers = { 'if-match': `"${seen}"` };
    const own = await write(`/requests/${request}/approve`, {}, asOther(headers));
    expect([own.status, own.json.code]).toEqual([403, 'decision_by_proposer']);
    const approved = await write(`/requests/${request}/approve`, { reason: 'agreed' }, { headers });
    expect(approved.status, approved.text).toBe(200);
    expect(approved.json.decisions).toMatchObject([
      { decision: 'approve', level: 'token', reason: 'agreed' },
    ]);
    const revoked = await write(`/exceptions/${code}/revoke`, { reason: 'renewed' });
    expect([revoked.status, revoked.json.status]).toEqual([200, 'revoked']);
  });

  it('draft the rules, say that there is nothing to propose, and refuse a version that is not there', async () => {
    const drafted = await write('/rulesets', {});
    expect(drafted.json).toMatchObject({ version: expect.stringMatching(/^gov-rs-/), status: 'active' });
    expect((await write('/rulesets/propose', {})).json).toMatchObject({ code: 'plan_empty', status: 409 });
    expect((await write('/rulesets/gov-rs-000000000000/activate', { request: 'APR-9999' })).status).toBe(404);
  });

  it('propose a remedy once, and withdraw it as its proposer only', async () => {
    const { fixes } = await estate.gcos.fixes.list({ limit: 1 });
    const propose = () => write(`/fixes/${fixes[0]?.id}/propose`, {}, asOther());
    const first = await propose();
    expect([first.status, first.json.created]).toEqual([201, true]);
    expect((await propose()).json).toMatchObject({ code: first.json.code, created: false });
    const path = `/requests/${first.json.code}/withdraw`;
    expect((await write(path, {})).status).toBe(403);
    expect((await write(path, {}, asOther())).json.status).toBe('withdrawn');
  });

  it('pause the workers with a reason and resume them, as the person of the token', async () => {
    expect((await write('/workers/pause', {}, { as: 'operate' })).status).toBe(400);
    const paused = await write('/workers/pause', { reason: 'maintenance' }, asOther());
    expect(paused.json).toMatchObject({ paused: true, pause: { by: 'proposer', reason: 'maintenance' } });
    expect((await write('/workers/resume', {}, { as: 'operate' })).json.paused).toBe(false);
  });

  it('set what a person may set, and nothing else', async () => {
    const set = (key: string, value: unknown) =>
      write(`/settings/${key}`, { value }, { as: 'operate', method: 'PUT' });
    expect((await set('scan.pace', 'soon')).status).toBe(400);
    expect((await set('no.such.setting', 1)).status).toBe(404);
    expect((await set('worker.paused', { paused: true })).json.code).toBe('setting_of_command');
    expect([403, 409, 400]).toContain(
      (await set('token.lifetime', { default_days: 1, longest_days: 1 })).status,
    );
  });

  it('retry dead letters by name', async () => {
    const retry = (body: unknown) => write('/dead-letters/retry', body, { as: 'operate' });
    expect((await retry({})).status).toBe(400);
    expect((await retry({ ids: [randomUUID()] })).status).toBe(404);
  });

  it('revoke a token of the same person, at once, and no other', async () => {
    const { id, token } = await estate.gcos.tokens.create({
      name: 'old',
      person: 'proposer',
      permissions: ['read'],
    });
    const old: CallOptions = { as: null, headers: { authorization: `Bearer ${token}` } };
    expect((await server.call('/api/v1/status', old)).status).toBe(200);
    expect((await write(`/tokens/${id}/revoke`, {}, { as: 'operate' })).status).toBe(403);
    expect((await write(`/tokens/${id}/revoke`, {}, asOther())).json.status).toBe('revoked');
    expect((await server.call('/api/v1/status', old)).json.code).toBe('credential_revoked');
  });
});

describe('an act with a key', () => {
  const open = (key: string, note: string, as: CallOptions = {}) =>
    write(
      '/requests',
      { action: 'gcos.remediation.propose', proposed_action: { note } },
      { ...as, headers: { 'idempotency-key': key, ...as.headers } },
    );

  it('is done once, and answered alike', async () => {
    const key = randomUUID();
    const before = await count('governance_request');
    const first = await open(key, 'a');
    const again = await open(key, 'a');
    expect(first.status).toBe(201);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(await count('governance_request')).toBe(before + 1);
    const different = await open(key, 'b');
    expect([different.status, different.json.code]).toEqual([422, 'act_key_reused']);
    // Another token has keys of its own.
    expect((await open(key, 'b', asOther())).status).toBe(201);
  });

  it('is done once by eight requests at the same time', async () => {
    const key = randomUUID();
    const before = await count('governance_request');
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(key, 'at once')));
    expect(await count('governance_request')).toBe(before + 1);
    for (const { status, json } of answers) expect([201, 409], JSON.stringify(json)).toContain(status);
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    expect(new Set(answers.flatMap(({ status, json }) => (status === 201 ? [json.code] : []))).size).toBe(1);
  });

  it('that failed can be repeated', async () => {
    const key = randomUUID();
    const reject = () => write('/requests/APR-9999/withdraw', {}, { headers: { 'idempotency-key': key } });
    expect((await reject()).status).toBe(404);
    expect((await reject()).status).toBe(404);
    expect((await open(key, 'now')).status).toBe(201);
  });

  it('whose answer was lost is not done again, and says so', async () => {
    // As if the server had died between the act and storing its answer.
    await host(
      'revoke execute on function gcos_trust.gcos_finish_act(text, text, integer, text) from gcos_server',
    );
    const key = randomUUID();
    const before = await count('governance_request');
    expect((await open(key, 'lost')).status).toBe(201);
    const again = await open(key, 'lost');
    expect([again.status, again.json.code]).toEqual([409, 'act_unanswered']);
    expect(await count('governance_request')).toBe(before + 1);
    await host(
      'grant execute on function gcos_trust.gcos_finish_act(text, text, integer, text) to gcos_server',
    );
  });

  it('is forgotten after a day', async () => {
    const key = randomUUID();
    const first = await open(key, 'old');
    await host(
      `update gcos_trust.gcos_act_key set begun_at = begun_at - interval '1 day' where act_key = '${key}'`,
    );
    const again = await open(key, 'old');
    expect([again.status, again.json.code === first.json.code]).toEqual([201, false]);
    await host(`update gcos_trust.gcos_act_key set begun_at = begun_at - interval '1 day'`);
    await open(randomUUID(), 'another');
    expect(await count('gcos_act_key')).toBe(1);
  });

  it('needs a key that can be stored', async () => {
    for (const key of ['', 'a b', 'x'.repeat(201)]) expect((await open(key, 'x')).status).toBe(400);
  });
});
