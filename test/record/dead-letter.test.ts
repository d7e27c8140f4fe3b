// Dead letters of work and of signals: counted, listed, shown and retried. Only a mark makes an item dead.
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/index.js';
import { countDeadLetters, dueRetries } from '../../src/record/cursor/index.js';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import {
  bury,
  committed,
  cursorOf,
  db,
  estate,
  fail,
  item,
  take,
  useWorkerLogin,
} from '../support/leased.js';

useWorkerLogin();

const setAttempts = (attempts: number) =>
  asHost(
    estate.url,
    `update governance_setting set setting_value = '{"attempts": ${attempts}, "base_seconds": 10, "cap_seconds": 3600}' where setting_key = 'worker.retry'`,
  );
const counted = (gcosDb: Database) => gcosDb.transaction(committed, countDeadLetters);

describe('dead letters', () => {
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

  it('stay dead when the setting allows more attempts later, and are not due until they are retried', async () => {
    const lease = await take({ worker: 'reviver' });
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
    // Another failure does not revive it, count it again or change when it died.
    expect(await fail(lease, [item('a')])).toMatchObject([{ failures: 6, nextAttemptAt: null }]);
    expect((await estate.gcos.deadLetters.show(id)).deadLetteredAt).toBe(letters[0]?.deadLetteredAt);
    expect((await cursorOf(lease)).deadLettered).toBe(1n);
    expect(await estate.gcos.deadLetters.retry({ ids: [id] })).toEqual([{ id, origin: 'reviver' }]);
    expect(await due()).toMatchObject([{ ref: 'a', failures: 0 }]);
    expect(await counted(estate.db)).toEqual(new Map());
  });

  it('do not result from a lower limit alone: a waiting item stays due until its next failure', async () => {
    const lease = await take({ worker: 'fewer' });
    for (let n = 0; n < 3; n += 1) await fail(lease, [item('b')]);
    await setAttempts(2);
    expect(await counted(estate.db)).toEqual(new Map());
    expect(await db.transaction(committed, (tx) => dueRetries(tx, lease, 'infinity', 10))).toHaveLength(1);
    expect(await fail(lease, [item('b')])).toMatchObject([{ failures: 4, nextAttemptAt: null }]);
    expect((await cursorOf(lease)).deadLettered).toBe(1n);
    expect(await counted(estate.db)).toEqual(new Map([['fewer', 1n]]));
  });

  it('of signals are marked rows of GCOS: foreign rows are not listed and do not prevent a retry', async () => {
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
  });

  it('of lost signals are listed and counted; they cannot be retried and do not prevent other retries', async () => {
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

  it('of signals are listed, shown and retried like those of work; rows of the host stay unchanged', async () => {
    await asHost(
      estate.url,
      `insert into event_pending (event_domain, event_type_hint, entity_table, entity_ref, canonical_address, actor_ref, capture_payload, error_count, last_error)
       values ('governance', 'coverage.owner_gap', 't', 'held', 'a', 'gcos', '{"order": 7}', 5, 'refused'),
              ('iu', 'iu.changed', 't', 'theirs', 'a', 'host', '{"next_attempt_at": "no time"}', 50, 'theirs');
       insert into governance_hold (order_no, event_type, subject_table, subject_ref, pending_id, held_at, dead_lettered_at)
       select 7, 'coverage.owner_gap', 't', 'held', id, now(), now() from event_pending where entity_ref = 'held'`,
    );
    const { letters } = await estate.gcos.deadLetters.list({ origin: 'event' });
    expect(letters).toMatchObject([{ ref: 'held', hint: 'coverage.owner_gap', lastError: 'refused' }]);
    const id = letters[0]?.id ?? '';
    const env = { DATABASE_URL: estate.url };
    const listed = await runCli(['deadletter', 'list', '--from', 'event', '--json'], { env });
    expect(JSON.parse(listed.stdout)).toMatchObject({ letters: [{ id, origin: 'event' }], next: null });
    const shown = await runCli(['deadletter', 'show', id], { env });
    expect(shown.stdout).toMatch(/state +dead/);
    expect((await runCli(['deadletter', 'retry'], { env })).exit).toBe(3);
    expect((await runCli(['deadletter', 'show', 'nothing'], { env })).exit).toBe(3);
    const retried = await runCli(['deadletter', 'retry', '--from', 'event', '--json'], { env });
    expect(JSON.parse(retried.stdout)).toMatchObject({ retried: [{ id }] });
    expect(
      await asHost(
        estate.url,
        "select entity_ref, error_count, capture_payload from event_pending where entity_ref in ('held', 'theirs') order by 1",
      ),
    ).toEqual([
      { entity_ref: 'held', error_count: 0, capture_payload: { order: 7 } },
      { entity_ref: 'theirs', error_count: 50, capture_payload: { next_attempt_at: 'no time' } },
    ]);
    // The signal is back in the promoter's queue, not only removed from the list.
    expect(await asHost(estate.url, 'select dead_lettered_at from governance_hold')).toEqual([
      { dead_lettered_at: null },
    ]);
  });
});
