// `gcos status`: the answers to the three questions on one screen.
import type { Command } from 'commander';
import type { Status } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { formatCount, type Output } from './output.js';
import { pauseLines } from './pause.js';

/** The basis of the answers: a snapshot of the inventory and the active ruleset. */
function groundLines({ snapshot, ruleset }: Status, out: Output): string[] {
  if (ruleset === null) return [];
  const seen = snapshot === null ? 'no snapshot yet' : `snapshot ${snapshot.id} of ${snapshot.at}`;
  const rules =
    ruleset.active === null
      ? 'no ruleset in force'
      : `ruleset ${ruleset.active} in force${ruleset.selfApproved === true ? ' (self-approved)' : ''}`;
  const drift = ruleset.drifted
    ? [
        out.tone(
          'warn',
          `the rules in the tables differ from the active ruleset (${formatCount(ruleset.changes)} ${ruleset.changes === 1 ? 'change' : 'changes'}, now ${ruleset.current})`,
        ),
        '`gcos ruleset diff active current` shows the changes, `gcos ruleset propose` requests their approval',
      ]
    : [];
  return [`${seen}; ${rules}`, ...drift];
}

function exceptionLines({ exceptions }: Status): string[] {
  if (exceptions === null || exceptions.inForce + exceptions.waiting === 0) return [];
  const { inForce, notNeeded: unneeded, waiting } = exceptions;
  return [
    [
      `${formatCount(inForce)} ${inForce === 1 ? 'exception' : 'exceptions'} in force`,
      ...(unneeded.length === 0 ? [] : [`no longer needed: ${unneeded.join(', ')}`]),
      ...(waiting === 0 ? [] : [`${formatCount(waiting)} waiting for approval`]),
    ].join('; '),
  ];
}

export function statusLines(status: Status, out: Output): string[] {
  const tones = { yes: 'good', no: 'bad', unknown: 'warn' } as const;
  const scale =
    status.inventory === 'absent'
      ? 'no inventory'
      : status.births === null
        ? 'births unknown: the server has no statistics of birth_registry yet'
        : `about ${formatCount(status.births)} births`;
  const schema =
    status.schema === 'absent'
      ? 'GCOS not installed'
      : `GCOS schema ${status.schema}, migration ${status.migration}`;
  const answers = [status.accounted, status.current, status.production].flatMap((each, index) => [
    '',
    `${index + 1}. ${each.question}  ${out.tone(tones[each.answer], each.answer)}`,
    `   ${each.why}`,
  ]);
  const paused = status.workers?.paused
    ? [
        ...pauseLines(status.workers).map((line) => out.tone('warn', line)),
        '`gcos resume` lets them continue',
      ]
    : [];
  const observed = status.observing.map((each) =>
    out.tone(
      'warn',
      `the gate only observes at stage ${each.stage}: it enforces no block, and would have blocked ${formatCount(each.wouldHaveBlocked)} so far`,
    ),
  );
  return [
    `${scale}; ${schema}`,
    ...groundLines(status, out),
    ...exceptionLines(status),
    ...observed,
    ...paused,
    ...answers,
  ];
}

export function statusCommand(): Command {
  return makeCommand(
    'status',
    'answer the three questions: is every object accounted for, is that still true, may it go to production?',
  )
    .option('--exit-code', 'exit 2 unless all three answers are yes: no and unknown both count as no')
    .action((flags: CommonFlags & { exitCode?: boolean }) =>
      runCommand(flags, async (context) => {
        const status = await withGcos(context, (gcos) => gcos.status());
        context.out.result(status, () => statusLines(status, context.out));
        const { accounted, current, production } = status;
        const isFine = [accounted, current, production].every(({ answer }) => answer === 'yes');
        return flags.exitCode !== true || isFine ? undefined : 2;
      }),
    );
}
