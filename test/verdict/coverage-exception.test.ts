// Coverage and expiry: an exception in force accepts a gap, and a verdict expires with its evidence.
import { describe, expect, it, onTestFinished } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import { is, run, undone, useCoverage } from '../support/coverage.js';
import { rowsIn } from '../support/database.js';

const prepared = useCoverage();

describe('coverage and exceptions', () => {
  it('a verdict expires when the ownership it rests on ends', async () => {
    await undone(async (tx) => {
      const at = await readServerTime(tx);
      await tx.script(`update governance_object_ownership set effective_to = timestamptz '${at}' + interval '1 hour'
        where object_ref = 'customers' and scope = 'policy' and lifecycle_status = 'active'`);
      const { found } = await run(tx, undefined, at);
      expect(found.outcomes.covered).toBeGreaterThan(0);
      const ends = await rowsIn(
        tx,
        `select distinct (c.stale_after = timestamptz '${at}' + interval '1 hour') as soon, c.coverage_outcome
        from governance_candidate_state c join governance_inventory i using (inventory_key)
        where i.source_registry = 'customers' and c.scope = 'policy' and c.row_state = 'active' and candidate_verdict = 'relevant'`,
      );
      expect(ends).toEqual([{ soon: true, coverage_outcome: 'covered' }]);
    });
  });

  it('counts a gap as an exception while the exception is in force, and as an orphan after it is revoked', async () => {
    const estate = await prepared.copy();
    onTestFinished(() => estate.close());
    const requested = {
      subject: { kind: 'object', collection: 'dot_tools', code: 'DOT-142' },
      scope: 'execution',
      link: 'rollback',
      expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    } as const;
    const request = await estate.gcos.exceptions.openRequest(requested, { reason: 'test', as: 'member-1' });
    await estate.gcos.requests.approve(request, { as: 'president' });
    const code = await estate.gcos.exceptions.grant(requested, {
      reason: 'test',
      approvalRef: request,
      as: 'member-1',
    });
    await estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => void (await run(tx)));
    const ledger = async () => (await estate.gcos.ledgers.verify({ scope: 'execution' })).scopes[0];
    const before = await ledger();
    expect(before).toMatchObject({ exceptions: 1, closes: true });
    expect(before?.unverifiedBy['not_evaluated']).toBeUndefined();
    const explained = await estate.gcos.explanations.object('dot_tools', 'DOT-142', { scope: 'execution' });
    expect(explained.scopes[0]).toMatchObject({ coverageOutcome: 'exception', valid: true });
    expect(explained.scopes[0]?.links).toMatchObject([
      { link: 'dot_authority', state: 'resolved', ref: 'GOV-DOT', via: 'registry' },
      { link: 'owner', state: 'resolved', ref: 'GOV-DOT', via: 'object' },
      {
        link: 'rollback',
        state: 'excepted',
        exception: code,
        sentence: `rollback: missing, accepted by exception \`${code}\``,
      },
    ]);
    // The stored outcome is still `exception`; the ledger checks the exception itself.
    await estate.gcos.exceptions.revoke(code, { reason: 'test', as: 'member-1' });
    expect(await ledger()).toMatchObject({
      exceptions: 0,
      unverified: (before?.unverified ?? 0) + 1,
      unverifiedBy: { exception_lapsed: 1 },
      total: before?.total,
      closes: true,
    });
    const lapsed = await estate.gcos.explanations.object('dot_tools', 'DOT-142', { scope: 'execution' });
    expect(lapsed.scopes[0]).toMatchObject({
      exceptionChange: 'exception_lapsed',
      exceptions: [{ code, status: 'revoked' }],
    });
    await estate.db.transaction({ isolation: 'repeatable read' }, async (tx) => void (await run(tx)));
    expect(await ledger()).toMatchObject({
      exceptions: 0,
      orphans: (before?.orphans ?? 0) + 1,
      unverified: before?.unverified,
    });
  });

  it('raises findings for exceptions without approval and for expired ones, and resolves them on revocation', async () => {
    await undone(async (tx) => {
      const exception = (scope: string, expires: string, fingerprint: string) =>
        `insert into governance_exception (subject_kind, collection_name, scope, link, reason, requested_by, granted_at, expires_at, fingerprint)
         values ('collection', 'venues', '${scope}', 'owner', 'x', 'member-1', '2026-01-01', '${expires}', '${fingerprint}')`;
      await tx.script(exception('health', '2999-01-01', 'x'));
      await tx.script(exception('policy', '2026-02-01', 'x'));
      const { done } = await run(tx);
      const ownFindings = done.raised.filter((each) => each.subject.startsWith('governance_exception/'));
      expect(ownFindings.map((each) => [each.type, each.scope]).sort()).toEqual([
        ['exception_expired', 'policy'],
        ['unratified_exception', 'health'],
      ]);
      // Without an approval the gap is an orphan.
      expect(done.raised.filter(is('owner_gap', 'health')).length).toBe(1);
      await tx.script(`update governance_exception set revoked_at = '2026-03-01', revoked_by = 'x'`);
      const cured = await run(tx, []);
      expect(cured.done.resolved.map((each) => each.subject).sort()).toEqual(
        ownFindings.map((each) => each.subject).sort(),
      );
    });
  });
});
