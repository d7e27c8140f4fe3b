// Owns the difference between two contents, by row and by field. A plan is based on it.

import {
  COMPONENT_NAMES,
  type Component,
  type ComponentName,
  compareBytes,
  keyOf,
  type RuleRow,
  type RulesetContent,
  rowsOf,
} from '../../host/index.js';
import { canonicalJson, type JsonValue } from '../../kernel/index.js';
import type { Rule } from './reach.js';

export interface FieldChange {
  readonly from: JsonValue;
  readonly to: JsonValue;
}

export interface RuleChange {
  readonly component: ComponentName;
  /** The key of the row, or the name of the component when its state changed. */
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** `row`: a row of the component · `state`: the component became present, absent or unreadable. */
  readonly of: 'row' | 'state';
  readonly fields: Readonly<Record<string, FieldChange>>;
  /**
   * The rule whose reach determines the affected groups; for a detector whose law changed, with the new law.
   */
  readonly rule?: Rule;
}

const same = (left: JsonValue, right: JsonValue): boolean => canonicalJson(left) === canonicalJson(right);

function fieldChanges(before: RuleRow | undefined, after: RuleRow | undefined): Record<string, FieldChange> {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const fields: Record<string, FieldChange> = {};
  for (const name of names) {
    const [from, to] = [before?.[name] ?? null, after?.[name] ?? null];
    if (!same(from, to)) fields[name] = { from, to };
  }
  return fields;
}

function ruleOf(component: ComponentName, row: RuleRow): Rule | undefined {
  if (component === 'detectors') {
    const law = row['law_code'];
    return {
      kind: 'measurement',
      code: String(row['measurement_id']),
      ...(typeof law === 'string' ? { lawCode: law } : {}),
    };
  }
  if (component === 'jurisdictions') return { kind: 'law', code: String(row['law_code']) };
  if (component !== 'reach') return undefined;
  return {
    kind: row['rule_kind'] === 'law' ? 'law' : 'measurement',
    code: String(row['rule_code']),
  };
}

/** Rows by key. Keys of a host may be ambiguous: further rows with the same key get a number. */
function indexed(component: ComponentName, rows: readonly RuleRow[]): Map<string, RuleRow> {
  const index = new Map<string, RuleRow>();
  for (const row of rows) {
    const key = keyOf(component, row);
    let name = key;
    for (let n = 2; index.has(name); n += 1) name = `${key} (${n})`;
    index.set(name, row);
  }
  return index;
}

function stateChange(before: Component['state'], after: Component['state'], component: ComponentName) {
  const change: RuleChange = {
    component,
    key: component,
    change: after === 'present' ? 'added' : before === 'present' ? 'removed' : 'changed',
    of: 'state',
    fields: { state: { from: before, to: after } },
  };
  return before === after ? [] : [change];
}

function rowChanges(component: ComponentName, before: RulesetContent, after: RulesetContent): RuleChange[] {
  const old = indexed(component, rowsOf(before, component));
  const now = indexed(component, rowsOf(after, component));
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort(compareBytes);
  return keys.flatMap((key): RuleChange[] => {
    const [from, to] = [old.get(key), now.get(key)];
    const fields = fieldChanges(from, to);
    const row = to ?? from;
    if (row === undefined || (from !== undefined && to !== undefined && Object.keys(fields).length === 0))
      return [];
    const change = from === undefined ? 'added' : to === undefined ? 'removed' : 'changed';
    const rule = ruleOf(component, row);
    return [{ component, key, change, of: 'row', fields, ...(rule === undefined ? {} : { rule }) }];
  });
}

const stateOf = (content: RulesetContent, name: ComponentName): Component['state'] =>
  content.components.find((each) => each.component === name)?.state ?? 'absent';

/** All differences, by component and key. */
export function diffContent(before: RulesetContent, after: RulesetContent): RuleChange[] {
  return COMPONENT_NAMES.flatMap((name) => [
    ...stateChange(stateOf(before, name), stateOf(after, name), name),
    ...rowChanges(name, before, after),
  ]);
}
