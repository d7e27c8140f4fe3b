// Coverage on a host without scopes, owners or approvals: units that depend on them are not evaluated, and
// never covered. The privileges of a worker are sufficient.
import { describe, expect, it } from 'vitest';
import { areCanariesFlagged } from '../../src/verdict/coverage/index.js';
import { estate, run, undone, useCoverage } from '../support/coverage.js';
import { rowsIn } from '../support/database.js';
import { createPeople } from '../support/people.js';

useCoverage();

describe('coverage of a host', () => {
  it('evaluates nothing when the host has no scopes', async () => {
    await undone(async (tx) => {
      await tx.script('alter table governance_responsibility_scope rename to not_there');
      const { found } = await run(tx);
      expect(found.outcomes).toMatchObject({ covered: 0, exception: 0, orphan: 0 });
      expect(found.outcomes.not_evaluated).toBe(found.evaluated);
      expect(areCanariesFlagged(found)).toBe(true);
    });
  });

  it('evaluates no unit that requires an owner when the host has no ownership, and covers none', async () => {
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

  it('does not evaluate links to approvals when the host has no approvals', async () => {
    await undone(async (tx) => {
      await tx.script('alter table approval_requests rename to not_there');
      const { found } = await run(tx);
      expect(areCanariesFlagged(found)).toBe(true);
      const outcomes = await rowsIn(
        tx,
        `select distinct coverage_outcome from governance_candidate_object where collection_name = 'dot_tools' and scope = 'approval' and row_state = 'active' and candidate_verdict = 'relevant'`,
      );
      expect(outcomes).toEqual([{ coverage_outcome: 'not_evaluated' }]);
    });
  });

  it('needs only the privileges of a worker', async () => {
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
