// Owns the readable text of the changes between two rulesets, one line per change.

import type { ComponentName } from '../../host/index.js';
import { canonicalJson, type JsonValue } from '../../kernel/index.js';
import type { FieldChange, RuleChange } from './diff.js';

const NOUNS: Readonly<Record<ComponentName, string>> = {
  detectors: 'detector',
  profiles: 'profile',
  axes: 'axis',
  pivots: 'pivot',
  jurisdictions: 'jurisdiction',
  scopes: 'scope',
  reach: 'reach',
  settings: 'setting',
};

/** Longer values are not shown: a query fills a screen and is not comparable at a glance. */
const LONGEST_SHOWN = 60;

/** A value on one line; an exact number is shown as a plain number. */
function show(value: JsonValue): string {
  if (value === null) return 'nothing';
  if (typeof value === 'string') return value;
  return canonicalJson(value).replaceAll(/\{"\$decimal":"([^"]+)"\}/g, '$1');
}

function fieldText(name: string, { from, to }: FieldChange): string {
  const [before, after] = [show(from), show(to)];
  const long = before.length > LONGEST_SHOWN || after.length > LONGEST_SHOWN;
  return long || name.endsWith('_query') ? `${name} changed` : `${name} ${before} → ${after}`;
}

function reachText(change: RuleChange): string {
  const side = (name: string) => {
    const field = change.fields[name];
    return change.change === 'added' ? field?.to : field?.from;
  };
  const parts = [
    ['scope', side('scope')],
    ['axis family', side('axis_family')],
    ['registry', side('source_registry')],
  ].flatMap(([name, value]) => (typeof value === 'string' ? [`${name} ${value}`] : []));
  const where = parts.length === 0 ? 'everything' : parts.join(', ');
  const verb = change.change === 'added' ? 'now reaches' : 'no longer named as reaching';
  return `${change.rule?.kind} ${change.rule?.code} ${verb} ${where}`;
}

function detectorText(change: RuleChange): string {
  const law = change.rule?.lawCode === undefined ? '' : ` (${change.rule.lawCode})`;
  return `detector ${change.key}${law} ${change.change === 'added' ? 'enabled' : 'disabled'}`;
}

/** The change as one line of text. */
export function changeText(change: RuleChange): string {
  if (change.of === 'state')
    return `component ${change.component} became ${show(change.fields['state']?.to ?? null)}`;
  if (change.component === 'reach' && change.change !== 'changed') return reachText(change);
  if (change.change === 'changed') {
    const fields = Object.entries(change.fields).map(([name, field]) =>
      fieldText(change.component === 'settings' ? 'value' : name, field),
    );
    return `${NOUNS[change.component]} ${change.key}: ${fields.join(', ')}`;
  }
  if (change.component === 'detectors') return detectorText(change);
  return `${NOUNS[change.component]} ${change.key} ${change.change}`;
}
