// Owns the results of what GCOS knows: fixes, findings, exceptions in force.
import { canonicalJson } from '../../kernel/index.js';
import type { FindingLine, Severity } from '../../record/finding/index.js';
import { type Exception, subjectText } from '../../rule/exception/index.js';
import type { Fix } from '../fix/index.js';
import { fingerprintOf, type Level, type ReportResult } from './report.js';

const LEVEL_OF: Readonly<Record<Severity, Level>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
};

/** With the actor first: `THE-BODY can give … an approval path`. */
const actText = ({ what, who }: Pick<Fix, 'what' | 'who'>): string =>
  `${who.length === 0 ? 'an authorized person' : who.join(' or ')} can ${what}`;

/** One result per fix. A fix without an open finding is a warning: its gap may be too new for one. */
export function resultsOfFixes(fixes: readonly Fix[]): readonly ReportResult[] {
  return fixes.map((fix) => ({
    rule: fix.action,
    level: fix.severity === null ? 'warning' : LEVEL_OF[fix.severity],
    message: `${fix.objects} ${fix.objects === 1 ? 'unit waits' : 'units wait'} for it: ${fix.what}`,
    fix: actText(fix),
    subjects: [
      {
        name: `${fix.subject.kind} ${fix.subject.ref}${fix.scope === null ? '' : ` in scope ${fix.scope}`}`,
        key:
          fix.subject.collection === null
            ? fix.subject.ref
            : `${fix.subject.collection} / ${fix.subject.ref}`,
        kind: fix.subject.kind,
      },
    ],
    fingerprint: fix.id,
    accepted: null,
  }));
}

/** One result per finding, with the fix that would close it. */
export function resultsOfFindings(
  findings: readonly FindingLine[],
  fixes: readonly Fix[],
): readonly ReportResult[] {
  const closing = new Map(fixes.flatMap((fix) => fix.findings.map((code) => [code, fix] as const)));
  return findings.map((finding) => {
    const fix = closing.get(finding.code);
    return {
      rule: finding.type,
      level: LEVEL_OF[finding.severity],
      message: `${finding.code}, ${finding.severity}: ${finding.type.replaceAll('_', ' ')}, ${finding.subject}`,
      fix: fix === undefined ? null : actText(fix),
      subjects: [{ name: finding.subject, key: finding.subjectKey, kind: 'finding subject' }],
      fingerprint: finding.code,
      accepted: null,
    };
  });
}

/** One accepted result per exception in force. */
export function resultsOfExceptions(exceptions: readonly Exception[]): readonly ReportResult[] {
  return exceptions
    .filter((each) => each.status === 'in_force')
    .map((each) => {
      const name = subjectText(each.subject);
      return {
        rule: 'accepted_gap',
        level: 'warning' as const,
        message: `${each.link === null ? 'every required link' : `the link ${each.link}`} of ${name} may be missing in scope ${each.scope}`,
        fix: null,
        subjects: [{ name: `${name} in scope ${each.scope}`, key: name, kind: each.subject.kind }],
        // Another exception of the same subject, scope and link is about the same gap.
        fingerprint: fingerprintOf('accepted_gap', canonicalJson({ ...each.subject }), each.scope, each.link),
        accepted: { by: each.code, reason: each.reason, until: each.expiresAt },
      };
    });
}
