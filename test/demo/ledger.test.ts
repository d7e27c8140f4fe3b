// The ledger of the demo estate after its first full scan, compared with docs/demo-estate.md.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

let estate: Estate;
beforeAll(async () => {
  estate = await createEstate('scanned');
});
afterAll(() => estate?.close());
const number = async (text: string) => Number((await asHost(estate.url, text))[0]?.['n']);

describe('the ledger of the demo estate', () => {
  it('equals the ledger in docs/demo-estate.md, apart from births that a smaller estate does not have', async () => {
    const text = readFileSync(new URL('../../docs/demo-estate.md', import.meta.url), 'utf8');
    const [devices = 0, jobs = 0] = await Promise.all(
      ['devices', 'publishing_jobs'].map((collection) =>
        number(`select count(*)::int as n from birth_registry where collection_name = '${collection}'`),
      ),
    );
    const documented = [
      ...text.matchAll(
        /^\| (approval|audit|execution|health|policy|render) ((?:\| [\d,]+ ){8})\| [\d.]+ % \|$/gm,
      ),
    ].map(([, scope = '', cells = '']) => {
      const [total = 0, covered = 0, orphans = 0, exceptions, retired, unverified = 0, deferred, class0] =
        cells
          .split('|')
          .slice(1)
          .map((cell) => Number(cell.trim().replaceAll(',', '')));
      const fewer = { devices: 480 - devices, jobs: 240 - jobs };
      const [asCovered, asOrphans] = [
        scope === 'audit' ? fewer.jobs : 0,
        scope === 'execution' ? fewer.jobs : 0,
      ];
      return {
        scope,
        total: total - fewer.devices - asCovered - asOrphans,
        covered: covered - asCovered,
        orphans: orphans - asOrphans,
        exceptions,
        retired,
        unverified: unverified - fewer.devices,
        deferredBirth: deferred,
        class_0: class0,
      };
    });
    expect(documented).toHaveLength(6);
    expect((await estate.gcos.ledgers.show()).scopes).toMatchObject(documented);
  });
});
