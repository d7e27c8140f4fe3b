// `gcos intake`: takes in host changes and marks the affected groups.
import { Command } from 'commander';
import type { Gcos, IntakeRun, IntakeStatus, Replay } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, formatCount, type Output, printWarning, tableLines } from './output.js';
import { idOf, time } from './parse.js';

interface RunFlags extends CommonFlags {
  readonly once?: boolean;
}

interface ReplayFlags extends CommonFlags {
  readonly from: ReturnType<typeof parseFrom>;
  readonly dryRun?: boolean;
}

function runLines(run: IntakeRun): string[] {
  const { applied } = run;
  const kinds = Object.entries(applied.byKind).map(([kind, count]) => `${kind} ${formatCount(count)}`);
  return [
    ...alignColumns([
      ['rounds', `${formatCount(run.rounds)} in ${(run.elapsedMs / 1_000).toFixed(1)} s`],
      [
        'seen',
        `${formatCount(run.births)} births, ${formatCount(run.lines)} log lines, ${formatCount(run.registryRows)} registry rows; written by GCOS itself, without effect: ${formatCount(run.own)}`,
      ],
      ['kinds', kinds.length === 0 ? 'nothing changed' : kinds.join(', ')],
      [
        'marked',
        `${formatCount(applied.dirtied)} groups and ${formatCount(applied.objects)} objects that were clean before`,
      ],
      [
        'signals',
        `${formatCount(applied.signals.emitted)} emitted, ${formatCount(applied.signals.held)} held, ${formatCount(applied.signals.repeated)} announced before`,
      ],
      ['removed', `${formatCount(run.tombstones)} objects`],
      ['failed', `${formatCount(run.setAside)} set aside: \`gcos deadletter list --from intake\``],
    ]),
    ...run.rebased.map((each) => `reset: ${each}`),
  ];
}

function run(): Command {
  return makeCommand('run', 'take in host changes until stopped; `gcos worker run` includes this')
    .option('--once', 'take in the current changes, then exit')
    .action((flags: RunFlags) =>
      runCommand(
        flags,
        async (context) => {
          const { signal, out } = context;
          const work = (gcos: Gcos) =>
            flags.once
              ? gcos.intakes.once({ signal })
              : gcos.intakes.run({
                  signal,
                  onError: (error) => printWarning(error instanceof Error ? error.message : String(error)),
                });
          const report = await withGcos(context, work, { stopsGracefully: true });
          out.result(report, () => runLines(report));
          return undefined;
        },
        flags.once ? {} : { stopIsSuccess: true },
      ),
    );
}

function statusLines(status: IntakeStatus, out: Output): string[] {
  const { tail } = status;
  return [
    ...(status.notYet === null ? [] : [out.tone('bad', `cannot run yet: ${status.notYet}`)]),
    ...alignColumns([
      ['held by', status.holder ?? 'no process'],
      [
        'births',
        tail === null
          ? 'not started'
          : `up to id ${tail.maxId ?? '-'}, horizon ${formatCount(tail.horizonAge)} transactions and ${Math.round(tail.horizonSeconds)} s old, ${formatCount(tail.seenSize)} remembered`,
      ],
      [
        'waiting',
        `${formatCount(status.dirtyGroups)} groups and ${formatCount(status.dirtyObjects)} objects to re-evaluate`,
      ],
      [
        'failed',
        `${formatCount(status.retrying)} waiting for a retry, ${formatCount(status.deadLettered)} dead letters`,
      ],
    ]),
    ...(status.cursors.length === 0
      ? []
      : [
          '',
          ...tableLines(
            ['CURSOR', 'SEEN', 'LAST RUN', 'LAST ROUND'],
            status.cursors.map((cursor) => [
              cursor.round,
              formatCount(cursor.eventsSeen),
              cursor.lastRunAt ?? '-',
              JSON.stringify(cursor.lastRunSummary),
            ]),
          ),
        ]),
  ];
}

function status(): Command {
  return makeCommand('status', 'show the progress and the backlog of the intake').action(
    (flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const found = await withGcos(context, (gcos) => gcos.intakes.status());
        context.out.result(found, () => statusLines(found, context.out));
        return undefined;
      }),
  );
}

/** An id, or a time with its zone. */
function parseFrom(text: string): { readonly id: bigint } | { readonly at: string } {
  return /^[-+]?\d+$/.test(text) ? { id: idOf('--from')(text) } : { at: time('--from')(text) };
}

function replayLines(done: Replay, dryRun: boolean): string[] {
  const { applied } = done;
  return [
    `${dryRun ? 'would replay' : 'replayed'} ${formatCount(done.groups)} groups and ${formatCount(done.lines)} log lines`,
    `${dryRun ? 'would mark' : 'marked'} ${formatCount(applied.dirtied)} groups and ${formatCount(applied.objects)} objects that were clean before; no signal is repeated`,
  ];
}

function replay(): Command {
  return makeCommand('replay', 'replay changes that were taken in: repeats marks, but no signals')
    .requiredOption('--from <id or time>', 'from the birth with this id on, or from this time on', parseFrom)
    .option('--dry-run', 'show what would be marked without marking it')
    .action((flags: ReplayFlags) =>
      runCommand(flags, async (context) => {
        const { from } = flags;
        const dryRun = flags.dryRun === true;
        const done = await withGcos(
          context,
          (gcos) => gcos.intakes.replay(from, { signal: context.signal, dryRun }),
          { stopsGracefully: true },
        );
        context.out.result({ ...done, dryRun }, () => replayLines(done, dryRun));
        return undefined;
      }),
    );
}

export function intakeCommand(): Command {
  const group = new Command('intake').description('take in host changes and mark the affected groups');
  for (const command of [run(), status(), replay()]) group.addCommand(command);
  return group;
}
