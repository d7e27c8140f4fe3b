// Approves and activates the rules in the tables with the demo's people, as `gcos up --demo` does.
import { provideActors } from '../../src/demo/index.js';
import type { Gcos } from '../../src/index.js';

export async function putRulesIntoForce(gcos: Gcos): Promise<string> {
  await provideActors(gcos.db);
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
