// `gcos finding`: the open findings by severity, the details of one, and fixes ranked by effect.
import { Command } from 'commander';
import type { Finding, FindingFilter, FindingLine, FindingPage, Severity } from '../index.js';
import { SEVERITIES } from '../record/finding/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { fixLines, proposeCommand } from './finding-fix.js';
import { reportedFindings, reportedFixes } from './finding-report.js';
import { alignColumns, formatCount, type Output, TITLE, type Tone, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, parseLimit } from './page.js';
import { choice } from './parse.js';
import { type FormatFlags, formatOption, isReport, printReport, withFormat } from './report.js';

interface ListFlags extends FormatFlags, FindingFilter {
  readonly byFix?: boolean;
  readonly failOn?: Severity;
}

const TONES: Readonly<Record<FindingLine['severity'], Tone>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'dim',
};

function listLines(page: FindingPage, out: Output): string[] {
  if (page.findings.length === 0) return ['no findings'];
  const cells = page.findings.map((finding) => [
    finding.code,
    finding.severity,
    finding.status ?? 'no status',
    finding.type,
    `${formatCount(finding.occurrences)} ×`,
    finding.routes.join(', '),
    finding.subject,
  ]);
  const head = ['code', 'severity', 'status', 'type', 'seen', 'for', 'subject'];
  return [
    ...tableLines(head, cells, (line, row) =>
      out.tone(row === TITLE ? 'bold' : TONES[page.findings[row]?.severity ?? 'low'], line),
    ),
    ...moreLines(page.next),
  ];
}

function showLines(finding: Finding): string[] {
  const notified = finding.notifiedAt === null ? 'not yet' : `last at ${finding.notifiedAt}`;
  return [
    ...alignColumns([
      ['finding', `${finding.code}, ${finding.status ?? 'no status'}, ${finding.severity}`],
      ['type', `${finding.type} (${finding.family}): ${finding.raisedWhen}`],
      ['subject', finding.subject],
      ['subject key', finding.subjectKey],
      ['scope', finding.scope ?? '-'],
      ['entity', `${finding.entityType ?? '-'} ${finding.entityCode ?? '-'}`],
      ['for', finding.routes.join(', ')],
      ['closes when', finding.closedWhen],
      ['seen', `${formatCount(finding.occurrences)} times, ${finding.firstSeenAt} to ${finding.lastSeenAt}`],
      ['reopened', `${formatCount(finding.reopens)} times`],
      ['notified', finding.announced ? notified : `${notified}; its current opening is not announced`],
      ['ruleset', finding.ruleset ?? 'none'],
      ['run', finding.runId ?? '-'],
      ['key', finding.key],
      ['signal', `governance.${finding.eventType}`],
      ['parent', finding.parent ?? 'none'],
      ['children', finding.children.length === 0 ? 'none' : finding.children.join(', ')],
    ]),
    'evidence',
    ...JSON.stringify(finding.evidence, null, 2)
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}

/** Whether a finding is as severe as `least`, or more. */
const isAtLeast = (severity: Severity | undefined, least: Severity | undefined): boolean =>
  severity !== undefined && least !== undefined && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);

function list(): Command {
  return makeCommand('list', 'list the open findings, most severe first')
    .option('--type <name>', 'only of this type, for example owner_gap')
    .option('--scope <code>', 'only in this responsibility scope')
    .addOption(choice('--severity <level>', 'only of this severity', SEVERITIES))
    .option('--owner <code>', 'only those routed to this body, a code of governance_registry')
    .option('--all', 'include closed findings')
    .addOption(
      choice(
        '--fail-on <level>',
        'exit 2 if a finding that the filter selects is this severe or more, on whichever page it is',
        SEVERITIES,
      ),
    )
    .option('--by-fix', 'list fixes instead, ranked by the number of objects that wait for them')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <code>', 'continue after this finding or fix')
    .addOption(formatOption())
    .action((flags: ListFlags) =>
      runCommand(withFormat(flags), async (context) => {
        const { type, scope, severity, owner, all, limit, after } = flags;
        if (flags.byFix) {
          if (type !== undefined || severity !== undefined || all || flags.failOn !== undefined)
            throw cliErrors.usage_invalid('--by-fix can be combined only with --scope and --owner');
          if (isReport(flags)) {
            const results = await withGcos(context, (gcos) => reportedFixes(gcos, given({ scope, owner })));
            printReport(context, flags, { title: 'gcos finding list --by-fix', results });
            return undefined;
          }
          const fixes = await withGcos(context, (gcos) =>
            gcos.fixes.list(given({ scope, owner, limit, after })),
          );
          context.out.result(fixes, () => fixLines(fixes, context.out));
          return undefined;
        }
        const chosen = given({ type, scope, severity, owner, all });
        if (isReport(flags)) {
          const { results, gravest } = await withGcos(context, (gcos) => reportedFindings(gcos, chosen));
          printReport(context, flags, { title: 'gcos finding list', results });
          return isAtLeast(gravest, flags.failOn) ? 2 : undefined;
        }
        const filter = { ...chosen, ...given({ limit, after }) };
        const { page, gravest } = await withGcos(context, async (gcos) => ({
          page: await gcos.findings.list(filter),
          // The list is ordered by severity: the first one of all pages is the gravest.
          gravest: (await gcos.findings.list({ ...chosen, limit: 1 })).findings[0]?.severity,
        }));
        context.out.result(page, () => listLines(page, context.out));
        return isAtLeast(gravest, flags.failOn) ? 2 : undefined;
      }),
    );
}

function show(): Command {
  return makeCommand('show', 'show one finding: evidence, parent, children and history')
    .argument('<code>', 'the code of the finding, GCOS-…')
    .action((code: string, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const finding = await withGcos(context, (gcos) => gcos.findings.show(code));
        context.out.result(finding, () => showLines(finding));
        return undefined;
      }),
    );
}

export function findingCommand(): Command {
  const group = new Command('finding').description('the open problems, one per cause');
  for (const command of [list(), show(), proposeCommand()]) group.addCommand(command);
  return group;
}
