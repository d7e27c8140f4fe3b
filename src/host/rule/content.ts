// Owns the content of a ruleset, its canonical bytes, and the version derived from them. Only this file
// produces the bytes. INVARIANT: the same rules give the same bytes, independent of order, session and
// server.
import { parseSetting, type Setting } from '../../db/index.js';
import { canonicalJson, domainHash, type JsonValue, plainJson } from '../../kernel/index.js';
import { ruleErrors } from './errors.js';

export const FORMAT = 'gcos-ruleset/1';
export const DEFAULT_FAMILY = 'governance';
const DOMAIN = 'gcos-ruleset';

/** In hash order; each with its source table and the columns that identify a row. */
export const COMPONENTS = {
  detectors: { source: 'measurement_registry', key: ['measurement_id'] },
  profiles: { source: 'coverage_profile', key: ['profile_code'] },
  axes: { source: 'axis_registry', key: ['axis_code'] },
  // Axes and the areas of laws as far as no axis registry names them.
  pivots: { source: 'pivot_definitions', key: ['code'] },
  jurisdictions: { source: 'law_jurisdiction', key: ['law_code', 'domain'] },
  scopes: { source: 'governance_responsibility_scope', key: ['scope_code'] },
  reach: {
    source: 'governance_rule_reach',
    key: ['rule_kind', 'rule_code', 'scope', 'axis_family', 'source_registry'],
  },
  settings: { source: 'governance_setting', key: ['setting_key'] },
} as const;
export type ComponentName = keyof typeof COMPONENTS;
export const COMPONENT_NAMES = Object.keys(COMPONENTS) as readonly ComponentName[];

export type RuleRow = Readonly<Record<string, JsonValue>>;

export type Component =
  | { readonly component: ComponentName; readonly state: 'present'; readonly rows: readonly RuleRow[] }
  /** absent: the host has no such table · unreadable: the table has another shape. Both states are hashed. */
  | { readonly component: ComponentName; readonly state: 'absent' | 'unreadable' };

export interface RulesetContent {
  readonly format: typeof FORMAT;
  readonly family: string;
  readonly components: readonly Component[];
}

export interface EncodedRuleset {
  readonly version: string;
  readonly hash: string;
  /** Canonical JSON; the hash is over its UTF-8 bytes. */
  readonly text: string;
}

/** By bytes, as the server's collation "C" does. */
export function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** The key of a row as one text; null and the empty text differ. */
export function keyOf(component: ComponentName, row: RuleRow): string {
  const parts = COMPONENTS[component].key.map((column) => row[column] ?? null);
  return parts.length === 1 ? String(parts[0]) : canonicalJson(parts);
}

/** The rows of a component; none when it is absent. */
export function rowsOf(content: RulesetContent, component: ComponentName): readonly RuleRow[] {
  const found = content.components.find((each) => each.component === component);
  return found?.state === 'present' ? found.rows : [];
}

/** Whether the rules have this component: false when its table was absent or had another shape. */
export function hasComponent(content: RulesetContent, component: ComponentName): boolean {
  return content.components.some((each) => each.component === component && each.state === 'present');
}

/** A setting of a ruleset; `missing`, by default the declared default, if the ruleset has none. */
export function settingIn<T>(content: RulesetContent, setting: Setting<T>, missing?: T): T {
  const { key, form } = setting;
  const row = rowsOf(content, 'settings').find((each) => each['setting_key'] === key);
  if (row !== undefined)
    return parseSetting({ key: `${key} of the ruleset`, form }, plainJson(row['setting_value'] ?? null));
  return missing === undefined ? parseSetting(setting, setting.default) : missing;
}

function ordered(component: Component): Component {
  if (component.state !== 'present') return { component: component.component, state: component.state };
  const named = component.rows.map((row) => ({ row, key: keyOf(component.component, row) }));
  // Keys of a host may be ambiguous: rows with the same key are ordered by their full content.
  named.sort(
    (left, right) =>
      compareBytes(left.key, right.key) || compareBytes(canonicalJson(left.row), canonicalJson(right.row)),
  );
  return { ...component, rows: named.map(({ row }) => row) };
}

/** The bytes of a content, and its version. */
export function encodeContent(content: RulesetContent): EncodedRuleset {
  const components = COMPONENT_NAMES.map((name) =>
    ordered(
      content.components.find((each) => each.component === name) ?? { component: name, state: 'absent' },
    ),
  );
  const text = canonicalJson({ format: FORMAT, family: content.family, components });
  const hash = hashBytes(text);
  return { version: versionOf(hash), hash, text };
}

export const hashBytes = (bytes: string | Uint8Array): string => domainHash(DOMAIN, bytes);
export const versionOf = (hash: string): string => `gov-rs-${hash.slice(0, 12)}`;

/** The hash of one component, to show which component changed. */
export function hashComponent(component: Component): string {
  return domainHash(`${DOMAIN}-component`, canonicalJson(ordered(component)));
}

/** The content of stored bytes. */
export function decodeContent(version: string, bytes: Uint8Array): RulesetContent {
  const unreadable = (why: string, cause?: unknown) =>
    ruleErrors.ruleset_corrupt(`\`${version}\`: the stored bytes ${why}`, { cause });
  let content: RulesetContent;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as RulesetContent;
  } catch (cause) {
    throw unreadable('are not JSON', cause);
  }
  const complete =
    content?.format === FORMAT &&
    typeof content.family === 'string' &&
    Array.isArray(content.components) &&
    content.components.length === COMPONENT_NAMES.length &&
    content.components.every(
      (each: Component, index) =>
        each?.component === COMPONENT_NAMES[index] &&
        (each.state === 'present'
          ? Array.isArray(each.rows)
          : each.state === 'absent' || each.state === 'unreadable'),
    );
  if (!complete) throw unreadable('are not the content of a ruleset');
  // Bytes in any other form were not written by this file.
  if (encodeContent(content).text !== new TextDecoder().decode(bytes))
    throw unreadable('are not in canonical form');
  return content;
}
