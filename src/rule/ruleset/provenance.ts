// Owns the readable description stored beside the bytes: the source table and row count of each part, the
// laws that the rules serve, the absent parts, and the rules that reach everything because they have no reach
// rows.
import { z } from 'zod';
import {
  COMPONENT_NAMES,
  COMPONENTS,
  compareBytes,
  hashComponent,
  type RulesetContent,
  rowsOf,
} from '../../host/index.js';
import { detectorRules, reachIn } from './reach.js';

const part = z.object({
  component: z.enum(COMPONENT_NAMES),
  state: z.enum(['present', 'absent', 'unreadable']),
  count: z.int().nonnegative(),
  hash: z.string(),
  source: z.string(),
});

/** The column `components`. */
export const provenanceSchema = z.object({
  parts: z.array(part),
  measurement_ids: z.array(z.string()),
  law_codes: z.array(z.string()),
  absent: z.array(z.string()),
  reach_everything: z.object({
    /** Measurements without reach rows of their own or of their law. */
    unmapped: z.array(z.string()),
    /** Laws of enabled detectors that have no reach row. */
    laws: z.array(z.string()),
  }),
});
export type Provenance = z.infer<typeof provenanceSchema>;

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort(compareBytes);

export function provenanceOf(content: RulesetContent): Provenance {
  const rules = detectorRules(content);
  const laws = distinct(rules.flatMap((rule) => (rule.lawCode === undefined ? [] : [rule.lawCode])));
  const mapped = new Set(
    rowsOf(content, 'reach')
      .filter((row) => row['rule_kind'] === 'law')
      .map((row) => row['rule_code']),
  );
  return {
    parts: content.components.map((each) => ({
      component: each.component,
      state: each.state,
      count: each.state === 'present' ? each.rows.length : 0,
      hash: hashComponent(each),
      source: COMPONENTS[each.component].source,
    })),
    measurement_ids: distinct(rules.map((rule) => rule.code)),
    law_codes: laws,
    absent: content.components.filter((each) => each.state === 'absent').map((each) => each.component),
    reach_everything: {
      unmapped: distinct(
        reachIn(content, rules)
          .filter((each) => each.by === 'none')
          .map((each) => each.rule.code),
      ),
      laws: laws.filter((law) => !mapped.has(law)),
    },
  };
}
