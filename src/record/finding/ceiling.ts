// Owns the ceiling: if one write would raise too many findings of one type and route, the findings without a
// row become one summary with their exact number and a sample of their keys. Findings that have a row keep
// it.
import type { FindingType } from './catalogue.js';
import { summaryKey } from './coalesce-key.js';
import type { Observation, Severity } from './observation.js';
import { graver } from './severity.js';

/** One finding about to be written: all observations of one key. */
export interface Draft {
  readonly key: string;
  readonly type: FindingType;
  readonly observation: Observation;
  readonly severity: Severity;
  readonly routes: readonly string[];
  readonly count: number;
  readonly isSummary: boolean;
}

export interface CeilingLimits {
  readonly ceiling: number;
  readonly sample: number;
}

function groupByRoute(drafts: readonly Draft[]): Draft[][] {
  const groups = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const name = JSON.stringify([draft.type.name, ...draft.routes]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [draft]);
    else group.push(draft);
  }
  return [...groups.values()];
}

/** The groups above their ceiling. Only for these the caller must read which findings have rows. */
export function groupsAbove(drafts: readonly Draft[], limits: CeilingLimits): Draft[][] {
  return groupByRoute(drafts).filter((group) => group.length > (group[0]?.type.ceiling ?? limits.ceiling));
}

function summarise(folded: readonly Draft[], seen: number, limits: CeilingLimits): Draft | undefined {
  const [first] = folded;
  if (first === undefined) return undefined;
  const { type, routes } = first;
  const sample = folded
    .map((draft) => draft.key)
    .sort()
    .slice(0, limits.sample);
  const parents = new Set(folded.map((draft) => draft.observation.parentKey));
  const [parentKey] = parents;
  return {
    key: summaryKey(type.name, type.family, routes),
    type,
    routes,
    severity: folded.map((draft) => draft.severity).reduce(graver),
    count: folded.reduce((sum, draft) => sum + draft.count, 0),
    isSummary: true,
    observation: {
      type: type.name,
      subject: 'summary',
      entityType: 'governance_finding_type',
      entityCode: type.name,
      evidence: { findings: folded.length, seen, ceiling: type.ceiling ?? limits.ceiling, sample },
      ...(parents.size === 1 && parentKey !== undefined ? { parentKey } : {}),
    },
  };
}

/** The drafts to write: `above` is folded into summaries, except the findings with rows (`known`). */
export function foldAbove(
  drafts: readonly Draft[],
  above: readonly (readonly Draft[])[],
  known: ReadonlySet<string>,
  limits: CeilingLimits,
): readonly Draft[] {
  const standIn = new Map<string, string>();
  for (const group of above)
    for (const { key, type, routes } of group)
      if (!known.has(key)) standIn.set(key, summaryKey(type.name, type.family, routes));
  // A parent without its own row is represented by its summary.
  const reparent = (draft: Draft): Draft => {
    const parentKey = draft.observation.parentKey && standIn.get(draft.observation.parentKey);
    return parentKey ? { ...draft, observation: { ...draft.observation, parentKey } } : draft;
  };
  const summaries = above.map((group) => {
    const folded = group.filter((draft) => standIn.has(draft.key)).map(reparent);
    return summarise(folded, group.length, limits);
  });
  return [
    ...drafts.filter((draft) => !standIn.has(draft.key)).map(reparent),
    ...summaries.filter((summary) => summary !== undefined),
  ];
}
