// Heartbeats of workers, and their removal with `uninstall --purge`.
import { describe, expect, it } from 'vitest';
import { reportFault, tick } from '../../src/record/cursor/index.js';
import { asHost } from '../support/database.js';
import { committed, db, estate, fail, item, take, useWorkerLogin } from '../support/leased.js';

useWorkerLogin();

describe('heartbeats', () => {
  it('change only rows of GCOS', async () => {
    const before = await asHost(
      estate.url,
      "select * from queue_heartbeat where executor_kind <> 'gcos' order by 1",
    );
    await db.transaction(committed, (tx) => tick(tx, { worker: 'x', status: 'ok' }));
    await asHost(
      estate.url,
      "insert into queue_heartbeat (executor_name, executor_kind) values ('gcos_theirs', 'host')",
    );
    await expect(
      db.transaction(committed, (tx) => tick(tx, { worker: 'theirs', status: 'ok' })),
    ).rejects.toMatchObject({ code: 'database_error' });
    await asHost(estate.url, "delete from queue_heartbeat where executor_name = 'gcos_theirs'");
    expect(
      await asHost(estate.url, "select * from queue_heartbeat where executor_kind <> 'gcos' order by 1"),
    ).toEqual(before);
  });

  it('of concurrent first ticks make one row', async () => {
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        db.transaction(committed, (tx) =>
          tick(tx, { worker: 'crowd', status: 'ok', progress: { value: String(n) } }),
        ),
      ),
    );
    expect(
      await asHost(
        estate.url,
        "select ticks_total::int as n from queue_heartbeat where executor_name = 'gcos_crowd'",
      ),
    ).toEqual([{ n: 8 }]);
  });
});

describe('uninstall --purge', () => {
  it('removes the heartbeats of GCOS only', async () => {
    const lease = await take();
    await reportFault({ db }, lease, new Error('not a fault of this module'));
    const own = () =>
      asHost(estate.url, "select count(*)::int as beats from queue_heartbeat where executor_kind = 'gcos'");
    const rows = () =>
      asHost(
        estate.url,
        "select (select count(*)::int from event_pending where event_domain <> 'governance') as pending, (select count(*)::int from queue_heartbeat where executor_kind <> 'gcos') as beats",
      );
    const before = await rows();
    await fail(lease, [item('a')]);
    await db.transaction(committed, (tx) => tick(tx, { worker: 'x', status: 'ok' }));
    expect(await own()).toEqual([{ beats: 1 }]);
    await db.close();
    await estate.gcos.uninstall({ purge: true });
    expect(await rows()).toEqual(before);
    expect(await own()).toEqual([{ beats: 0 }]);
  });
});
