// `gcos upgrade`: applies the migrations of this version.
import type { Command } from 'commander';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';

export function upgradeCommand(): Command {
  return makeCommand(
    'upgrade',
    'apply pending migrations and renew read privileges on host tables, in one transaction',
  )
    .option('--dry-run', 'print the SQL file without running it')
    .action((flags: CommonFlags & { dryRun?: boolean }) =>
      runCommand(flags, async (context) => {
        if (flags.dryRun) {
          const text = await withGcos(context, (gcos) => gcos.upgradeFile());
          context.out.document({ forward: text }, text);
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
