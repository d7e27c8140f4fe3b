// Owns what the intake announces about activations of rulesets: the groups that each changed rule reaches,
// under its old and its new reach. The activation itself has marked them; here nothing is marked.
import type { Transaction } from '../../db/index.js';
import { COMPONENTS } from '../../host/index.js';
import { type ChangeReach, contentOf, diffContent, reachOfChanges } from '../../rule/ruleset/index.js';
import { type DirtyGroup, readDependents } from '../../verdict/candidate/index.js';
import type { Change } from './change.js';
import { type Facts, whereOf } from './facts.js';
import { ACTIVATIONS } from './watch/registries.js';
import type { Difference } from './watch.js';

const DIMENSIONS = ['object_class', 'source_registry', 'axis_family', 'scope'] as const;

function factsOf(reach: ChangeReach): readonly Facts[] {
  if (reach.everything) return [{ everything: true }];
  return reach.constraints.map(({ scope, axisFamily, sourceRegistry, classPattern }) => ({
    ...(scope === null ? {} : { scope }),
    ...(axisFamily === null ? {} : { axisFamily }),
    ...(sourceRegistry === null ? {} : { collection: sourceRegistry }),
    ...(classPattern === null ? {} : { objectClass: classPattern }),
  }));
}

async function groupsIn(tx: Transaction, reaches: readonly ChangeReach[]): Promise<readonly DirtyGroup[]> {
  const found = new Map<string, DirtyGroup>();
  for (const where of whereOf(reaches.flatMap(factsOf), DIMENSIONS))
    for (const group of await readDependents(tx, where)) found.set(group.groupKey, group);
  return [...found.values()];
}

async function ofActivation(tx: Transaction, version: string, supersedes: string): Promise<Change[]> {
  const [before, after] = [await contentOf(tx, supersedes), await contentOf(tx, version)];
  const reaches = reachOfChanges(diffContent(before, after), before, after);
  const bySource = new Map<string, ChangeReach[]>();
  for (const reach of reaches) {
    const { source } = COMPONENTS[reach.change.component];
    bySource.set(source, [...(bySource.get(source) ?? []), reach]);
  }
  const changes: Change[] = [];
  for (const [source, some] of bySource)
    changes.push({
      source,
      action: 'activated',
      table: source,
      ref: version,
      facts: [],
      marked: await groupsIn(tx, some),
    });
  const all = {
    source: 'governance_ruleset',
    action: 'activated',
    table: 'governance_ruleset',
    ref: version,
    facts: [],
  };
  return [...changes, { ...all, marked: await groupsIn(tx, reaches) }];
}

/**
 * The activations among `differences` as changes, in their order; the first one of all has no predecessor.
 */
export async function changesOfActivations(
  tx: Transaction,
  differences: readonly Difference[],
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const { watched, after } of differences) {
    const row = watched.source === ACTIVATIONS ? after[0] : undefined;
    if (row !== undefined && row['supersedes'] !== null)
      changes.push(...(await ofActivation(tx, String(row['ruleset_version']), String(row['supersedes']))));
  }
  return changes;
}
