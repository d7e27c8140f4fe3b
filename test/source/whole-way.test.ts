// From a list in a file to an answer of the gate, by commands only: in an empty database, with what the
// worker does later. One login acts for all people who approve the rules, as in the demo.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGatedHome, type GatedHome } from '../support/gated-home.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';

let home: GatedHome;
const LIST = 'id,team,tier\nbilling,team-pay,1\nsearch,team-find,2\nlegacy,,3\n';

beforeAll(async () => {
  home = await createGatedHome();
});
afterAll(() => home.close());

// One history: each test goes on where the one before it ended.
describe('a list in a file', { shuffle: false }, () => {
  it('closes the ledger over what the file lists, and the gate answers about each object', async () => {
    const path = home.write('assets.csv', LIST);
    await home.json(
      ...['source', 'add', 'inventory', 'file', path, '--class', 'asset', '--code', 'id'],
      ...['--link', 'owner=team'],
    );
    await home.json('source', 'sync', 'inventory');
    await putRulesIntoForce(home.gcos);
    await home.json('backfill', 'run');
    await home.json('scan', 'run', '--mode', 'full');
    const ledger = (await home.json('ledger', 'show')) as {
      scopes: Record<string, unknown>[];
      closes: boolean;
    };
    expect(ledger.closes).toBe(true);
    expect(ledger.scopes).toMatchObject([{ scope: 'execution', total: 3, covered: 2, orphans: 1 }]);
    expect(await home.gate('billing')).toMatchObject({ exit: 0, answer: 'allow', reasons: [] });
    const legacy = await home.gate('legacy');
    expect([legacy.exit, legacy.answer]).toEqual([2, 'block']);
    expect(legacy.reasons.map((each) => each.code)).toContain('orphan');
  });

  it('takes in what changed in the file: an owner, an object that is gone, a new one', async () => {
    home.write('assets.csv', 'id,team,tier\nbilling,team-pay,1\nlegacy,team-old,3\nchat,team-talk,2\n');
    await home.json('source', 'sync', 'inventory');
    await home.once('intake');
    await home.json('scan', 'run', '--mode', 'full');
    const ledger = (await home.json('ledger', 'show')) as {
      scopes: Record<string, unknown>[];
      closes: boolean;
    };
    expect(ledger.closes).toBe(true);
    expect(ledger.scopes).toMatchObject([
      { scope: 'execution', total: 4, covered: 3, orphans: 0, retired: 1 },
    ]);
    expect(await home.gate('legacy')).toMatchObject({ exit: 0, answer: 'allow' });
    expect(await home.gate('chat')).toMatchObject({ exit: 0, answer: 'allow' });
    expect((await home.gate('search')).reasons.map((each) => each.code)).toEqual(['retired']);
  });

  it('reads the source when it is due; a source that fails is a finding until it is read again', async () => {
    const found = async () =>
      home.sql(
        `select status, evidence_snapshot #>> '{facts,code}' as code from system_issues where issue_type = 'source_failed' order by id`,
      );
    home.write('assets.csv', 'id,team\nbilling,"team-pay\n');
    // Read a moment ago, so it is not due.
    await home.once('sync', 'supervisor');
    expect(await found()).toEqual([]);
    await home.sql(
      `update gcos_trust.governance_setting set setting_value = '{"minutes": 0.0001}' where setting_key = 'source.cadence'`,
    );
    await home.once('sync', 'supervisor');
    expect(await found()).toEqual([{ status: 'open', code: 'source_invalid' }]);
    home.write('assets.csv', LIST);
    await home.once('sync', 'supervisor');
    expect((await found()).map((each) => each['status'])).not.toContain('open');
    const { sources } = await home.json('source', 'list');
    expect(sources).toMatchObject([{ name: 'inventory', objects: '3', failure: null }]);
  });

  it('blocks what was not read for too long, and says which source; the rest of the host is watched', async () => {
    await home.once('intake');
    await home.json('scan', 'run', '--mode', 'full');
    expect(await home.gate('billing')).toMatchObject({ answer: 'allow', reasons: [] });
    await home.sql(`update gcos_source set read_at = read_at - interval '20 years' where name = 'inventory'`);
    const late = await home.gate('billing');
    expect(late).toMatchObject({ exit: 2, answer: 'block', reasons: [{ code: 'source_unwatched' }] });
    expect(late.reasons[0]?.sentence).toMatch(/^the source inventory was last read as of /);
    await home.json('source', 'sync', 'inventory');
    expect(await home.gate('billing')).toMatchObject({ answer: 'allow' });
  });
});
