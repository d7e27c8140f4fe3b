// Approves and activates the rules in the tables with the demo's people, as `gcos up --demo` does.
import { provideActors } from '../../src/demo/index.js';
import type { Gcos } from '../../src/index.js';

/** `watchful`: with the default limits of time; else limits that no test reaches. */
export async function putRulesIntoForce(
  gcos: Gcos,
  { watchful = false }: { readonly watchful?: boolean } = {},
): Promise<string> {
  await provideActors(gcos.db);
  // Tests ask about the far future, and copy estates that are older than a default limit.
  if (!watchful)
    await gcos.db.transaction({ isolation: 'read committed' }, (tx) =>
      tx.script(
        `update governance_setting set setting_value = '{"high_minutes": 5256000, "low_minutes": 5256000}'
       where setting_key = 'gate.max_unwatched';
       update governance_setting set setting_value = '{"high_hours": 87600, "low_hours": 87600}'
       where setting_key = 'gate.max_ledger_age'`,
      ),
    );
  const { code, plan } = await gcos.plans.propose({ as: 'member-1' });
  for (const as of ['president', 'council-1', 'council-2']) await gcos.requests.approve(code, { as });
  await gcos.plans.activate(plan.to, code, { as: 'operator' });
  return plan.to;
}

/** Does the same, unless the rules in the tables are already active. */
export async function keepRulesInForce(gcos: Gcos): Promise<void> {
  const { status } = await gcos.rulesets.draft({ dryRun: true });
  if (status !== 'active') await putRulesIntoForce(gcos);
}
