// Owns the reach of rules. The rows of a measurement decide, otherwise those of its law; a rule without rows
// reaches everything. A plan uses the old and the new reach of each change.

import { type RuleRow, type RulesetContent, rowsOf } from '../../host/index.js';
import type { JsonValue } from '../../kernel/index.js';

export interface Rule {
  readonly kind: 'law' | 'measurement';
  readonly code: string;
  /** For a measurement: the law it serves. */
  readonly lawCode?: string;
}

/** Null: any. */
export interface ReachConstraint {
  readonly scope: string | null;
  readonly axisFamily: string | null;
  readonly sourceRegistry: string | null;
}

export interface RuleReach {
  readonly rule: Rule;
  /** Whose rows decide; `none`: the rule has no rows. */
  readonly by: 'measurement' | 'law' | 'none';
  readonly everything: boolean;
  /** A group that matches one of these is reached; empty when everything is reached. */
  readonly constraints: readonly ReachConstraint[];
}

const text = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);

function reachFrom(rows: readonly RuleRow[], rules: readonly Rule[]): RuleReach[] {
  const byRule = new Map<string, ReachConstraint[]>();
  const keyOf = (kind: string, code: string) => JSON.stringify([kind, code]);
  for (const row of rows) {
    const key = keyOf(String(row['rule_kind']), String(row['rule_code']));
    const constraint = {
      scope: text(row['scope']),
      axisFamily: text(row['axis_family']),
      sourceRegistry: text(row['source_registry']),
    };
    byRule.set(key, [...(byRule.get(key) ?? []), constraint]);
  }
  return rules.map((rule) => {
    const own = byRule.get(keyOf(rule.kind, rule.code));
    const ofLaw = rule.lawCode === undefined ? undefined : byRule.get(keyOf('law', rule.lawCode));
    const found = own ?? ofLaw ?? [];
    const any = found.some(
      (each) => each.scope === null && each.axisFamily === null && each.sourceRegistry === null,
    );
    const everything = found.length === 0 || any;
    return {
      rule,
      by: own !== undefined ? rule.kind : ofLaw !== undefined ? 'law' : 'none',
      everything,
      constraints: everything ? [] : found,
    };
  });
}

/** The reach of rules in a ruleset. */
export function reachIn(content: RulesetContent, rules: readonly Rule[]): RuleReach[] {
  return reachFrom(rowsOf(content, 'reach'), rules);
}

/** The detectors of a content as rules. */
export function detectorRules(content: RulesetContent): Rule[] {
  return rowsOf(content, 'detectors').map((row) => {
    const lawCode = text(row['law_code']);
    return {
      kind: 'measurement',
      code: String(row['measurement_id']),
      ...(lawCode === null ? {} : { lawCode }),
    };
  });
}
