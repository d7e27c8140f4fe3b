// Owns collecting observations into drafts: two hundred thousand observations of one cause become one finding
// before anything is sent to the server.
import type { FindingType } from './catalogue.js';
import type { Draft } from './ceiling.js';
import { coalesceKey } from './coalesce-key.js';
import { findingErrors } from './errors.js';
import type { Observation } from './observation.js';
import { computeSeverity, graver } from './severity.js';

function countOf(observation: Observation): number {
  const { count = 1 } = observation;
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw findingErrors.finding_invalid(
    `finding \`${observation.type}\`: \`${count}\` is not a positive count`,
  );
}

/** One draft per key, in order of first appearance, with the summed count and the most severe observation. */
export function collectDrafts(
  observations: readonly Observation[],
  types: ReadonlyMap<string, FindingType>,
): readonly Draft[] {
  const drafts = new Map<string, Draft>();
  for (const observation of observations) {
    const type = types.get(observation.type);
    if (type === undefined)
      throw findingErrors.finding_type_unknown(`the catalogue has no finding type \`${observation.type}\``);
    const key = coalesceKey(observation, type.family);
    const severity = computeSeverity(type, observation.link, observation.riskClass, observation.severity);
    const before = drafts.get(key);
    const count = countOf(observation) + (before?.count ?? 0);
    if (before === undefined)
      drafts.set(key, { key, type, observation, severity, routes: [], count, isSummary: false });
    else if (graver(before.severity, severity) === before.severity) drafts.set(key, { ...before, count });
    else drafts.set(key, { ...before, observation, severity, count });
  }
  return [...drafts.values()];
}
