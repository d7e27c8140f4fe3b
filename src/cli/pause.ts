// `gcos pause` and `gcos resume`: one row that stops all workers on all machines.
import type { Command } from 'commander';
import type { PauseAct, PauseState } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { words } from './parse.js';

interface ReasonFlags extends CommonFlags {
  readonly reason?: string;
}

const actOf = (verb: string, act: PauseAct): string =>
  `${verb} by ${act.by}, ${act.at}${act.reason ? `: ${act.reason}` : ''}`;

export function pauseLines({ paused, pause, resume }: PauseState): string[] {
  return [
    paused ? 'all workers are paused; the gate blocks high risk' : 'workers may run',
    ...(pause === null ? [] : [`  ${actOf('paused', pause)}`]),
    ...(resume === null ? [] : [`  ${actOf('resumed', resume)}`]),
  ];
}

export function pauseCommand(): Command {
  return makeCommand('pause', 'stop all workers at their next transaction; running transactions end normally')
    .requiredOption('--reason <text>', 'why; shown in `gcos status` and audited', words('--reason'))
    .action((flags: CommonFlags & { readonly reason: string }) =>
      runCommand(flags, async (context) => {
        const state = await withGcos(context, (gcos) => gcos.workers.pause(flags.reason));
        context.out.result(state, () => pauseLines(state));
        return undefined;
      }),
    );
}

export function resumeCommand(): Command {
  return makeCommand('resume', 'let the workers continue after `gcos pause`')
    .option('--reason <text>', 'why; audited', words('--reason'))
    .action((flags: ReasonFlags) =>
      runCommand(flags, async (context) => {
        const state = await withGcos(context, (gcos) => gcos.workers.resume(flags.reason ?? null));
        context.out.result(state, () => pauseLines(state));
        return undefined;
      }),
    );
}
