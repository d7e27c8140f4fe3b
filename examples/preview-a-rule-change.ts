// What would change if the rules in the tables were put into force? Nothing is written.
import { loadConfig, openGcos } from 'gcos';

const gcos = await openGcos(loadConfig());
try {
  const { from, to, changes, groups, flips } = await gcos.plans.plan();
  console.log(
    `${from ?? 'no ruleset'} → ${to}: ${changes.length} changes reach ${groups.dirtied} of ${groups.total} groups`,
  );
  for (const { text } of changes) console.log(`  ${text}`);
  console.log(
    `${flips.verdicts.length} verdicts, ${flips.outcomes.length} outcomes and ${flips.gates.length} gate answers would flip`,
  );
} finally {
  await gcos.close();
}
