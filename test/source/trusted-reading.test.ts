// As of when a source was read is what the gate relies on. A reading from the future, or from before the
// source was removed, proves nothing about the estate as it is now.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resetClock, setClock } from '../support/clock.js';
import { createGatedHome, type GatedHome } from '../support/gated-home.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { until } from '../support/wait.js';

let home: GatedHome;
let path: string;
let group: string;
const add = () =>
  home.json(
    ...['source', 'add', 'inventory', 'file', path, '--class', 'asset', '--code', 'id'],
    ...['--identity', 'key', '--link', 'owner=team'],
  );

beforeAll(async () => {
  home = await createGatedHome();
  path = home.write('assets.csv', 'id,key,team\nbilling,1,team-pay\nsearch,2,team-find\n');
  await add();
  await home.json('source', 'sync', 'inventory');
  await putRulesIntoForce(home.gcos);
  await home.json('backfill', 'run');
  await home.json('scan', 'run', '--mode', 'full');
  const [row] = await home.sql(
    `select group_key from governance_group g join governance_inventory i using (inventory_key)
     where i.source_registry = 'inventory_asset' and g.scope = 'execution'`,
  );
  group = String(row?.['group_key']);
});
afterAll(() => home.close());
afterEach(() => resetClock(home.url));

const codes = async (...question: string[]) =>
  (await home.gate(...question)).reasons.map((each) => each.code);
const due = async () => (await home.gcos.sources.due(900)).map((each) => each.name);

// One history: each test goes on where the one before it ended.
describe('a reading of a source', { shuffle: false }, () => {
  it('counts while it is recent, for an object and for its group', async () => {
    await until('the gate to allow it', async () => (await home.gate('billing')).answer === 'allow');
    expect(await codes('--group', group)).not.toContain('source_unwatched');
  });

  it('proves nothing when the clock was set back since, and is made again at once', async () => {
    await setClock(home.url, { ahead: '2 hours' });
    await home.json('source', 'sync', 'inventory');
    await resetClock(home.url);
    expect(await codes('billing')).toContain('source_unwatched');
    expect(await due()).toEqual(['inventory']);
    await home.json('source', 'sync', 'inventory');
    expect(await codes('billing')).toEqual([]);
  });

  it('counts for the group of its objects, too', async () => {
    await home.sql(`update gcos_source set read_at = read_at - interval '20 years'`);
    expect(await codes('--group', group)).toContain('source_unwatched');
    await home.json('source', 'sync', 'inventory');
    expect(await codes('--group', group)).not.toContain('source_unwatched');
  });

  it('ends when the source is removed, before anything has taken that in', async () => {
    await home.json('source', 'sync', 'inventory');
    await home.json('source', 'remove', 'inventory', '--yes');
    expect(await codes('billing')).toContain('source_unwatched');
  });

  it('does not count when the source is added again, until it is read', async () => {
    await add();
    expect(await codes('billing')).toContain('source_unwatched');
    expect(await due()).toEqual(['inventory']);
    await home.once('sync', 'intake');
    await home.json('scan', 'run', '--mode', 'full');
    expect(await home.gate('billing')).toMatchObject({ answer: 'allow', reasons: [] });
  });

  it('is refused when two objects have one identity, and changes nothing', async () => {
    const members = () =>
      home.sql('select code, identity, status, xmin::text from gcos_source_object order by 1');
    const before = await members();
    home.write('assets.csv', 'id,key,team\nbilling,1,team-pay\nfind,2,team-find\nlookup,2,team-other\n');
    const { exit, stderr } = await home.run('source', 'sync', 'inventory');
    expect([exit, stderr]).toEqual([
      3,
      expect.stringContaining('the identity 2 is that of several objects of class asset'),
    ]);
    expect(await members()).toEqual(before);
  });
});

describe('a source that takes long to read', () => {
  it('is read less often, so that reading takes no more than its share of the time', async () => {
    await home.sql(
      `update gcos_source set read_at = now() - interval '20 minutes', synced_at = now() - interval '17 minutes', failed_at = null`,
    );
    const names = async (share: number) => (await home.gcos.sources.due(900, share)).map((each) => each.name);
    // Three minutes in twenty are 15 %.
    expect(await names(0.2)).toEqual(['inventory']);
    expect(await names(0.1)).toEqual([]);
  });
});
