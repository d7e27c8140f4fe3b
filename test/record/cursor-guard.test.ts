// What the worker room refuses and what it keeps: rights by role, leases that end, times that mean something, dead letters
// that stay dead whatever is set since, and text the database could not store.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/index.js';
import type { Gcos } from '../../src/index.js';
import {
  acquireLease,
  advance,
  countDeadLetters,
  dueRetries,
  type Failure,
  Lease,
  readCursor,
  readHeartbeats,
  recordFailures,
  reportFault,
  resetCursor,
  settleRetries,
  tick,
} from '../../src/record/cursor/index.js';
import { runCli } from '../support/cli.js';
import { asHost, openDatabase } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';

const committed = { isolation: 'read committed' } as const;
const AT = '2026-06-01 12:00:00+00';

let estate: Estate;
let people: People;
/** As a worker's login, and as one of the api. */
let db: Database;
let workerUrl = '';
let api: { url: string; gcos: Gcos };
let sources = 0;
let source = '';

beforeAll(async () => {
  estate = await createEstate('installed');
  people = createPeople(estate.url);
  workerUrl = (await people.login('worker', 'gcos_worker')).url;
  api = await people.login('api', 'gcos_api');
  db = openDatabase(workerUrl);
});
afterAll(async () => {
  await db?.close();
  await people?.close();
  await estate?.close();
});
beforeEach(() => {
  sources += 1;
  source = `source_${sources}`;
});
afterEach(() =>
  asHost(
    estate.url,
    `delete from event_pending where event_domain = 'governance'; delete from governance_hold;
     update governance_setting set setting_value = '{"attempts": 5, "base_seconds": 10, "cap_seconds": 3600}' where setting_key = 'worker.retry'`,
  ),
);

async function take(worker = 'guarded', from = source): Promise<Lease> {
  const lease = await acquireLease(db, { worker, source: from, holder: 'one' });
  if (lease === undefined) throw new Error('the lease is not free');
  return lease;
}
const fail = (lease: Lease, failures: readonly Failure[]) =>
  lease.work(committed, async (tx) => {
    const recorded = await recordFailures(tx, lease, 'main', failures, AT);
    await advance(tx, lease, 'main', {});
    return recorded;
  });
const item = (ref: string): Failure => ({ table: 'feed', ref, error: 'no' });
const setRetry = (value: object) =>
  asHost(
    estate.url,
    `update governance_setting set setting_value = '${JSON.stringify(value)}' where setting_key = 'worker.retry'`,
  );
const setAttempts = (attempts: number) => setRetry({ attempts, base_seconds: 10, cap_seconds: 3_600 });
async function bury(lease: Lease, ref: string): Promise<void> {
  for (let n = 0; n < 5; n += 1) await fail(lease, [item(ref)]);
}
const counted = (gcosDb: Database) => gcosDb.transaction(committed, countDeadLetters);
const cursorOf = (lease: Lease) => db.transaction(committed, (tx) => readCursor(tx, lease, 'main'));

describe('rights', () => {
  it('only workers work: an api login takes no lease, moves no cursor, settles nothing; it pauses and retries', async () => {
    const lease = await take();
    await bury(lease, 'a');
    const where = `'guarded', '${source}'`;
    for (const call of [
      `gcos_take_lease(${where}, 'x', '1 minute', '{main}', '{integer}')`,
      `gcos_renew_lease(${where}, 1, '1 minute')`,
      `gcos_release_lease(${where}, 1)`,
      `gcos_lease_expiry('1 minute')`,
      `gcos_advance_cursor(${where}, 'main', 1, false, null, null, null, 0, 0, null, null, null, now())`,
      `gcos_note_regression(${where}, 'main', 1, now())`,
      `gcos_reset_cursor(${where}, 'main', null, null, null, null, 'why', 'info', null)`,
      `gcos_record_failures(${where}, 'main', 1, '{t}', '{r}', '{a}', '{e}', '{"{}"}', 5, 10, 3600, now())`,
      `gcos_settle_retries(${where}, 'main', 1, '{}', now())`,
      `gcos_tick('guarded', null, 'ok', 'running', null, null, null, null, null, now())`,
    ])
      await expect(asHost(api.url, `select ${call}`), call).rejects.toMatchObject({ code: '42501' });
    expect(await api.gcos.workers.pause('a talk')).toMatchObject({ paused: true, reason: 'a talk' });
    await api.gcos.workers.resume();
    expect(await api.gcos.deadLetters.retry({ origin: 'guarded' })).toHaveLength(1);
  });

  it('a lease ends: nothing, less than nothing, and more than ten minutes are refused', async () => {
    const lease = await take();
    const call = (ttl: string) =>
      asHost(
        workerUrl,
        `select new_expiry from gcos_take_lease('guarded', '${source}_b', 'x', ${ttl}, '{main}', '{integer}')`,
      );
    const renew = (ttl: string) =>
      asHost(workerUrl, `select gcos_renew_lease('guarded', '${source}', ${lease.fence}, ${ttl})`);
    for (const ttl of [
      `'0'`,
      `'-1 minute'`,
      `'1000 years'`,
      `'10 minutes 1 second'`,
      'null',
      // Compares as one minute, and adds up to many years.
      `'1000 years -360000 days 1 minute'`,
    ]) {
      await expect(call(ttl), ttl).rejects.toMatchObject({ code: '22023' });
      await expect(renew(ttl), ttl).rejects.toMatchObject({ code: '22023' });
    }
    // A value of the type from version 17 on.
    await expect(call(`'infinity'`)).rejects.toMatchObject({ code: expect.stringMatching(/^22/) });
    expect(await call(`'10 minutes'`)).toHaveLength(1);
  });

  it('settling is the holder’s, of its own source, under its fence', async () => {
    const lease = await take();
    const other = await take('guarded', `${source}_other`);
    await fail(lease, [item('a')]);
    const settle = (by: Lease) =>
      by.work(committed, async (tx) => {
        const due = await dueRetries(tx, { worker: 'guarded' }, '2026-06-02 00:00:00+00', 10);
        const ids = due.map((each) => each.id);
        expect(ids).toHaveLength(1);
        const settled = await settleRetries(tx, by, 'main', ids, AT);
        await advance(tx, by, 'main', {});
        return settled;
      });
    const forged = new Lease(db, { worker: 'guarded', source, holder: 'x' }, lease.fence + 1n);
    // By itself, without the advance at the end that would refuse it, too.
    await expect(
      db.transaction(committed, (tx) => settleRetries(tx, forged, 'main', ['x'], AT)),
    ).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await settle(other)).toBe(0n);
    expect(await settle(lease)).toBe(1n);
  });

  it('a reset is written down by the database itself, and one of nothing leaves the lease alone', async () => {
    const lease = await take();
    await lease.work(committed, (tx) => advance(tx, lease, 'main', { watermark: { at: AT, id: '9' } }));
    await asHost(
      workerUrl,
      `select gcos_reset_cursor('guarded', '${source}', 'main', null, null, '4', '77', 'by hand', 'info', 'somebody')`,
    );
    const audit = await asHost(
      estate.url,
      `select entity_type, action, changed_by, alert_detail from registry_changelog where entity_code = 'guarded/${source}/main'`,
    );
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({ entity_type: 'governance_cursor', action: 'replay' });
    expect(audit[0]?.['changed_by']).toMatch(/^gcos:p_\w+_worker for somebody$/);
    expect(JSON.parse(audit[0]?.['alert_detail'] as string)).toEqual({
      reason: 'by hand',
      from: { at: AT, id: '9', horizon: null },
      to: { at: null, id: '4', horizon: '77' },
    });
    const next = await take();
    await expect(
      asHost(
        workerUrl,
        `select gcos_reset_cursor('guarded', '${source}', 'none', null, null, null, null, 'x', 'info', null)`,
      ),
    ).rejects.toMatchObject({ code: 'UG003' });
    await expect(
      asHost(
        workerUrl,
        `select gcos_reset_cursor('guarded', '${source}', 'main', null, null, null, null, ' ', 'info', null)`,
      ),
    ).rejects.toMatchObject({ code: '22023' });
    await next.renew();
  });
});

describe('watermarks', () => {
  const VAGUE = [
    'now',
    'tomorrow',
    'today',
    'epoch',
    'June 1 2026',
    '01/02/2026',
    '2026-06-01 12:00 CET',
    '',
  ];

  it('are times that mean the same for ever, or refused before anything is compared', async () => {
    const lease = await take();
    const move = (at: string) =>
      lease.work(committed, (tx) => advance(tx, lease, 'main', { watermark: { at, id: '1' } }));
    const mapping = await estate.gcos.installation.hostVocabulary();
    for (const at of VAGUE) {
      await expect(move(at), at).rejects.toMatchObject({ code: 'cursor_watermark_invalid', exit: 3 });
      const to = {
        worker: 'guarded',
        source,
        round: 'main',
        watermark: { at, id: '1' },
        reason: 'why',
        lease,
      };
      await expect(
        lease.work(committed, (tx) => resetCursor(tx, mapping, to)),
        at,
      ).rejects.toMatchObject({ code: 'cursor_watermark_invalid' });
      for (const call of [
        `gcos_advance_cursor('guarded', '${source}', 'main', ${lease.fence}, true, '${at}', '1', null, 0, 0, null, null, null, now())`,
        `gcos_reset_cursor('guarded', '${source}', 'main', ${lease.fence}, '${at}', '1', null, 'why', 'info', null)`,
      ])
        await expect(asHost(workerUrl, `select ${call}`), call).rejects.toMatchObject({ code: '22007' });
    }
    for (const at of [
      '-infinity',
      '0044-03-15 00:00:00+00 BC',
      '1800-01-01 00:00:00+00:53:28',
      '2026-06-01',
      '2026-06-01T09:00:00.123456Z',
      '2026-06-01 15:00:00+05:30',
      '12026-06-01 15:00:00',
      'infinity',
    ])
      await move(at);
    expect((await cursorOf(lease)).watermark.at).toBe('infinity');
  });

  it('a noted regression ends only when the watermark strictly moves forward, whatever the metadata say', async () => {
    const lease = await take();
    const go = (progress: Parameters<typeof advance>[3]) =>
      lease.work(committed, (tx) => advance(tx, lease, 'main', progress));
    const open = async () => {
      await estate.gcos.supervise();
      const rows = await asHost(
        estate.url,
        `select count(*)::int as n from system_issues where source_system = 'gcos' and issue_type = 'cursor_watermark_regression' and status <> 'resolved'`,
      );
      return rows[0]?.['n'];
    };
    await go({ watermark: { at: null, id: '9' }, horizon: '5', metadata: { kept: 1 } });
    const refused = await go({ watermark: { at: null, id: '8' } }).catch((error: unknown) => error);
    await reportFault(
      { db, hostVocabulary: () => estate.gcos.installation.hostVocabulary() },
      lease,
      refused,
    );
    expect(await open()).toBe(1);
    const noted = await cursorOf(lease);
    expect(noted.regressedAt).not.toBeNull();
    expect(noted.metadata).toEqual({ kept: 1 });
    await go({ eventsSeen: 0 });
    await go({ watermark: { at: null, id: '9' }, horizon: '6' });
    expect(await open()).toBe(1);
    await go({ watermark: { at: null, id: '10' } });
    expect(await open()).toBe(0);
    // What was kept at the time of the regression does not bring it back.
    await go({ metadata: noted.metadata });
    await go({ metadata: { ...noted.metadata, regressed_at: AT } });
    expect((await cursorOf(lease)).regressedAt).toBeNull();
    expect(await open()).toBe(0);
  });

  it('where there is only a horizon, moving that forward ends it', async () => {
    const lease = await take();
    const go = (horizon: string) => lease.work(committed, (tx) => advance(tx, lease, 'main', { horizon }));
    await go('5');
    const refused = await go('4').catch((error: unknown) => error);
    await reportFault(
      { db, hostVocabulary: () => estate.gcos.installation.hostVocabulary() },
      lease,
      refused,
    );
    await go('5');
    expect((await cursorOf(lease)).regressedAt).not.toBeNull();
    await go('6');
    expect((await cursorOf(lease)).regressedAt).toBeNull();
  });
});

describe('dead letters', () => {
  it('stay dead when more attempts are allowed later, and are never due until they are retried', async () => {
    const lease = await take('reviver');
    await bury(lease, 'a');
    await setAttempts(50);
    const { letters } = await estate.gcos.deadLetters.list({ origin: 'reviver' });
    expect(letters).toMatchObject([
      { ref: 'a', failures: 5, lost: false, deadLetteredAt: expect.anything() },
    ]);
    const id = letters[0]?.id ?? '';
    expect(await counted(estate.db)).toEqual(new Map([['reviver', 1n]]));
    expect(await estate.gcos.deadLetters.show(id)).toMatchObject({ state: 'dead', origin: 'reviver' });
    const due = () => db.transaction(committed, (tx) => dueRetries(tx, lease, 'infinity', 10));
    expect(await due()).toEqual([]);
    // Failing once more neither revives it nor counts it twice, nor makes it younger.
    expect(await fail(lease, [item('a')])).toMatchObject([{ failures: 6, nextAttemptAt: null }]);
    expect((await estate.gcos.deadLetters.show(id)).deadLetteredAt).toBe(letters[0]?.deadLetteredAt);
    expect((await cursorOf(lease)).deadLettered).toBe(1n);
    expect(await estate.gcos.deadLetters.retry({ ids: [id], at: AT })).toEqual([{ id, origin: 'reviver' }]);
    expect(await due()).toMatchObject([{ ref: 'a', failures: 0 }]);
    expect(await counted(estate.db)).toEqual(new Map());
  });

  it('are not made by allowing fewer attempts: what waits stays due, and dies at its next failure', async () => {
    const lease = await take('fewer');
    for (let n = 0; n < 3; n += 1) await fail(lease, [item('b')]);
    await setAttempts(2);
    expect(await counted(estate.db)).toEqual(new Map());
    expect(await db.transaction(committed, (tx) => dueRetries(tx, lease, 'infinity', 10))).toHaveLength(1);
    expect(await fail(lease, [item('b')])).toMatchObject([{ failures: 4, nextAttemptAt: null }]);
    expect((await cursorOf(lease)).deadLettered).toBe(1n);
    expect(await counted(estate.db)).toEqual(new Map([['fewer', 1n]]));
  });

  const pend = (ref: string, errors: number, payload: string) =>
    asHost(
      estate.url,
      `insert into event_pending (event_domain, event_type_hint, entity_table, entity_ref, canonical_address, actor_ref, capture_payload, error_count, last_error)
       values ('governance', 'coverage.orphan', 't', '${ref}', 'a', 'x', '${payload}', ${errors}, 'refused')`,
    );
  const hold = (order: number, ref: string, dead: string) =>
    asHost(
      estate.url,
      `insert into governance_hold (order_no, event_type, subject_table, subject_ref, pending_id, held_at, dead_lettered_at)
       select ${order}, 'coverage.orphan', 't', '${ref}', id, now(), ${dead} from event_pending where entity_ref = '${ref}'`,
    );

  it('of signals are those of GCOS that carry the mark: a foreign row is neither listed nor in the way', async () => {
    await pend('foreign', 9, '{"x": 1}');
    await pend('dead', 5, '{"source": "gcos", "order": 7}');
    await pend('waiting', 4, '{"source": "gcos", "order": 8}');
    await hold(7, 'dead', 'now()');
    await hold(8, 'waiting', 'null');
    const set = (max: number) =>
      asHost(
        estate.url,
        `update governance_setting set setting_value = setting_value || '{"max_errors": ${max}}' where setting_key = 'event.promotion'`,
      );
    const [foreign] = await asHost(
      estate.url,
      `select id::text as id from event_pending where entity_ref = 'foreign'`,
    );
    await set(50);
    const { letters } = await estate.gcos.deadLetters.list({ origin: 'event' });
    expect(letters.map((each) => each.ref)).toEqual(['dead']);
    await expect(estate.gcos.deadLetters.show(String(foreign?.['id']))).rejects.toMatchObject({
      code: 'dead_letter_unknown',
    });
    const env = { DATABASE_URL: estate.url };
    const retried = await runCli(['deadletter', 'retry', '--all', '--json'], { env });
    expect(retried.exit).toBe(0);
    expect(JSON.parse(retried.stdout)).toMatchObject({ retried: [{ id: letters[0]?.id, origin: 'event' }] });
    expect(await estate.gcos.deadLetters.show(letters[0]?.id ?? '')).toMatchObject({ state: 'waiting' });
    expect(
      await asHost(estate.url, `select error_count from event_pending where entity_ref = 'foreign'`),
    ).toEqual([{ error_count: 9 }]);
    await set(5);
  });

  it('of signals that are lost are listed and counted; they cannot be retried and do not hinder the others', async () => {
    for (const [order, ref] of ['gone', 'done', 'dead'].entries()) {
      await pend(ref, 0, `{"source": "gcos", "order": ${order}}`);
      await hold(order, ref, ref === 'dead' ? 'now()' : 'null');
    }
    await asHost(
      estate.url,
      `delete from event_pending where entity_ref = 'gone'; update event_pending set processed_at = now() where entity_ref = 'done'`,
    );
    expect(await counted(estate.db)).toEqual(new Map([['event', 3n]]));
    const { letters } = await estate.gcos.deadLetters.list({ origin: 'event' });
    const lost = letters.filter((each) => each.lost);
    expect(lost.map((each) => each.ref).sort()).toEqual(['done', 'gone']);
    expect(lost[0]?.lastError).toBe('its row is gone from event_pending');
    const id = lost.find((each) => each.ref === 'gone')?.id ?? '';
    expect(await estate.gcos.deadLetters.show(id)).toMatchObject({
      state: 'lost',
      address: null,
      ref: 'gone',
    });
    await expect(estate.gcos.deadLetters.retry({ ids: [id] })).rejects.toMatchObject({
      code: 'dead_letter_unknown',
    });
    expect(await estate.gcos.deadLetters.retry({})).toHaveLength(1);
    expect(await counted(estate.db)).toEqual(new Map([['event', 2n]]));
  });
});

describe('what the database could not store', () => {
  it('is replaced in errors and details, keys included, and never costs the round', async () => {
    const lease = await take('dirty');
    const detail = {
      'a\0b': 'x\0y',
      'half\ud800': ['\udfff', { deep: '\0' }],
      big: 12345678901234567890n,
      whole: '😀',
    };
    await fail(lease, [
      { table: 'feed', ref: 'a', error: new Error('bad\0byte \ud800'), detail },
      { table: 'feed', ref: 'b', error: `${'x'.repeat(499)}😀` },
    ]);
    const [a, b] = await db.transaction(committed, (tx) => dueRetries(tx, lease, 'infinity', 10));
    expect(a?.lastError).toBe('bad\ufffdbyte \ufffd');
    expect(a?.detail).toEqual({
      'a\ufffdb': 'x\ufffdy',
      'half\ufffd': ['\ufffd', { deep: '\ufffd' }],
      big: '12345678901234567890',
      whole: '😀',
    });
    expect(b?.lastError).toBe(`${'x'.repeat(499)}\ufffd…`);
    await lease.work(committed, (tx) =>
      advance(tx, lease, 'main', { summary: { 'k\0': '\ud800' }, metadata: { m: '\0' } }),
    );
    expect(await cursorOf(lease)).toMatchObject({
      lastRunSummary: { 'k\ufffd': '\ufffd' },
      metadata: { m: '\ufffd' },
    });
    await db.transaction(committed, (tx) => tick(tx, { worker: 'dirty', status: 'error', error: 'bad\0' }));
    const beats = await db.transaction(committed, (tx) => readHeartbeats(tx, AT));
    expect(beats.find((each) => each.worker === 'dirty')?.lastTickStatus).toBe('error');
  });

  it('waits have bounds: in the setting, and in the database whatever it is given', async () => {
    const lease = await take('patient');
    await setRetry({ attempts: 1000, base_seconds: 1e9, cap_seconds: 1e12 });
    await expect(fail(lease, [item('a')])).rejects.toMatchObject({ code: 'setting_invalid', exit: 3 });
    await setRetry({ attempts: 1000, base_seconds: 86_400, cap_seconds: 2_592_000 });
    await fail(lease, [item('a')]);
    await asHost(
      estate.url,
      `update event_pending set error_count = 900 where event_type_hint = 'gcos.retry.patient'`,
    );
    expect(await fail(lease, [item('a')])).toMatchObject([{ nextAttemptAt: '2026-07-01 12:00:00+00' }]);
    const rows = await asHost(
      workerUrl,
      `select next_attempt::text as at from gcos_record_failures('patient', '${source}', 'main', ${lease.fence}, '{t}', '{r}', '{a}', '{e}', '{"{}"}', 1000, 1e300, 'infinity', '${AT}')`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.['at']).toMatch(/^2026-07-01/);
  });
});
