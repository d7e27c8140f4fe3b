// A sync that takes long, beside the other duties of the same worker: it is one transaction on a connection
// of its own, so none of them waits for it. The estate is a named pipe, which ends when the test says so.
import { spawnSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGatedHome, type GatedHome } from '../support/gated-home.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { until } from '../support/wait.js';

let home: GatedHome;
beforeAll(async () => {
  home = await createGatedHome();
});
afterAll(() => home.close());

it('takes in, evaluates and answers while a large estate is still being read', async () => {
  const list = home.write('assets.csv', 'id,team\nbilling,team-pay\n');
  const pipe = join(home.folder, 'slow.csv');
  expect(spawnSync('sh', ['-c', `mkfifo '${pipe}'`]).status).toBe(0);
  const add = (name: string, path: string) =>
    home.json(
      ...['source', 'add', name, 'file', path, '--class', 'asset', '--code', 'id'],
      ...['--link', 'owner=team'],
    );
  await add('inventory', list);
  await home.json('source', 'sync', 'inventory');
  await putRulesIntoForce(home.gcos);
  await home.json('backfill', 'run');
  await home.json('scan', 'run', '--mode', 'full');
  await add('slow', pipe);

  const stop = new AbortController();
  const worker = home.gcos.worker.run({ signal: stop.signal, log: () => undefined });
  // Opens once the worker reads it.
  const estate = await open(pipe, 'w');
  try {
    await estate.write('id,team\nfirst,team-slow\n');
    const reading = () =>
      home.sql(
        `select pid from pg_stat_activity where datname = current_database() and query ilike 'copy %gcos_source_stage%' and state = 'active' and pid <> pg_backend_pid()`,
      );
    await until('the pipe to be read', async () => (await reading()).length > 0);
    home.write('assets.csv', 'id,team\nbilling,team-pay\nsearch,team-find\n');
    await home.json('source', 'sync', 'inventory');
    await until('the gate to allow it', async () => (await home.gate('search')).answer === 'allow');
    expect((await reading()).length).toBe(1);
    expect(
      await home.sql(`select count(*)::int as members from gcos_source_object where code = 'first'`),
    ).toEqual([{ members: 0 }]);
    await estate.close();
    await until(
      'the sync to end',
      async () =>
        (await home.sql(`select 1 from gcos_source where name = 'slow' and synced_at is not null`)).length >
        0,
    );
  } finally {
    // Whatever failed, neither may go on.
    stop.abort();
    await estate.close().catch(() => undefined);
    await worker;
  }
});
