// `gcos uninstall`: the exact reverse of `gcos init`.
import type { Command } from 'commander';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';

interface UninstallFlags extends CommonFlags {
  readonly dryRun?: boolean;
  readonly dropRows?: boolean;
  readonly purge?: boolean;
}

export function uninstallCommand(): Command {
  return makeCommand('uninstall', 'remove the tables, roles and privileges of GCOS and restore the host')
    .option('--dry-run', 'print the SQL file without running it')
    .option('--drop-rows', 'also drop tables added with `init --with` that hold rows')
    .option('--purge', 'also delete the rows GCOS wrote into host tables; by default they stay as history')
    .action((flags: UninstallFlags) =>
      runCommand(flags, async (context) => {
        if (flags.dryRun) {
          const text = await withGcos(context, (gcos) => gcos.uninstallFile(flags));
          context.out.document({ forward: text }, text);
          return undefined;
        }
        await withGcos(context, (gcos) => gcos.uninstall(flags));
        context.out.result({ uninstalled: true }, () => [
          flags.purge
            ? "GCOS's schema and the rows it wrote into host tables are removed; the host's own rows were not touched"
            : "GCOS's schema is removed; the host's tables and rows were not touched",
        ]);
        return undefined;
      }),
    );
}
