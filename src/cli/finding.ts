// `gcos finding`: the open findings by severity, the details of one, and fixes ranked by effect.
import { Command } from 'commander';
import type { Finding, FindingFilter, FindingLine, FindingPage } from '../index.js';
import { SEVERITIES } from '../record/finding/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { fixLines, proposeCommand } from './finding-fix.js';
import { alignColumns, formatCount, type Output, type Tone } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, parseLimit } from './page.js';
import { choice } from './parse.js';

interface ListFlags extends CommonFlags, FindingFilter {
  readonly byFix?: boolean;
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
  const [title = '', ...lines] = alignColumns([head, ...cells]);
  return [
    out.tone('bold', title),
    ...lines.map((line, index) => out.tone(TONES[page.findings[index]?.severity ?? 'low'], line)),
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

function list(): Command {
  return makeCommand('list', 'list the open findings, most severe first')
    .option('--type <name>', 'only of this type, for example owner_gap')
    .option('--scope <code>', 'only in this responsibility scope')
    .addOption(
      choice('--severity <level>', 'only of this severity', SEVERITIES),
    )
    .option('--owner <code>', 'only those routed to this body, a code of governance_registry')
    .option('--all', 'include closed findings')
    .option('--by-fix', 'list fixes instead, ranked by the number of objects that wait for them')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <code>', 'continue after this finding or fix')
    .action((flags: ListFlags) =>
      runCommand(flags, async (context) => {
        const { type, scope, severity, owner, all, limit, after } = flags;
        if (flags.byFix) {
          if (type !== undefined || severity !== undefined || all)
            throw cliErrors.usage_invalid('--by-fix can be combined only with --scope and --owner');
          const fixes = await withGcos(context, (gcos) =>
            gcos.fixes.list(given({ scope, owner, limit, after })),
          );
          context.out.result(fixes, () => fixLines(fixes, context.out));
          return undefined;
        }
        const filter = given({ type, scope, severity, owner, all, limit, after });
        const page = await withGcos(context, (gcos) => gcos.findings.list(filter));
        context.out.result(page, () => listLines(page, context.out));
        return undefined;
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
