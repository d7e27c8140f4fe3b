// `gcos scan`: re-evaluates verdicts that are dirty or expired, or all of them.
import { Command } from 'commander';
import type { Gcos, ScanProgress, ScanReport, ScanStatus } from '../index.js';
import { type CommonFlags, type Context, makeCommand, runCommand, withGcos } from './command.js';
import { ledgerLines } from './ledger.js';
import { alignColumns, formatCount, type Output } from './output.js';
import { choice } from './parse.js';

const MODES = ['event', 'incremental', 'full'] as const;

interface RunFlags extends CommonFlags {
  readonly mode: (typeof MODES)[number];
}

const STEPS: Readonly<Record<ScanProgress['step'], string>> = {
  groups: 'groups evaluated',
  detectors: 'running detectors',
  search: 'searching all births for duplicates and sources',
  reconcile: 'comparing with the independent recount',
  pause: 'paused',
};

/** Whether a full scan is proved and closes; other scans make no such claim. */
export const isScanClosed = ({ proof, ledger }: ScanReport): boolean =>
  proof === null || (proof.closed && ledger?.closes === true);

/** Runs a scan with a progress bar, for `gcos scan run` and `gcos up`. */
export async function scanWithProgress(
  gcos: Gcos,
  { out, signal }: Pick<Context, 'out' | 'signal'>,
  mode: RunFlags['mode'],
): Promise<ScanReport> {
  const progress = out.progress('scan');
  const report = await gcos.scans.run({
    mode,
    signal,
    onProgress: ({ step, done, total, note }) =>
      progress.update(done, total, `${STEPS[step]}${note === undefined ? '' : `: ${note}`}`),
  });
  progress.finish(
    `${formatCount(report.lookedAt)} groups scanned, ${formatCount(report.evaluated)} evaluated, ${formatCount(report.changed)} rows changed`,
  );
  return report;
}

const repairedText = ({ repairedGroups }: NonNullable<ScanReport['proof']>): string =>
  repairedGroups === 0 ? '' : `; ${formatCount(repairedGroups)} groups had to be counted again`;

function reportLines(report: ScanReport, out: Output): string[] {
  const { findings, detectors } = report;
  return [
    `${report.runId}, ${report.mode}, under ruleset ${report.rulesetVersion}, snapshot ${report.snapshotId}`,
    ...(report.widened === null ? [] : [report.widened]),
    ...(report.throttled === null ? [] : [out.tone('warn', `throttled: ${report.throttled}`)]),
    ...alignColumns([
      [
        'groups',
        `${formatCount(report.lookedAt)} scanned, ${formatCount(report.cutOff)} unchanged, ${formatCount(report.evaluated)} evaluated`,
      ],
      ['rows', `${formatCount(report.changed)} with a changed verdict or outcome`],
      ...(report.contradicted === 0
        ? []
        : [
            [
              'contradicted',
              out.tone(
                'bad',
                `${formatCount(report.contradicted)} rows were valid, and no change explains it: \`gcos finding list --type verdict_tampered\``,
              ),
            ],
          ]),
      ...(report.failed === 0
        ? []
        : [
            [
              'failed',
              `${formatCount(report.failed)} inventory groups: the gate blocks them; \`gcos deadletter list\` names them after the last retry`,
            ],
          ]),
      [
        'findings',
        `${formatCount(findings.raised)} raised, ${formatCount(findings.resolved)} resolved, ${formatCount(findings.reopened)} reopened`,
      ],
      ...(report.exceptionsNotNeeded.length === 0
        ? []
        : [['exceptions', `no longer needed: ${report.exceptionsNotNeeded.join(', ')}`]]),
      ...(detectors === null
        ? []
        : [
            [
              'detectors',
              `${formatCount(detectors.passed)} passed, ${formatCount(detectors.violated)} violated, ${formatCount(detectors.notEvaluated)} not evaluated`,
            ],
          ]),
    ]),
    ...(report.proof === null
      ? []
      : [
          report.proof.closed
            ? out.tone('good', `proof: nothing omitted, nothing counted twice${repairedText(report.proof)}`)
            : out.tone('bad', `proof: ${report.proof.mismatchedGroups.length} groups differ`),
        ]),
    ...(report.ledger === null ? [] : ['', ...ledgerLines(report.ledger, out)]),
  ];
}

function run(): Command {
  return makeCommand(
    'run',
    're-evaluate dirty and expired verdicts; `full` re-evaluates everything and closes the ledger; exit 2 if it does not close, or if groups failed or were left to later scans',
  )
    .addOption(
      choice(
        '--mode <mode>',
        'event: newly dirty verdicts; incremental: all dirty and expired verdicts; full: everything',
        MODES,
      ).default('incremental'),
    )
    .action((flags: RunFlags) =>
      runCommand(flags, async (context) => {
        const report = await withGcos(context, (gcos) => scanWithProgress(gcos, context, flags.mode), {
          stopsGracefully: true,
        });
        context.out.result(report, () => reportLines(report, context.out));
        const isComplete = isScanClosed(report) && report.failed === 0 && report.throttled === null;
        return isComplete ? undefined : 2;
      }),
    );
}

function statusLines(status: ScanStatus): string[] {
  return [
    ...alignColumns([
      [
        'waiting',
        `${formatCount(status.groups)} of ${formatCount(status.allGroups)} groups, ${formatCount(status.objects)} object rows`,
      ],
      ['oldest', status.oldest ?? 'none'],
      ['exposure', `${formatCount(Math.round(status.exposure))} (risk × seconds)`],
      ['scanning', status.holder ?? 'no process'],
    ]),
    '',
    ...(status.runs.length === 0
      ? ['no scan yet']
      : alignColumns(
          status.runs.map((each) => [
            each.runId,
            each.mode ?? '',
            each.status,
            each.startedAt,
            each.error ?? '',
          ]),
        )),
  ];
}

function status(): Command {
  return makeCommand('status', 'show the backlog and the latest scans').action((flags: CommonFlags) =>
    runCommand(flags, (context) =>
      withGcos(context, async (gcos) => {
        const found = await gcos.scans.status();
        context.out.result(found, () => statusLines(found));
        return undefined;
      }),
    ),
  );
}

export function scanCommand(): Command {
  return new Command('scan')
    .description('re-evaluate dirty and expired verdicts, or everything')
    .addCommand(run())
    .addCommand(status());
}
