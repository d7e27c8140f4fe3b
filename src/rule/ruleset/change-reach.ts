// Owns which groups a change of rules concerns: the old and the new reach of every difference, so that a
// removed or narrowed rule is also evaluated where it used to apply.
import { type ComponentName, keyOf, type RulesetContent, rowsOf } from './content.js';
import type { RuleChange } from './diff.js';
import { detectorRules, type ReachConstraint, type Rule, reachIn } from './reach.js';

/** Null: any. A class pattern is an object class or a LIKE pattern over classes. */
export interface ChangeConstraint extends ReachConstraint {
  readonly classPattern: string | null;
}

export interface ChangeReach {
  readonly change: RuleChange;
  readonly everything: boolean;
  readonly constraints: readonly ChangeConstraint[];
  /** The rule has no reach rows and therefore reaches everything. */
  readonly unmapped: boolean;
}

const ANY: ChangeConstraint = { scope: null, axisFamily: null, sourceRegistry: null, classPattern: null };

/**
 * The rule as in `content`: a measurement without reach rows uses those of the law that its detector names
 * there.
 */
function rulesIn(content: RulesetContent, rule: Rule): readonly Rule[] {
  const found =
    rule.kind === 'law' ? [] : detectorRules(content).filter((detector) => detector.code === rule.code);
  return found.length === 0 ? [rule] : found;
}

function ofRule(rule: Rule, change: RuleChange, before: RulesetContent, after: RulesetContent): ChangeReach {
  const isDetector = change.component === 'detectors';
  const reaches = [
    ...(change.change === 'added' && isDetector ? [] : reachIn(before, rulesIn(before, rule))),
    ...(change.change === 'removed' && isDetector ? [] : reachIn(after, rulesIn(after, rule))),
  ];
  const everything = reaches.some((each) => each.everything);
  return {
    change,
    everything,
    unmapped: reaches.some((each) => each.by === 'none'),
    constraints: everything
      ? []
      : reaches.flatMap((each) =>
          each.constraints.map((constraint) => ({ ...constraint, classPattern: null })),
        ),
  };
}

/** The column with the classes that a row concerns. */
const CLASS_COLUMN: Partial<Record<ComponentName, string>> = {
  profiles: 'class_pattern',
  // An axis can become, or stop being, the first of its class: every group of the class may change.
  axes: 'object_class',
};

function ofPlainRow(change: RuleChange, before: RulesetContent, after: RulesetContent): ChangeConstraint[] {
  if (change.component === 'scopes') return [{ ...ANY, scope: change.key }];
  const column = CLASS_COLUMN[change.component];
  if (column === undefined) return [ANY];
  const rows = [before, after].flatMap((content) =>
    rowsOf(content, change.component).filter((row) => keyOf(change.component, row) === change.key),
  );
  return rows.map((row) => {
    const classPattern = row[column];
    return typeof classPattern === 'string' ? { ...ANY, classPattern } : ANY;
  });
}

/** Settings of the gate alone: no verdict depends on them. */
const GATE_SETTINGS = ['gate.mode', 'gate.max_unwatched', 'gate.max_ledger_age'];

/** The reach of each change, before and after combined. */
export function reachOfChanges(
  changes: readonly RuleChange[],
  before: RulesetContent,
  after: RulesetContent,
): ChangeReach[] {
  return changes.map((change) => {
    if (change.of === 'state') return { change, everything: true, constraints: [], unmapped: false };
    if (change.rule !== undefined) return ofRule(change.rule, change, before, after);
    if (change.component === 'settings' && GATE_SETTINGS.includes(change.key))
      return { change, everything: false, constraints: [], unmapped: false };
    const constraints = ofPlainRow(change, before, after);
    const everything = constraints.length === 0 || constraints.some((each) => each === ANY);
    return { change, everything, constraints: everything ? [] : constraints, unmapped: false };
  });
}
