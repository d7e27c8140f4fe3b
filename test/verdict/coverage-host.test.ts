// What a host lacks is never taken for covered: without scopes, owners or approvals nothing that depends on them is evaluated. And the rights
// of a worker are enough.
import { describe, expect, it } from 'vitest';
import { areCanariesFlagged } from '../../src/verdict/coverage/index.js';
import { estate, run, undone, useCoverage } from '../support/coverage.js';
import { rowsIn } from '../support/database.js';
import { createPeople } from '../support/people.js';

useCoverage();

describe('coverage of a host', () => {
  it('evaluates nothing in scopes that no profile knows', async () => {
    await undone(async (tx) => {
      await tx.script('alter table governance_responsibility_scope rename to not_there');
      const { found } = await run(tx);
      expect(found.outcomes).toMatchObject({ covered: 0, exception: 0, orphan: 0 });
      expect(found.outcomes.not_evaluated).toBe(found.evaluated);
      expect(areCanariesFlagged(found)).toBe(true);
    });
  });

  it('evaluates nothing that depends on owners where there is no ownership, and calls none of it covered', async () => {
    await undone(async (tx) => {
      await tx.script('alter table governance_object_ownership rename to not_there');
      const { found } = await run(tx);
      expect(found.outcomes.covered).toBe(0);
      expect(found.outcomes.not_evaluated).toBeGreaterThan(found.outcomes.orphan);
      expect(areCanariesFlagged(found)).toBe(true);
      const [row] = await rowsIn(
        tx,
        `select coverage_outcome from governance_candidate_object where entity_code = 'DOT-001' and scope = 'approval' and row_state = 'active'`,
      );
      expect(row).toEqual({ coverage_outcome: 'not_evaluated' });
    });
  });

  it('knows no link that the host has nothing to resolve by', async () => {
    await undone(async (tx) => {
      await tx.script('alter table approval_requests rename to not_there');
      const { found } = await run(tx);
      expect(areCanariesFlagged(found)).toBe(true);
      const rowsOf = await rowsIn(
        tx,
        `select distinct coverage_outcome from governance_candidate_object where collection_name = 'dot_tools' and scope = 'approval' and row_state = 'active' and candidate_verdict = 'relevant'`,
      );
      expect(rowsOf).toEqual([{ coverage_outcome: 'not_evaluated' }]);
    });
  });

  it('needs no more rights than a worker has', async () => {
    const people = createPeople(estate.url);
    const { gcos } = await people.login('coverage', 'gcos_worker');
    await gcos.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const { found, done } = await run(tx);
      expect(areCanariesFlagged(found)).toBe(true);
      expect(found.outcomes.not_evaluated).toBe(0);
      expect(done.raised.length).toBeGreaterThan(80);
    });
    await people.close();
  });
});
