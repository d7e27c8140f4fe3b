// `gcos pause` and `gcos resume`: one row that stops all workers on all machines.
import type { Command } from 'commander';
import type { PauseState } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';

interface ReasonFlags extends CommonFlags {
  readonly reason?: string;
}

export function pauseLine(state: PauseState): string {
  const what = state.paused ? 'all workers are paused' : 'workers may run';
  const since = state.by === undefined ? '' : ` (${state.by}, ${state.at})`;
  return `${what}${since}${state.reason ? `: ${state.reason}` : ''}`;
}

export function pauseCommand(): Command {
  return makeCommand('pause', 'stop all workers at their next transaction; running transactions end normally')
    .option('--reason <text>', 'why; shown in `gcos status`')
    .action((flags: ReasonFlags) =>
      runCommand(flags, async (context) => {
        const state = await withGcos(context, (gcos) => gcos.workers.pause(flags.reason ?? null));
        context.out.result(state, () => [pauseLine(state)]);
        return undefined;
      }),
    );
}

export function resumeCommand(): Command {
  return makeCommand('resume', 'let the workers continue after `gcos pause`')
    .option('--reason <text>', 'why')
    .action((flags: ReasonFlags) =>
      runCommand(flags, async (context) => {
        const state = await withGcos(context, (gcos) => gcos.workers.resume(flags.reason ?? null));
        context.out.result(state, () => [pauseLine(state)]);
        return undefined;
      }),
    );
}
