// Owns the severity of a finding: computed from the missing link and the risk class of the subject, within
// the limits of the finding type.
import type { Link, RiskClass, Severity } from './observation.js';

/** From the least to the most severe. */
const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/** Without one of these links, no authority is accountable for a change. */
const AUTHORITY: ReadonlySet<Link> = new Set(['owner', 'approval', 'rollback', 'dot_authority']);
const CAN_MUTATE: ReadonlySet<RiskClass> = new Set(['write_high', 'write_low']);

export function graver(left: Severity, right: Severity): Severity {
  return SEVERITIES.indexOf(left) >= SEVERITIES.indexOf(right) ? left : right;
}

function unclamped(
  type: { readonly base: Severity; readonly max: Severity },
  link: Link | undefined,
  risk: RiskClass | undefined,
): Severity {
  if (link === undefined) return risk === 'write_high' ? type.max : type.base;
  if (!AUTHORITY.has(link)) return 'low';
  return risk !== undefined && CAN_MUTATE.has(risk) ? 'critical' : 'high';
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
