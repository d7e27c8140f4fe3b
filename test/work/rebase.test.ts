// A rebase forgets nothing. Changes whose row versions no round has read, followed by each reason for which
// the tail reads the whole table again: after one round of the intake and an incremental scan, everything is
// as after a full scan. `rebase-server.test` has the reasons that a server of its own can bring about.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { differences, type KnownState, readKnownState } from '../support/from-scratch.js';
import { askBoth, FORCED_REBASES, loseChanges } from '../support/lost-changes.js';

const BLOCKED = [expect.stringMatching('block'), expect.stringMatching('block')];

describe('a rebase', () => {
  const open: Estate[] = [];
  const create = async (): Promise<Estate> => {
    const estate = await createEstate('reconciled');
    open.push(estate);
    return estate;
  };
  const known = async ({ url }: Estate): Promise<KnownState> => {
    const [now] = await asHost(url, 'select clock_timestamp()::text as at');
    return readKnownState(url, String(now?.['at']));
  };
  /** An intake that reads everything, a scan of what it marked, and an intake that sees that all is calm. */
  const catchUp = async ({ gcos }: Estate): Promise<readonly string[]> => {
    const { rebased } = await gcos.intakes.once();
    await gcos.scans.run({ mode: 'incremental' });
    await gcos.intakes.once();
    return rebased;
  };
  let expected: KnownState;
  beforeAll(async () => {
    const estate = await create();
    await loseChanges(estate.url);
    await estate.gcos.scans.run({ mode: 'full' });
    expected = await known(estate);
    await open.pop()?.close();
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  it.each(['relation_rewritten', 'cluster_changed', 'horizon_in_future'] as const)(
    'because of %s forgets no change',
    async (reason) => {
      const estate = await create();
      expect(await askBoth(estate)).toEqual(['allow', 'allow']);
      await loseChanges(estate.url);
      await asHost(estate.url, FORCED_REBASES[reason]);
      expect(await catchUp(estate)).toEqual([`birth_registry: ${reason}`]);
      expect(await askBoth(estate)).toEqual(BLOCKED);
      expect(differences(await known(estate), expected)).toEqual([]);
    },
  );

  it('of a verification, which repairs nothing, is made up for by the intake', async () => {
    const estate = await create();
    await loseChanges(estate.url);
    await asHost(estate.url, FORCED_REBASES.relation_rewritten);
    await estate.gcos.backfills.verify();
    expect(await catchUp(estate)).toEqual([]);
    expect(differences(await known(estate), expected)).toEqual([]);
  });

  it('because of too_many_rows, in a storm, forgets no change', async () => {
    const estate = await create();
    await asHost(
      estate.url,
      `update governance_setting set setting_value = '{"share": 0.0001, "seconds": 60, "least": 0}' where setting_key = 'intake.storm';
       insert into registry_changelog (entity_type, entity_code, action, changed_by) values ('dot_tool', 'DOT-117', 'looked_at', 'DOT-001')`,
    );
    await estate.gcos.intakes.once();
    await loseChanges(estate.url);
    await asHost(estate.url, FORCED_REBASES.too_many_rows);
    expect(await catchUp(estate)).toEqual(['birth_registry: too_many_rows']);
    expect(differences(await known(estate), expected)).toEqual([]);
  });
});
