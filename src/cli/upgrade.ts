// `gcos upgrade`: applies the migrations this version brings.
import type { Command } from 'commander';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';

export function upgradeCommand(): Command {
  return makeCommand(
    'upgrade',
    'apply pending migrations and renew reading rights on host tables, in one transaction',
  )
    .option('--dry-run', 'change nothing; print the file that would do it')
    .action((flags: CommonFlags & { dryRun?: boolean }) =>
      runCommand(flags, async (context) => {
        if (flags.dryRun) {
          const text = await withGcos(context, (gcos) => gcos.upgradeFile());
          context.out.result({ forward: text }, () => [text]);
          return undefined;
        }
        const applied = await withGcos(context, (gcos) => gcos.upgrade());
        context.out.result({ applied: applied.map(({ id, name }) => ({ id, name })) }, () =>
          applied.length === 0
            ? ['up to date: nothing to apply']
            : applied.map(({ id, name }) => `applied ${id} ${name}`),
        );
        return undefined;
      }),
    );
}
