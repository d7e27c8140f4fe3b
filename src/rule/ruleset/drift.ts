// Owns detecting that the rules in the tables differ from the active version. It returns facts; the caller
// writes the finding.
import type { Transaction } from '../../db/index.js';
import { DEFAULT_FAMILY, encodeContent, readContent } from '../../host/index.js';
import type { Observation } from '../../record/finding/index.js';
import { diffContent, type RuleChange } from './diff.js';
import { contentOf, readActive } from './store.js';

export interface Drift {
  readonly family: string;
  /** Null: no version is active, so there is no drift. */
  readonly active: string | null;
  /** The version that the rules in the tables would have. */
  readonly current: string;
  readonly drifted: boolean;
  readonly changes: readonly RuleChange[];
  /** @internal The observations for the finding; empty without drift. */
  readonly observations: readonly Observation[];
}

export const DRIFT_TYPE = 'ruleset_drift';

function observationOf(
  family: string,
  active: string,
  current: string,
  changes: readonly RuleChange[],
): Observation {
  const counts: Record<string, number> = {};
  for (const { component } of changes) counts[component] = (counts[component] ?? 0) + 1;
  return {
    type: DRIFT_TYPE,
    subject: family,
    entityType: 'governance_ruleset',
    entityCode: active,
    evidence: { active, current, changes: counts },
  };
}

/** Compares the rules in the tables with the active version; the transaction should be repeatable read. */
export async function checkDrift(tx: Transaction, family: string = DEFAULT_FAMILY): Promise<Drift> {
  const content = await readContent(tx, family);
  const { version: current } = encodeContent(content);
  const active = await readActive(tx, family);
  const facts = { family, active: active?.version ?? null, current };
  if (active === undefined || active.version === current)
    return { ...facts, drifted: false, changes: [], observations: [] };
  const changes = diffContent(await contentOf(tx, active.version), content);
  return {
    ...facts,
    drifted: true,
    changes,
    observations: [observationOf(family, active.version, current, changes)],
  };
}
