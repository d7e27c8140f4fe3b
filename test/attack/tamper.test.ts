// A superuser who changes what the log records: `log verify` names the first link that differs. A log that
// was rewritten as a whole differs only from a head that was kept elsewhere.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogVerification } from '../../src/index.js';
import { setClock } from '../support/clock.js';
import { asHost, urlAs } from '../support/database.js';
import { type Estate, prepareEstate } from '../support/estate.js';
import { type Acts, act, asTamperer, firstOf, sealAll } from '../support/log.js';

let acts: Acts;
let people: Acts['people'] | undefined;
const prepared = prepareEstate('scanned', async (made) => {
  acts = await act(made);
  people = acts.people;
  await sealAll(made.url);
  for (const person of [acts.member, acts.president]) await person.gcos.close();
});

describe('a superuser', () => {
  let estate: Estate;
  const tamper = (text: string) => asTamperer(estate.url, text);
  const verify = (): Promise<LogVerification> => estate.gcos.log.verify();
  const positionOf = async (kind: string, subject?: string): Promise<bigint> =>
    BigInt(
      String(
        (
          await asHost(
            estate.url,
            `select min(position)::text as p from gcos_log where kind = '${kind}' ${subject === undefined ? '' : `and subject = '${subject}'`}`,
          )
        )[0]?.['p'],
      ),
    );
  const newest = async () => (await estate.gcos.log.head())?.position ?? 0n;

  beforeAll(() => expect(acts.pass).toMatch(/^GBG-/));
  afterAll(() => people?.close());
  beforeEach(async () => {
    estate = await prepared.copy();
  });
  afterEach(() => estate.close());

  it.each([
    [
      'one vote',
      `update governance_decision set decision = 'approve' where decision = 'reject'`,
      'request.rejected',
      'decision',
    ],
    [
      'the quorum of a request',
      `update governance_request set risk = 'low' where action_code = 'gcos.gate.break_glass'`,
      'request.opened',
      'risk',
    ],
    [
      'an activation',
      `update governance_ruleset_activation set person_ref = 'other'`,
      'ruleset.activated',
      'person_ref',
    ],
    [
      'the end of an exception',
      `update governance_exception set expires_at = expires_at + interval '1 year'`,
      'exception.requested',
      'expires_at',
    ],
    [
      'a revocation',
      'update governance_exception set revoked_at = null, revoked_by = null, revoke_reason = null',
      'exception.revoked',
      'revoke_reason, revoked_at, revoked_by',
    ],
    ['a pass', 'update governance_break_glass set minutes = 1440', 'break_glass.requested', 'minutes'],
    [
      'the end of a pass',
      `update governance_break_glass set closed_at = null, closed_by = null`,
      'break_glass.closed',
      'closed_at, closed_by',
    ],
    [
      'one total of a ledger',
      `update candidate_scan_run set ledger = jsonb_set(ledger, '{scopes,0,total}', '1') where kind = 'backfill'`,
      'ledger.closed',
      'ledger_hash',
    ],
    [
      'the snapshot of a ledger',
      `update candidate_scan_run set closing_snapshot_ref = 1 where kind = 'backfill'`,
      'ledger.closed',
      'closing_snapshot_ref',
    ],
  ])('who changes %s is named', async (_, text, kind, columns) => {
    await tamper(text);
    const found = await verify();
    const first = firstOf(found);
    expect(found.intact).toBe(false);
    expect(first).toMatchObject({
      problem: 'row_altered',
      text: `the row that ${kind} records was altered: ${columns}`,
    });
    expect(
      (await estate.gcos.log.show({ after: (first?.position ?? 0n) + 1n, limit: 1 })).links[0],
    ).toMatchObject({ kind });
  });

  it('who changes the bytes of the rules in force is named', async () => {
    await tamper(`alter table governance_ruleset drop constraint governance_ruleset_hashes;
      update governance_ruleset set canonical_bytes = canonical_bytes || ' '::bytea where status = 'active'`);
    expect(firstOf(await verify())).toMatchObject({
      position: await positionOf('ruleset.activated'),
      text: 'the row that ruleset.activated records was altered: content_hash',
    });
  });

  it('who changes or deletes a sealed answer of the gate is named, with the check', async () => {
    const position = await positionOf('gate.sealed');
    await tamper(
      `update governance_gate_answer set answer = case answer when 'allow' then 'block' else 'allow' end where check_id = 3`,
    );
    expect(firstOf(await verify())).toMatchObject({
      position,
      problem: 'answers_differ',
      subject: 'checks 1 to 3',
      text: 'a sealed answer was altered: check 3, item 1',
    });
    await tamper('delete from governance_gate_answer where check_id = 2');
    expect(firstOf(await verify())?.text).toBe(
      '1 of 3 sealed answers are gone without a record of pruning; the first difference is at check 3, item 1',
    );
    await tamper('delete from governance_gate_answer where check_id = 3');
    expect(firstOf(await verify())?.text).toContain('2 of 3 sealed answers are gone');
  });

  it('who adds an answer to a sealed range, or deletes a seal, is named', async () => {
    await tamper(`insert into governance_gate_answer select 2 as check_id, 9 as first_item, item_nos, entity_codes, decided_at, watched_at,
        high_risk, 'allow', mode, stage, action, login, person_ref, collection_name, requested_group, inventory_key, represented, pass_code, scopes,
        snapshot_refs, ruleset_versions, scan_times, reasons from governance_gate_answer where check_id = 3`);
    expect(firstOf(await verify())?.text).toBe(
      '1 answers were added to a sealed range; the first difference is at check 2, item 9',
    );
    await tamper(`delete from gcos_gate_seal`);
    expect(firstOf(await verify())).toMatchObject({
      problem: 'row_missing',
      text: 'the row that gate.sealed records is gone',
    });
  });

  it.each([
    ['a payload', `payload = payload || '{"person_ref": "other"}'`, 'payload_altered'],
    ['a payload with its hash', `payload = '{}', payload_hash = gcos_log_payload_hash('{}')`, 'link_altered'],
    ['a login', `login = 'other'`, 'link_altered'],
    ['a time', `recorded_at = recorded_at - interval '1 microsecond'`, 'link_altered'],
    ['a kind', `kind = 'request.approved'`, 'link_altered'],
  ])('who changes %s of a link is named', async (_, change, problem) => {
    const position = await positionOf('request.rejected');
    await tamper(`update gcos_log set ${change} where position = ${position}`);
    const found = await verify();
    expect(firstOf(found)).toMatchObject({ position, problem, subject: acts.rejected });
  });

  it('who deletes a link in the middle, at the end, or swaps two, is named', async () => {
    const middle = await positionOf('request.rejected');
    const end = await newest();
    const problems = async () =>
      (await verify()).differences.map((each) => `${each.position} ${each.problem}`);
    await tamper(`create table kept as select * from gcos_log; delete from gcos_log where position = ${end}`);
    expect((await problems())[0]).toBe(`${end} end_missing`);
    await tamper(
      `insert into gcos_log select * from kept where position = ${end}; delete from gcos_log where position = ${middle}`,
    );
    expect((await problems())[0]).toBe(`${middle} link_missing`);
    await tamper(`insert into gcos_log select * from kept where position = ${middle}`);
    expect(await problems()).toEqual([]);
    await tamper(`update gcos_log set position = -1 where position = ${middle}; update gcos_log set position = ${middle} where position = ${middle} + 1;
      update gcos_log set position = ${middle} + 1 where position = -1`);
    expect((await problems())[0]).toBe(`${middle} link_altered`);
  });

  it('who re-computes the hash of a changed link breaks the chain after it', async () => {
    const position = await positionOf('request.rejected');
    await tamper(`update gcos_log set login = 'other' where position = ${position};
      update gcos_log set row_hash = gcos_log_hash(position, kind, recorded_at, login, subject, previous_hash, payload_hash) where position = ${position}`);
    expect(firstOf(await verify())).toMatchObject({ position: position + 1n, problem: 'chain_broken' });
  });

  it('who writes a row, a setting or a person past the triggers is named', async () => {
    const text = async () => firstOf(await verify())?.text;
    await tamper(
      `update governance_setting set setting_value = 'true' where setting_key = 'exception.limits'`,
    );
    expect(await text()).toBe('governance_setting exception.limits differs from its latest link');
    expect(firstOf(await verify())?.position).toBe(1n);
    await tamper(`update governance_setting set setting_value = '{"longest_days": 180}' where setting_key = 'exception.limits';
      insert into governance_actor (person_ref, login, approver_type) values ('ghost', 'ghost', 'president')`);
    expect(await text()).toBe('governance_actor ghost has no link');
    await tamper(
      `delete from governance_actor where person_ref = 'ghost'; update governance_actor set approver_type = 'president' where person_ref = 'on-call'`,
    );
    expect(await text()).toBe('governance_actor on-call differs from its latest link');
    await tamper(`update governance_actor set approver_type = 'member' where person_ref = 'on-call';
      insert into governance_decision (request_code, person_ref, approver_type, decision, login, verified, decided_at, approval_id)
      values ('${acts.rejected}', 'ghost', 'president', 'approve', 'ghost', true, now(), 1)`);
    expect(await text()).toMatch(/^governance_decision \d+ has no link$/);
  });

  it('who changes a row with the triggers on leaves a link, too', async () => {
    await asHost(estate.url, `update governance_exception set expires_at = expires_at + interval '1 year'`);
    const [link] = (await estate.gcos.log.show({ limit: 1 })).links;
    expect(link).toMatchObject({ kind: 'exception.altered', subject: acts.exception, login: 'postgres' });
    expect(firstOf(await verify())).toMatchObject({ problem: 'row_altered', subject: acts.exception });
  });

  it('who rewrites the whole log is found only by a head that was kept elsewhere', async () => {
    const kept = await estate.gcos.log.head();
    if (kept === null) throw new Error('no head');
    expect(await estate.gcos.log.verify({ head: kept })).toMatchObject({ intact: true });
    // Changes a vote, its link, and every hash after it.
    await tamper(`update governance_decision set reason = 'fine' where decision = 'reject';
      do $$
      declare link record; before text := repeat('0', 64);
      begin
        update gcos_log l set payload = l.payload || '{"reason": "fine"}' where l.kind = 'request.rejected';
        for link in select * from gcos_log order by position loop
          update gcos_log l set previous_hash = before, payload_hash = gcos_log_payload_hash(l.payload) where l.position = link.position;
          update gcos_log l set row_hash = gcos_log_hash(l.position, l.kind, l.recorded_at, l.login, l.subject, l.previous_hash, l.payload_hash)
          where l.position = link.position returning l.row_hash into before;
        end loop;
        update gcos_log_head set row_hash = before;
      end $$`);
    expect(await verify()).toMatchObject({ intact: true });
    const found = await estate.gcos.log.verify({ head: kept });
    expect(firstOf(found)).toMatchObject({ position: kept.position, problem: 'head_differs' });
    const beyond = await estate.gcos.log.verify({
      head: { digest: kept.digest, position: kept.position + 10n },
    });
    expect(firstOf(beyond)?.text).toContain('before the head that was kept elsewhere');
  });

  it('who deletes what a pruner may prune is named; who prunes leaves a record, and the seal is kept', async () => {
    await setClock(estate.url, { ahead: '200 days' });
    const [row] = await asHost(estate.url, `select (now() + interval '100 days')::text as bound`);
    await asHost(urlAs(estate.url, 'pruner'), `select gcos_prune_gate('${String(row?.['bound'])}')`);
    expect((await estate.gcos.log.show({ limit: 1 })).links[0]).toMatchObject({
      kind: 'gate.pruned',
      login: 'gcos_pruner',
    });
    expect(await verify()).toMatchObject({ intact: true, answers: 0n, prunedAnswers: 3n, seals: 1n });
    // A record that was made for fewer answers than are gone does not cover the others.
    await tamper('update governance_pruned_range set row_count = 2');
    expect((await verify()).differences.map((each) => each.text)).toEqual([
      'the row that gate.pruned records was altered: row_count',
      'the record of pruning counts 2 answers, their seals 3',
    ]);
  });
});
