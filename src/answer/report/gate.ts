// Owns the results of a check of the gate: one per reason, and one for each question that is allowed.
import { canonicalJson } from '../../kernel/index.js';
import type { GateCheck, GateDecision } from '../gate/index.js';
import { fingerprintOf, type Level, type ReportResult, type ReportSubject } from './report.js';

function subjectOf({ subject }: GateDecision): ReportSubject {
  return 'group' in subject
    ? { name: `group ${subject.group}`, key: subject.group, kind: 'group' }
    : {
        name: `${subject.collection} / ${subject.code}`,
        key: `${subject.collection} / ${subject.code}`,
        kind: 'object',
      };
}

/** A block that is only observed, or overridden by a pass, does not stop a release. */
function levelOf({ answer, mode, breakGlass }: GateDecision): Level {
  if (answer === 'block') return mode === 'observe' ? 'warning' : 'error';
  return breakGlass === null ? 'note' : 'warning';
}

function fixOf({ fixes }: GateDecision): string | null {
  if (fixes.length === 0) return null;
  return fixes
    .map(({ what, who }) => (who.length === 0 ? what : `${who.join(' or ')} can ${what}`))
    .join('; ');
}

export function resultsOfCheck({ decisions }: GateCheck): readonly ReportResult[] {
  return decisions.flatMap((decision): readonly ReportResult[] => {
    const subject = subjectOf(decision);
    const { stage, action } = decision;
    const base = { subjects: [subject], accepted: null };
    if (decision.reasons.length === 0)
      return [
        {
          ...base,
          rule: 'gate',
          level: 'pass',
          message: `${subject.name}: ${decision.answer.replaceAll('_', ' ')} (${stage}, ${action})`,
          fix: null,
          fingerprint: fingerprintOf('gate', canonicalJson({ ...decision.subject }), null),
        },
      ];
    return decision.reasons.map(({ code, scope, sentence }) => ({
      ...base,
      rule: code,
      level: levelOf(decision),
      message: `${subject.name}${scope === null ? '' : ` in scope ${scope}`}: ${sentence} (${stage}, ${action})`,
      fix: fixOf(decision),
      fingerprint: fingerprintOf(code, canonicalJson({ ...decision.subject }), scope),
    }));
  });
}
