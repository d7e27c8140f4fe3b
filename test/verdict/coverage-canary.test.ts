// Canaries: every evaluation includes units that it must flag, which reveals a rule that no longer works.
import { describe, expect, it } from 'vitest';
import { areCanariesFlagged } from '../../src/verdict/coverage/index.js';
import { run, undone, useCoverage } from '../support/coverage.js';
import { rowsIn } from '../support/database.js';

useCoverage();

describe('canaries', () => {
  it('flags every canary, stores none, and names the canary that a broken rule misses', async () => {
    await undone(async (tx) => {
      const { found } = await run(tx);
      expect(found.canaries).toEqual({ fed: 18, missed: [] });
      expect(areCanariesFlagged(found)).toBe(true);
      expect(JSON.stringify(found.pages)).not.toContain('canary');
      expect(
        await rowsIn(
          tx,
          `select 1 from governance_candidate_state where coverage_evidence::text like '%canary%' union all
        select 1 from governance_candidate_object where coverage_evidence::text like '%canary%'`,
        ),
      ).toEqual([]);
      // A rule that accepts any text as an approval.
      await tx.script(
        `update governance_setting set setting_value = setting_value || '[{"link": "approval", "form": "."}]' where setting_key = 'verdict.link_evidence'`,
      );
      const broken = await run(tx);
      expect(broken.found.canaries.missed).toEqual(['approval dangling']);
      expect(areCanariesFlagged(broken.found)).toBe(false);
      // A rule that accepts only references of a given form.
      await tx.script(
        `update governance_setting set setting_value = jsonb_set(setting_value, '{-1,form}', '"^LAB-APPROVAL-[0-9]+$"') where setting_key = 'verdict.link_evidence'`,
      );
      const corrected = await run(tx);
      expect(areCanariesFlagged(corrected.found)).toBe(true);
      expect(
        await rowsIn(
          tx,
          `select distinct c.coverage_outcome from governance_candidate_state c join governance_inventory i using (inventory_key)
           where i.source_registry like 'lab%' and c.scope = 'approval' and c.row_state = 'active' and c.candidate_verdict = 'relevant'`,
        ),
      ).toEqual([{ coverage_outcome: 'covered' }]);
    });
  });
});
