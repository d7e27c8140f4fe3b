// `gcos finding list --by-fix` and `gcos finding propose`: fixes ranked by effect, and proposing one. GCOS
// applies nothing.
import type { Command } from 'commander';
import type { FixPage, ProposedRemediation } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { whoText } from './gate-text.js';
import { alignColumns, formatCount, type Output, TITLE, tableLines } from './output.js';
import { given, moreLines } from './page.js';

/** The ranking as a table; --json has the details. */
export function fixLines(page: FixPage, out: Output): string[] {
  const unknown =
    page.notEvaluated === 0
      ? []
      : [
          out.tone(
            'warn',
            `${formatCount(page.notEvaluated)} relevant units, summed over the scopes, have not been evaluated: what they lack is not known`,
          ),
        ];
  if (page.fixes.length === 0) return ['no fix is known', ...unknown];
  const head = ['fix', 'objects', 'alone', 'members', 'findings', 'for', 'what to do'];
  const cells = page.fixes.map((fix) => [
    fix.id,
    formatCount(fix.objects),
    formatCount(fix.alone),
    formatCount(fix.members),
    formatCount(fix.findings.length),
    whoText(fix.who),
    fix.what,
  ]);
  return [
    ...tableLines(head, cells, (line, row) => (row === TITLE ? out.tone('bold', line) : line)),
    `${formatCount(page.fixes.length)} of ${formatCount(page.total)} fixes; alone: of the objects, those that lack nothing else`,
    ...unknown,
    ...moreLines(page.next),
  ];
}

function proposalLines({ code, created, remediation }: ProposedRemediation, dryRun: boolean): string[] {
  const { what, who, objects, members, sample, findingCount: findings } = remediation;
  return [
    what,
    ...alignColumns([
      ['for', whoText(who)],
      ...(objects === null
        ? []
        : [['waiting for it', `${formatCount(objects)} objects, ${formatCount(members ?? 0)} members`]]),
      ['would close', `${formatCount(findings)} findings`],
      ['for example', sample.join(', ')],
    ]),
    created
      ? dryRun
        ? 'nothing was written'
        : `request ${code}: \`gcos request show ${code}\` shows who must approve it; GCOS does not apply it`
      : `request ${code} for the same remedy is still pending`,
  ];
}

export function proposeCommand(): Command {
  return makeCommand('propose', 'request approval of a remediation; GCOS writes only the request')
    .argument('<remedy>', 'the id of a fix, FIX-…, or the code of a finding, GCOS-…')
    .option('--as <name>', 'act for this person; requires a login with that right, recorded as unverified')
    .option('--dry-run', 'show the request without writing it')
    .action((remedy: string, flags: CommonFlags & { as?: string; dryRun?: boolean }) =>
      runCommand(flags, async (context) => {
        const options = given({ as: flags.as, dryRun: flags.dryRun });
        const proposed = await withGcos(context, (gcos) => gcos.fixes.propose(remedy, options));
        context.out.result(proposed, () => proposalLines(proposed, flags.dryRun === true));
        return undefined;
      }),
    );
}
