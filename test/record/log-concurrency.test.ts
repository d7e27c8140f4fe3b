// The log under concurrent acts and checks: one chain without gaps, every answer of the gate sealed exactly
// once, also if transactions commit late and out of order, or are killed.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost, openDatabase, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask } from '../support/gate.js';
import { asWorker, kindsOf, sealAll } from '../support/log.js';
import { createPeople, type People } from '../support/people.js';
import { until } from '../support/wait.js';

let estate: Estate;
let people: People;
const clients: pg.Client[] = [];
const host = (text: string) => asHost(estate.url, text);
const numberOf = async (text: string): Promise<number> =>
  Number(Object.values((await host(`select (${text})::int`))[0] ?? {})[0]);
/** A session of psql, as the API or another login. */
async function session(url = urlAs(estate.url, 'api')): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}
/** One check of one tool, with psql. */
const checkText = (code: string): string =>
  `select check_id from gcos_gate_check(array['dot_tools'], array['${code}'], array[null::text], array['prod'], array['execute'])`;
const seal = () => asWorker(estate.url, (gcos) => gcos.log.seal());
/** Every answer is in exactly one range. */
const sealedTwiceOrNever = () =>
  numberOf(`select count(*) from governance_gate_answer a
    where (select count(*) from gcos_gate_seal s where a.check_id between s.from_check and s.to_check) <> 1`);

beforeEach(async () => {
  estate = await createEstate('scanned');
  people = createPeople(estate.url);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end().catch(() => undefined);
  await people.close();
  await estate.close();
});

describe('the log', () => {
  it('stays one chain with 20 sessions that act and 4 that ask the gate, while answers are sealed', async () => {
    const president = await people.person('chief', 'president');
    const member = await people.person('on-call', 'member');
    const requests: string[] = [];
    for (let n = 0; n < 20; n += 1)
      requests.push((await member.gcos.requests.open('gcos.remediation.propose', { fix: n })).code);
    const text = checkText('DOT-141');
    const before = await estate.gcos.log.head();
    let asking = true;
    const voters = requests.map(async (code, n) => {
      const voter = await session(n % 2 === 0 ? president.url : member.url);
      const act =
        n % 2 === 0
          ? `select outcome from gcos_decide('${code}', 'approve', 'fine', null)`
          : `select outcome from gcos_open_request('gcos.remediation.propose', '{"fix": "${n}"}', null)`;
      return (await voter.query<{ outcome: string }>(act)).rows[0]?.outcome;
    });
    const askers = Array.from({ length: 4 }, async () => {
      const client = await session();
      for (let n = 0; n < 40; n += 1) await client.query(text);
    });
    const sealing = (async () => {
      while (asking) await seal();
    })();
    expect(await Promise.all(voters)).toEqual(requests.map(() => 'ok'));
    await Promise.all(askers);
    asking = false;
    await sealing;
    await sealAll(estate.url);
    expect(await sealedTwiceOrNever()).toBe(0);
    const found = await estate.gcos.log.verify({ ...(before === null ? {} : { head: before }) });
    expect(found).toMatchObject({ intact: true, answers: 160n, unsealed: 0n });
    const added = (await kindsOf(estate.url)).slice(Number(before?.position));
    expect(added.filter((each) => each === 'request.approved')).toHaveLength(10);
    expect(added.filter((each) => each === 'request.opened')).toHaveLength(10);
  });

  it('seals an answer of a transaction that stays open across two seals only after its end, and once', async () => {
    const late = await session();
    await late.query('begin');
    const lateCheck = Number(
      (await late.query<{ check_id: string }>(checkText('DOT-141'))).rows[0]?.check_id,
    );
    await ask(estate, { collection: 'dot_tools', code: 'DOT-142' });
    expect(await seal()).toMatchObject({ ranges: 0 });
    await ask(estate, { collection: 'dot_tools', code: 'DOT-143' });
    const waiting = await seal();
    expect(waiting.ranges).toBe(0);
    expect(waiting.lagSeconds).toBeGreaterThan(0);
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true, unsealed: 2n });
    await late.query('commit');
    await sealAll(estate.url);
    expect(await sealedTwiceOrNever()).toBe(0);
    expect(
      await numberOf(
        `select count(*) from gcos_gate_seal where ${lateCheck} between from_check and to_check`,
      ),
    ).toBe(1);
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true, answers: 3n, unsealed: 0n });
  });

  it('waits for a check that has its id and has not written its answer yet', async () => {
    await ask(estate, { collection: 'dot_tools', code: 'DOT-142' });
    const blocker = await session(estate.url);
    await blocker.query('begin; lock table governance_gate_answer in exclusive mode');
    const checking = await session();
    const answer = checking.query(checkText('DOT-141'));
    await until(
      'the check waits for the lock',
      async () =>
        (await numberOf(
          `select count(*) from pg_locks where not granted and relation = 'governance_gate_answer'::regclass`,
        )) === 1,
    );
    expect(await seal()).toMatchObject({ ranges: 0 });
    expect(await seal()).toMatchObject({ ranges: 0 });
    await blocker.query('rollback');
    await answer;
    await sealAll(estate.url);
    expect(await sealedTwiceOrNever()).toBe(0);
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true, answers: 2n, unsealed: 0n });
  });

  it('has no gap after a session was killed before its commit, and after a check was rolled back', async () => {
    const member = await people.person('on-call', 'member');
    const killed = await session(member.url);
    const { rows } = await killed.query<{ pid: number }>('select pg_backend_pid() as pid');
    // The link is appended at once, so that its row and the lock of the head die with the session.
    await killed.query(
      `begin; set constraints all immediate; select gcos_open_request('gcos.remediation.propose', '{}', null)`,
    );
    const rolledBack = await session();
    await rolledBack.query(`begin; ${checkText('DOT-141')}; rollback`);
    const opening = member.gcos.requests.open('gcos.remediation.propose', { fix: 1 });
    await host(`select pg_terminate_backend(${rows[0]?.pid})`);
    await opening;
    await ask(estate, { collection: 'dot_tools', code: 'DOT-142' });
    await sealAll(estate.url);
    expect(await sealedTwiceOrNever()).toBe(0);
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true, answers: 1n });
    expect((await kindsOf(estate.url)).slice(-2)).toEqual(['request.opened', 'gate.sealed']);
  });

  it('is retried by an act with an older snapshot, and holds its head only while a transaction commits', async () => {
    const member = await people.person('on-call', 'member');
    const open = await session(member.url);
    await open.query(`begin; select gcos_open_request('gcos.remediation.propose', '{"fix": "slow"}', null)`);
    // The open transaction does not hold the head: another kind of act commits meanwhile.
    await host(`set lock_timeout = '20s'; update governance_setting set setting_value = setting_value where setting_key = 'worker.paused';
      insert into governance_actor (person_ref, approver_type) values ('newcomer', 'member')`);
    const db = openDatabase(estate.url);
    try {
      let attempts = 0;
      await db.transaction({ isolation: 'repeatable read', retries: 3 }, async (tx) => {
        attempts += 1;
        await tx.script('select 1 from governance_actor');
        if (attempts === 1) await open.query('commit');
        await tx.script(
          `insert into governance_actor (person_ref, approver_type) values ('other-newcomer', 'member')`,
        );
      });
      expect(attempts).toBe(2);
    } finally {
      await db.close();
    }
    expect((await kindsOf(estate.url)).slice(-3)).toEqual([
      'actor.changed',
      'request.opened',
      'actor.changed',
    ]);
    expect(await estate.gcos.log.verify()).toMatchObject({ intact: true });
  });

  it('refuses to seal in a transaction that has written before', async () => {
    const worker = await session(urlAs(estate.url, 'worker'));
    await worker.query('begin; select pg_current_xact_id()');
    await expect(worker.query('select gcos_seal_gate()')).rejects.toMatchObject({ code: '25000' });
  });
});
