// An object that the gate allows at high risk is covered or excepted in every scope that requires coverage.
// This holds after any history of births, moves, deletions, changes of owners, rules and tools, expiries and
// crashes, regardless of how much of it was scanned. The oracle deletes all derived data and evaluates the
// host and its rules from scratch.
import { expect } from 'vitest';
import type { Gcos } from '../../src/index.js';
import { asHost } from '../support/database.js';
import { createEstate } from '../support/estate.js';
import { startOver } from '../support/from-scratch.js';
import { histories, isHistory, live, type Step } from '../support/history.js';
import { holds } from '../support/property.js';
import { keepRulesInForce } from '../support/ruleset-in-force.js';

/** The intake reads every change of the host. The history decides how much of it is scanned again. */
async function takeInEverything(url: string, gcos: Gcos): Promise<void> {
  await keepRulesInForce(gcos);
  // A deletion leaves no row version. It is found when groups are recounted, which this update causes.
  await asHost(
    url,
    'update birth_registry set certified = certified where id = (select min(id) from birth_registry)',
  );
  for (let round = 0; round < 10; round += 1) if ((await gcos.intakes.once()).applied.dirtied === 0) return;
  throw new Error('the intake finds changes after 10 rounds');
}

/** Verdict and outcome of each object in each scope, evaluated from scratch: the independent recount. */
const ORACLE = `
  select b.collection_name, b.entity_code, s.scope_code as scope, coalesce(o.candidate_verdict, g.candidate_verdict, 'unjudged') as verdict,
    coalesce(o.coverage_outcome, g.coverage_outcome) as outcome
  from (select distinct on (collection_name, entity_code) collection_name, entity_code, status from birth_registry order by 1, 2, id) b
  cross join governance_responsibility_scope s
  left join governance_candidate_object o on o.collection_name = b.collection_name and o.entity_code = b.entity_code and o.scope = s.scope_code
    and o.row_state = 'active'
  left join governance_inventory i on i.source_registry = b.collection_name and i.lifecycle_status is not distinct from b.status and i.inherits
    and i.member_count > 0
  left join governance_candidate_state g on g.inventory_key = i.inventory_key and g.scope = s.scope_code and g.row_state = 'active'
  where s.status = 'active'`;

async function contradictions(
  steps: readonly Step[],
): Promise<{ readonly wrong: string[]; readonly allowed: number }> {
  const copy = await createEstate('scanned');
  const { gcos } = copy;
  try {
    await live(copy.url, gcos, steps);
    await takeInEverything(copy.url, gcos);
    const objects = await asHost(
      copy.url,
      `select distinct collection_name, entity_code from birth_registry
       where collection_name in ('dot_tools', 'route_registry', 'policy_registry', 'universal_rule_registry', 'exception_registry', 'publishing_jobs')
         or md5(entity_code) < '1'`,
    );
    const { decisions } = await gcos.gates.check(
      objects.map((row) => ({
        collection: String(row['collection_name']),
        code: String(row['entity_code']),
      })),
      { deadlineMs: 60_000 },
    );
    const allowed = decisions.flatMap(({ answer, highRisk: high_risk, subject }) =>
      answer === 'allow' && high_risk && !('group' in subject)
        ? [JSON.stringify([subject.collection, subject.code])]
        : [],
    );
    await startOver(copy.url, gcos);
    await asHost(copy.url, 'analyze');
    const recount = new Map<string, string[]>();
    for (const row of await asHost(copy.url, ORACLE)) {
      const { verdict, outcome } = row;
      const isCovered =
        ['not_relevant', 'class_0', 'retired'].includes(String(verdict)) ||
        (verdict === 'relevant' && (outcome === 'covered' || outcome === 'exception'));
      const key = JSON.stringify([row['collection_name'], row['entity_code']]);
      const list = recount.get(key) ?? [];
      recount.set(key, list);
      if (!isCovered) list.push(`${row['scope']}: ${verdict} ${outcome}`);
    }
    return {
      allowed: allowed.length,
      wrong: allowed.flatMap((key) => {
        const faults = recount.get(key) ?? ['there is no such object'];
        return faults.length === 0 ? [] : [`${key} was allowed, but ${faults.join(', ')}`];
      }),
    };
  } finally {
    await copy.close();
  }
}

holds('the gate allows at high risk only what an evaluation from scratch finds covered or excepted', {
  cases: histories(12),
  check: async (steps) => {
    const { wrong, allowed } = await contradictions(steps);
    expect(wrong.slice(0, 10)).toEqual([]);
    return allowed;
  },
  seeds: [8, 2_264],
  runs: 1,
  kept: new URL('./seeds/gate.json', import.meta.url),
  isCase: isHistory,
});
