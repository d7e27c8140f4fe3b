// `gcos backfill`: takes in all births that are older than the installation, and proves that none was left
// out.
import { Command } from 'commander';
import type { BackfillProgress, BackfillReport, BackfillStatus, Gcos, Proof } from '../index.js';
import { type CommonFlags, type Context, makeCommand, runCommand, withGcos } from './command.js';
import { ledgerLines } from './ledger.js';
import { alignColumns, formatCount, type Output } from './output.js';
import { given } from './page.js';
import { whole } from './parse.js';

const SHOWN = 20;

interface RunFlags extends CommonFlags {
  readonly rate?: number;
  readonly parallel?: number;
  readonly now?: boolean;
}

const STEPS: Readonly<Record<BackfillProgress['step'], string>> = {
  snapshot: 'taking the first snapshot',
  search: 'searching all births for duplicates and input problems',
  sweep: 'sweeping',
  reconcile: 'comparing with the independent recount',
  close: 'closing the ledger',
  pause: 'paused',
};

function detailOf({ step, rowsPerSecond, note }: BackfillProgress): string {
  const speed = rowsPerSecond === undefined ? '' : `, ${formatCount(Math.round(rowsPerSecond))} births/s`;
  return `${STEPS[step]}${speed}${note === undefined ? '' : `: ${note}`}`;
}

/** Whether the run is proved and its ledger closes. */
export const isClosed = ({ proof, ledger }: BackfillReport): boolean =>
  proof.closed && ledger?.closes === true;

/** Runs a backfill with a progress bar, for `gcos backfill run` and `gcos up`. */
export async function backfillWithProgress(
  gcos: Gcos,
  { out, signal }: Pick<Context, 'out' | 'signal'>,
  options: { readonly rate?: number; readonly parts?: number; readonly now?: boolean } = {},
): Promise<BackfillReport> {
  const progress = out.progress('backfill');
  const report = await gcos.backfills.run({
    ...options,
    signal,
    onProgress: (each) => progress.update(each.done, each.total, detailOf(each)),
  });
  progress.finish(
    `${formatCount(report.scanned)} births in ${formatCount(report.batches)} batches, ${formatCount(report.groups)} groups, ${
      isClosed(report) ? 'closed' : 'NOT closed'
    }`,
  );
  return report;
}

function proofLines(proof: Proof, out: Output): string[] {
  const groups = proof.mismatchedGroups;
  if (!proof.verified)
    return [
      out.tone(
        'bad',
        'proof: none; the comparison exceeded the time limit of a snapshot, so nothing was verified',
      ),
    ];
  return [
    proof.closed
      ? out.tone(
          'good',
          `proof: nothing omitted, nothing counted twice, in ${formatCount(proof.provedGroups + proof.rebasedGroups)} groups`,
        )
      : out.tone(
          'bad',
          `proof: ${formatCount(proof.omitted)} births omitted, ${formatCount(proof.duplicated)} counted twice, ${groups.length} groups differ`,
        ),
    ...(proof.repairedGroups === 0
      ? []
      : [`${formatCount(proof.repairedGroups)} groups differed and were recomputed`]),
    ...(proof.setAside === 0n
      ? []
      : [
          `${formatCount(proof.setAside)} births could not be taken in: \`gcos deadletter list --from closing_run\``,
        ]),
    ...groups.slice(0, SHOWN).map((key) => `  ${key}`),
    ...(groups.length > SHOWN ? [`  and ${groups.length - SHOWN} more`] : []),
    ...(groups.length > 0 ? ['`gcos explain --group KEY` explains one of them'] : []),
  ];
}

function reportLines(report: BackfillReport, out: Output): string[] {
  return [
    `${report.runId}${report.resumed ? ', resumed' : ''}, under ruleset ${report.rulesetVersion}`,
    ...alignColumns([
      ['snapshots', `${report.snapshotId} at the start, ${report.closingSnapshotId ?? 'none'} at the close`],
      ['births', `${formatCount(report.scanned)} in ${formatCount(report.batches)} batches`],
      [
        'candidate rows',
        `${formatCount(report.candidateRows)} in ${formatCount(report.groups)} groups, ${formatCount(report.changedRows)} changed`,
      ],
      ['objects', `${formatCount(report.objectsMaterialized)} with a row of their own`],
      [
        'failed',
        `${formatCount(report.retrying)} waiting for a retry, ${formatCount(report.deadLettered)} dead letters`,
      ],
    ]),
    ...proofLines(report.proof, out),
    '',
    ...(report.ledger === null
      ? ['no ledger: the comparison exceeded the time limit of a snapshot']
      : ledgerLines(report.ledger, out)),
  ];
}

function run(): Command {
  return makeCommand(
    'run',
    'take in all existing births, or resume an earlier run; exit 2 if the ledger does not close',
  )
    .option('--rate <births per second>', 'maximum rate', whole('--rate', 1, 1_000_000_000))
    .option(
      '--parallel <n>',
      'sweep this many id ranges in parallel (default 2 for a large table)',
      whole('--parallel', 1, 16),
    )
    .option('--now', 'sweep at once, also outside of the window of the setting backfill.pace')
    .action((flags: RunFlags) =>
      runCommand(flags, async (context) => {
        const options = given({ rate: flags.rate, parts: flags.parallel, now: flags.now });
        const report = await withGcos(context, (gcos) => backfillWithProgress(gcos, context, options), {
          stopsGracefully: true,
        });
        context.out.result(report, () => reportLines(report, context.out));
        return isClosed(report) ? undefined : 2;
      }),
    );
}

function statusLines(status: BackfillStatus, out: Output): string[] {
  if (status.phase === null) return ['no backfill has run; `gcos backfill run` starts one'];
  const { run: last } = status;
  return [
    ...alignColumns([
      ['phase', status.phase],
      ['held by', status.holder ?? 'no process'],
      ['swept', `${formatCount(status.swept)} of about ${formatCount(status.births)} births`],
      [
        'failed',
        `${formatCount(status.retrying)} waiting for a retry, ${formatCount(status.deadLettered)} dead letters`,
      ],
      ['last run', last === null ? '-' : `${last.runId}, ${last.status}, started ${last.startedAt}`],
    ]),
    ...(last?.error ? [out.tone('bad', last.error)] : []),
    ...(last?.proof ? proofLines(last.proof, out) : []),
  ];
}

function status(): Command {
  return makeCommand('status', 'show the progress of the backfill and the proof of its last run').action(
    (flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const found = await withGcos(context, (gcos) => gcos.backfills.status());
        context.out.result(found, () => statusLines(found, context.out));
        return undefined;
      }),
  );
}

function verify(): Command {
  return makeCommand(
    'verify',
    'compare the running fingerprints with the births again; exit 2 if they differ',
  ).action((flags: CommonFlags) =>
    runCommand(flags, async (context) => {
      const found = await withGcos(context, (gcos) => gcos.backfills.verify(context.signal), {
        stopsGracefully: true,
      });
      context.out.result(found, () => proofLines(found.proof, context.out));
      return found.proof.closed ? undefined : 2;
    }),
  );
}

export function backfillCommand(): Command {
  const group = new Command('backfill').description(
    'take in all existing births, and prove that none is missing',
  );
  for (const command of [run(), status(), verify()]) group.addCommand(command);
  return group;
}
