// Owns the severity of a finding: computed from the missing link and the risk class of the subject, within
// the limits of the finding type.
import type { Link, Observation, RiskClass, Severity } from './observation.js';

/** From the least to the most severe. */
const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/** Without one of these links, no authority is accountable for a change. */
const AUTHORITY: ReadonlySet<Link> = new Set(['owner', 'approval', 'rollback', 'dot_authority']);
const CAN_MUTATE: ReadonlySet<RiskClass> = new Set(['write_high', 'write_low']);

export function graver(left: Severity, right: Severity): Severity {
  return SEVERITIES.indexOf(left) >= SEVERITIES.indexOf(right) ? left : right;
}

/** What describes a high-risk object and is missing: one level above the base, but never critical. */
const aboveBase = (base: Severity): Severity =>
  SEVERITIES[Math.min(SEVERITIES.indexOf(base) + 1, SEVERITIES.indexOf('high'))] ?? base;

function unclamped(
  type: { readonly base: Severity; readonly max: Severity },
  link: Link | undefined,
  risk: RiskClass | undefined,
): Severity {
  if (link === undefined) return risk === 'write_high' ? type.max : type.base;
  if (!AUTHORITY.has(link)) return risk === 'write_high' ? aboveBase(type.base) : 'low';
  return risk !== undefined && CAN_MUTATE.has(risk) ? 'critical' : 'high';
}

/** How many times its limit something may be before it is grave. */
const GRAVE_TIMES = 3;

/**
 * The severity of something that is beyond its limit: the highest of its type if it is far beyond, otherwise
 * the lowest.
 */
export function severityBeyond(value: number, limit: number): Pick<Observation, 'severity'> {
  return value > GRAVE_TIMES * limit ? { severity: 'critical' } : { severity: 'low' };
}

export function computeSeverity(
  type: { readonly base: Severity; readonly max: Severity },
  link: Link | undefined,
  risk: RiskClass | undefined,
  given?: Severity,
): Severity {
  const wanted = given ?? unclamped(type, link, risk);
  const rank = Math.min(
    Math.max(SEVERITIES.indexOf(wanted), SEVERITIES.indexOf(type.base)),
    SEVERITIES.indexOf(type.max),
  );
  return SEVERITIES[rank] ?? type.max;
}
