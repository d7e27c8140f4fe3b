// The demo's people put the rules in the tables into force, as `gcos up --demo` does.
import { provideActors } from '../../src/demo/index.js';
import type { Gcos } from '../../src/index.js';

export async function putRulesIntoForce(gcos: Gcos): Promise<string> {
  await provideActors(gcos.db);
  const { code, plan } = await gcos.plans.propose({ as: 'member-1' });
  for (const as of ['president', 'council-1', 'council-2']) await gcos.requests.approve(code, { as });
  await gcos.plans.activate(plan.to, code, { as: 'operator' });
  return plan.to;
}

/** The same where the rules in the tables are not those in force already. */
export async function keepRulesInForce(gcos: Gcos): Promise<void> {
  const { status } = await gcos.rulesets.draft({ dryRun: true });
  if (status !== 'active') await putRulesIntoForce(gcos);
}
