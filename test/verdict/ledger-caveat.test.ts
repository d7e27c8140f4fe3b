// The caveats of a ledger (seed 31 §9, the grain of information units): data that the closing proof, the
// ledger and its export carry, for any class or collection, whenever its objects are in the inventory.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

let estate: Estate;
beforeEach(async () => {
  estate = await createEstate('ruled');
});
afterEach(() => estate.close());

const host = (text: string) => asHost(estate.url, text);
const run = (...args: string[]) => runCli(args, { env: { DATABASE_URL: estate.url } });
const setCaveats = (caveats: unknown) =>
  host(
    `update governance_setting set setting_value = '${JSON.stringify(caveats)}' where setting_key = 'ledger.caveats'`,
  );

describe('a caveat', () => {
  it('is in the proof, the ledger and the export while its objects are in the inventory', async () => {
    const [units] = await host('select count(*)::int as n from information_unit');
    await setCaveats([
      { object_class: 'information_unit', caveat: 'three axes only' },
      { object_class: 'article', collection: 'articles', caveat: 'revisions are not counted' },
      { object_class: 'hologram', caveat: 'there are none' },
    ]);
    const recorded = [
      { object_class: 'information_unit', collection: null, caveat: 'three axes only', units: units?.['n'] },
      { object_class: 'article', collection: 'articles', caveat: 'revisions are not counted', units: 4 },
    ];
    const backfill = await run('backfill', 'run', '--json');
    expect(backfill.exit, backfill.stderr).toBe(0);
    const report = JSON.parse(backfill.stdout);
    expect(report.ledger.caveats).toEqual(recorded);
    // The closing snapshot, which holds the proof.
    const [closing] = await host(
      `select metrics -> 'closing' -> 'ledger' -> 'caveats' as caveats from evolution_snapshots where id = ${report.closing_snapshot_id}`,
    );
    expect(closing?.['caveats']).toEqual(recorded);
    const shown = await run('ledger', 'show');
    expect(shown.stdout).toContain(
      `caveat, ${units?.['n']} units of class information_unit: three axes only`,
    );
    expect(shown.stdout).toContain(
      'caveat, 4 units of class article, collection articles: revisions are not counted',
    );
    expect(shown.stdout).not.toContain('hologram');
    expect(JSON.parse((await run('ledger', 'verify', '--json')).stdout).caveats).toEqual(recorded);
    const out = mkdtempSync(join(tmpdir(), 'gcos-caveat-'));
    expect((await run('ledger', 'export', '--out', join(out, 'ledger'))).exit).toBe(0);
    const file = (name: string) => JSON.parse(readFileSync(join(out, 'ledger', name), 'utf8'));
    expect(file('manifest.json').caveats).toEqual(recorded);
    expect(file('ledger.json').caveats).toEqual(recorded);
  });

  it('is never there without data, and a wrong one is an error, not a silence', async () => {
    const report = JSON.parse((await run('backfill', 'run', '--json')).stdout);
    expect(report.ledger.caveats).toEqual([]);
    expect((await run('ledger', 'show')).stdout).not.toContain('caveat');
    await setCaveats([{ caveat: 'of nothing' }]);
    const refused = await run('ledger', 'verify');
    expect(refused).toMatchObject({ exit: 3 });
    expect(refused.stderr).toContain('a caveat names an object class, a collection, or both');
  });
});
