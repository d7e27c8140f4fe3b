// Owns whether a change of rules reaches a unit or a finding: by the same dimensions as the groups that an
// activation marks, but also for groups that do not exist yet. An unreached unit flips for another reason.
import type { PreviewedTransition } from '../../record/finding/index.js';
import type { ChangeConstraint, ChangeReach } from '../../rule/ruleset/index.js';
import type { JudgedUnit } from '../../verdict/candidate/index.js';
import { DETECTOR_FINDINGS } from '../../verdict/detector/index.js';
import { INPUT_FINDINGS } from '../../verdict/input/index.js';

/** SQL LIKE, without an escape character. */
function isLike(text: string, pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('%', '[^]*')
    .replaceAll('_', '[^]');
  return new RegExp(`^${source}$`, 'u').test(text);
}

export interface Reached {
  isReached(unit: JudgedUnit): boolean;
  /** Whether findings are reached; `places` has one unit of each inventory group. */
  findingReach(places: ReadonlyMap<string, JudgedUnit>): (finding: PreviewedTransition) => boolean;
}

/** Ungrouped findings that depend on time or on user input, not on the rules. */
const OF_THEIR_OWN: readonly string[] = [
  'delegation_expired',
  'direct_write_bypass',
  'exception_expired',
  'island_detected',
  'phantom_gap',
  'unratified_exception',
];

type Place = Pick<JudgedUnit, 'sourceRegistry' | 'objectClass' | 'axisFamily'> & {
  readonly scope: string | null;
};

/** The units and findings that `reaches` affect. */
export function reachedBy(reaches: readonly ChangeReach[]): Reached {
  // A detector has its own findings and does not affect verdicts, whatever its reach.
  const judging = reaches.filter(({ change }) => change.component !== 'detectors');
  const everything = judging.some((reach) => reach.everything);
  const constraints = judging.flatMap((reach) => reach.constraints);
  const fits = (place: Place, each: ChangeConstraint) =>
    (each.scope === null || place.scope === null || place.scope === each.scope || place.scope === 'all') &&
    (each.axisFamily === null || each.axisFamily === place.axisFamily) &&
    (each.sourceRegistry === null || each.sourceRegistry === place.sourceRegistry) &&
    (each.classPattern === null || isLike(place.objectClass, each.classPattern));
  const known = new Map<string, boolean>();
  const holds = (place: Place): boolean => {
    if (everything) return true;
    const name = JSON.stringify([place.sourceRegistry, place.objectClass, place.axisFamily, place.scope]);
    const found = known.get(name) ?? constraints.some((each) => fits(place, each));
    known.set(name, found);
    return found;
  };
  const detectors = new Set(
    reaches.filter(({ change }) => change.component === 'detectors').map(({ change }) => change.key),
  );
  return {
    isReached: holds,
    findingReach(places) {
      const byRegistry = new Map<string, JudgedUnit[]>();
      for (const unit of places.values()) {
        const own = byRegistry.get(unit.sourceRegistry) ?? [];
        byRegistry.set(unit.sourceRegistry, own);
        own.push(unit);
      }
      return ({ type, subject, scope }) => {
        if (DETECTOR_FINDINGS.includes(type)) return detectors.has(subject);
        if (everything) return true;
        if (INPUT_FINDINGS.includes(type))
          return (byRegistry.get(subject) ?? []).some((unit) => holds({ ...unit, scope: null }));
        const group = places.get(subject);
        return group === undefined ? !OF_THEIR_OWN.includes(type) : holds({ ...group, scope });
      };
    },
  };
}
