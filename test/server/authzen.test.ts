// The gate as a policy decision point of the AuthZEN Authorization API 1.0, asked by a client that knows the
// standard alone: one evaluation, several, the three semantics, discovery, request ids, malformed requests.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decision, discover, type Pep } from '../support/authzen.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

const subject = { type: 'workload', id: 'pipeline-7' };
const execute = { name: 'execute', properties: { stage: 'prod' } };
/** Covered in every scope that requires coverage, and one that lacks an approval path. */
const FINE = { type: 'dot_tools', id: 'DOT-118' };
const BLOCKED = { type: 'dot_tools', id: 'DOT-117' };

let estate: Estate;
let server: TestServer;
let pep: Pep;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate);
  pep = await discover(server.url, server.tokens.gate);
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

const outcomes = (answers: readonly Decision[]) => answers.map(({ decision }) => decision);

describe('an access evaluation', () => {
  it('permits what the gate allows, with the recorded decision and its evidence', async () => {
    const { decision, context } = await pep.evaluate({ subject, action: execute, resource: FINE });
    expect(decision).toBe(true);
    expect(context).toMatchObject({
      outcome: 'allow',
      mode: 'enforce',
      decision_id: expect.stringMatching(/^\d+\.1$/),
      reasons: [],
      evidence: [{ snapshot: expect.any(String), ruleset: expect.stringMatching(/^gov-rs-/) }],
    });
    const stored = await server.call(`/api/v1/gate/decisions/${context.decision_id}`);
    expect(stored.json).toMatchObject({
      answer: 'allow',
      subject: { collection: 'dot_tools', code: 'DOT-118' },
      stage: 'prod',
      action: 'execute',
    });
  });

  it('denies what the gate blocks, with reasons, and fixes with those who can make them', async () => {
    const { decision, context } = await pep.evaluate({ subject, action: execute, resource: BLOCKED });
    expect(decision).toBe(false);
    expect(context).toMatchObject({
      outcome: 'block',
      reasons: expect.arrayContaining([expect.objectContaining({ code: 'orphan', scope: 'approval' })]),
      fixes: [{ what: expect.stringContaining('approval path'), who: ['GOV-COUNCIL'] }],
    });
    const unborn = await pep.evaluate({ subject, action: execute, resource: { ...FINE, id: 'DOT-0' } });
    expect([unborn.decision, unborn.context.reasons[0].code]).toEqual([false, 'not_found']);
  });

  it('permits with a rescan at low risk, and answers for a group by its key', async () => {
    const [low] = await asHost(
      estate.url,
      `update governance_candidate_object o set dirty = true, dirty_reason = 'test', dirtied_at = now()
       where o.collection_name = 'table_registry' and o.entity_code = (
         select min(entity_code) from birth_registry where collection_name = 'table_registry')
       returning o.entity_code as id`,
    );
    const rescan = await pep.evaluate({
      subject,
      action: { name: 'read' },
      resource: { type: 'table_registry', id: String(low?.['id']) },
    });
    expect([rescan.decision, rescan.context.outcome]).toEqual([true, 'allow_and_rescan']);
    const [row] = await asHost(
      estate.url,
      "select inventory_key as id from governance_inventory where source_registry = 'dot_tools' limit 1",
    );
    const group = await pep.evaluate({
      subject,
      action: execute,
      resource: { type: 'gcos:group', id: String(row?.['id']) },
    });
    expect([group.decision, group.context.outcome]).toEqual([false, 'block']);
  });

  it('decides by nothing that the caller claims', async () => {
    const ask = (more: object) => pep.evaluate({ subject, action: execute, resource: BLOCKED, ...more });
    for (const more of [
      { subject: { type: 'user', id: 'root', properties: { role: 'admin' } } },
      { context: { decision: true, time: '1985-10-26T01:22-07:00' } },
      { resource: { ...BLOCKED, properties: { risk: 'low', status: 'covered' } } },
      { decision: true, future_member: { nested: true } },
    ])
      expect((await ask(more)).decision).toBe(false);
  });

  it('denies an action or a stage that it does not know, and says so', async () => {
    for (const action of [
      { name: 'delete' },
      { name: 'read', properties: { stage: 'moon' } },
      { name: 'read', properties: { stage: 1 } },
    ]) {
      const { decision, context } = await pep.evaluate({ subject, action, resource: FINE });
      expect([decision, context.error.status]).toEqual([false, 400]);
    }
    const { context } = await pep.evaluate({ subject, action: execute, resource: { type: '', id: 'x' } });
    expect(context.error.status).toBe(400);
  });
});

describe('access evaluations', () => {
  it('answers each in its order; defaults are replaced whole; equal ones have one decision', async () => {
    const answers = await pep.evaluateAll({
      subject,
      action: execute,
      resource: FINE,
      evaluations: [
        {},
        { resource: BLOCKED },
        { action: { name: 'read', properties: { stage: 'design' } }, resource: BLOCKED },
        {},
      ],
    });
    expect(outcomes(answers)).toEqual([true, false, true, true]);
    const ids = answers.map(({ context }) => context.decision_id);
    expect(ids[0]).toBe(ids[3]);
    expect(new Set(ids.map((id: string) => id.split('.')[0])).size).toBe(1);
  });

  it('decides the others when one is malformed, and returns fewer by the two short semantics', async () => {
    const evaluations = [
      { resource: FINE },
      { resource: BLOCKED },
      { resource: { type: 'dot_tools' } },
      { resource: FINE, action: { name: 7 } },
    ];
    const by = (evaluations_semantic: string | undefined, list: readonly object[] = evaluations) =>
      pep.evaluateAll({
        subject,
        action: execute,
        evaluations: list,
        options: { another: true, ...(evaluations_semantic === undefined ? {} : { evaluations_semantic }) },
      });
    const all = await by('execute_all');
    expect(outcomes(all)).toEqual([true, false, false, false]);
    expect(all.slice(2).map(({ context }) => context.error.status)).toEqual([400, 400]);
    expect(outcomes(await by(undefined))).toEqual(outcomes(all));
    expect(outcomes(await by('deny_on_first_deny'))).toEqual([true, false]);
    expect(outcomes(await by('permit_on_first_permit'))).toEqual([true]);
    const reversed = [...evaluations].reverse();
    expect(outcomes(await by('deny_on_first_deny', reversed))).toEqual([false]);
    expect(outcomes(await by('permit_on_first_permit', reversed))).toEqual([false, false, false, true]);
  });

  it('without evaluations, or with none, is one evaluation', async () => {
    const one = { subject, action: execute, resource: FINE };
    for (const body of [one, { ...one, evaluations: [] }]) {
      const { status, body: answer } = await pep.post('evaluations', JSON.stringify(body));
      expect([status, answer.decision, answer.evaluations]).toEqual([200, true, undefined]);
    }
    expect((await pep.post('evaluations', JSON.stringify({ subject, action: execute }))).status).toBe(400);
  });

  it('answers a thousand from one state of the database, while another session changes it', async () => {
    const rows = await asHost(
      estate.url,
      `(select collection_name as type, entity_code as id from birth_registry where collection_name = 'dot_tools' limit 200)
       union all (select collection_name, entity_code from birth_registry where collection_name = 'articles' limit 800)`,
    );
    const evaluations = rows.map((row) => ({
      resource: { type: String(row['type']), id: String(row['id']) },
    }));
    expect(evaluations).toHaveLength(1_000);
    let stop = false;
    const flips = (async () => {
      for (let flip = 0; !stop; flip += 1)
        await asHost(
          estate.url,
          `update governance_candidate_object
           set dirty = ${flip % 2 === 0}, dirty_reason = ${flip % 2 === 0 ? "'flip'" : 'null'},
             dirtied_at = ${flip % 2 === 0 ? 'now()' : 'null'}
           where collection_name = 'dot_tools' and row_state = 'active' and scope = 'policy'`,
        );
    })();
    const seen = new Set<number>();
    try {
      for (let turn = 0; turn < 6; turn += 1) {
        const answers = await pep.evaluateAll({ subject, action: execute, evaluations });
        expect(answers).toHaveLength(1_000);
        expect(new Set(answers.map(({ context }) => context.decided_at)).size).toBe(1);
        const dirty = answers.filter(({ context }) =>
          context.reasons.some((each: { code: string }) => each.code === 'dirty'),
        );
        seen.add(dirty.length);
      }
    } finally {
      stop = true;
      await flips;
      await asHost(
        estate.url,
        "update governance_candidate_object set dirty = false, dirty_reason = null, dirtied_at = null where dirty_reason = 'flip'",
      );
    }
    const tools = rows.filter((row) => row['type'] === 'dot_tools').length;
    expect([...seen].filter((count) => count !== 0 && count !== tools)).toEqual([]);
  });
});

describe('a request that is not one', () => {
  const one = { subject, action: execute, resource: FINE };
  const without = (path: readonly [string, string?]) => {
    const copy = structuredClone(one) as Record<string, Record<string, unknown> | undefined>;
    const [member, inner] = path;
    if (inner === undefined) delete copy[member];
    else delete copy[member]?.[inner];
    return copy;
  };

  it.each([
    ...[['subject'], ['action'], ['resource']],
    ...[
      ['subject', 'type'],
      ['subject', 'id'],
      ['action', 'name'],
      ['resource', 'type'],
      ['resource', 'id'],
    ],
  ] as [string, string?][])('is refused without %s %s', async (...path) => {
    const { status, body } = await pep.post('evaluation', JSON.stringify(without(path)));
    expect([status, body.decision, body.context.error.status]).toEqual([400, false, 400]);
    expect(body.context.error.message).toContain(path.filter((each) => each !== undefined).join('.'));
  });

  it.each([
    ['a string as subject', JSON.stringify({ ...one, subject: 'alice' })],
    ['a number as name', JSON.stringify({ ...one, action: { name: 123 } })],
    ['a list as context', JSON.stringify({ ...one, context: [] })],
    ['null as resource', JSON.stringify({ ...one, resource: null })],
    ['a list', JSON.stringify([one])],
    ['no JSON', '{"subject":'],
    ['nothing', ''],
    [
      'a name twice',
      `{"subject":{"type":"a","id":"b"},"resource":${JSON.stringify(BLOCKED)},"resource":${JSON.stringify(FINE)},"action":{"name":"read"}}`,
    ],
    ['deep nesting', `{"context":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`],
  ])('is refused with %s', async (_, text) => {
    const { status, body } = await pep.post('evaluation', text);
    expect([status, body.decision, body.context.error.status]).toEqual([400, false, 400]);
  });

  it('is refused with another content type, an unknown semantic, and evaluations that are no list', async () => {
    const text = JSON.stringify(one);
    expect((await pep.post('evaluation', text, { 'content-type': 'text/plain' })).status).toBe(400);
    for (const more of [
      { evaluations: [{}], options: { evaluations_semantic: 'first_wins' } },
      { evaluations: {} },
      { evaluations: ['x'] },
    ]) {
      const { status, body } = await pep.post('evaluations', JSON.stringify({ ...one, ...more }));
      expect([status, body.decision]).toEqual([400, false]);
    }
  });

  it('is refused without a credential and with too little permission, and denied in the body', async () => {
    const text = JSON.stringify(one);
    const wrong = await pep.post('evaluation', text, { authorization: 'Bearer nothing' });
    expect([wrong.status, wrong.body.decision, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      false,
      expect.stringContaining('Bearer'),
    ]);
    // Also where nothing is to be decided.
    for (const nothing of [
      { evaluations: [{ resource: {} }] },
      { ...one, action: { name: 'delete' } },
      { subject: one.subject },
    ])
      expect(
        (await pep.post('evaluations', JSON.stringify(nothing), { authorization: 'Bearer nothing' })).status,
      ).toBe(401);
    const little = await pep.post('evaluation', text, { authorization: `Bearer ${server.tokens.read}` });
    expect([little.status, little.body]).toMatchObject([
      403,
      { decision: false, context: { error: { status: 403 } } },
    ]);
  });
});

it('returns any request id as it came, and needs none', async () => {
  const body = JSON.stringify({ subject, action: execute, resource: FINE });
  for (const id of ['bfe9eb29-ab87-4ca3-be83-a1d5d8305716', 'a b;c=d "e" <f>', 'x'.repeat(300)])
    expect((await pep.post('evaluation', body, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
  const none = await server.call('/access/v1/evaluation', { as: 'gate', body: JSON.parse(body) });
  expect([none.status, none.json.decision]).toEqual([200, true]);
});
