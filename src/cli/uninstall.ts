// `gcos uninstall`: the exact reverse of `gcos init`.
import type { Command } from 'commander';
import type { Gcos } from '../index.js';
import { type Context, makeCommand, type Outcome, runCommand, withGcos } from './command.js';
import { type ConfirmFlags, confirm, confirmOption } from './confirm.js';

interface UninstallFlags extends ConfirmFlags {
  readonly dryRun?: boolean;
  readonly dropRows?: boolean;
  readonly purge?: boolean;
}

/** What is lost, besides what `gcos init` can create again. */
function losses({ dropRows, purge }: UninstallFlags): string[] {
  return [
    'Its verdicts, ledgers, approvals, exceptions, decisions of the gate and its log are lost.',
    ...(dropRows ? ['The tables added with `init --with` are lost, with their rows.'] : []),
    purge
      ? 'The rows that GCOS wrote into host tables are deleted, too.'
      : 'The rows that GCOS wrote into host tables stay; --purge deletes them.',
  ];
}

async function uninstall(gcos: Gcos, context: Context, flags: UninstallFlags): Outcome {
  // Everything that would refuse the removal is reported before the question.
  const text = await gcos.uninstallFile(flags);
  if (flags.dryRun) {
    context.out.document({ forward: text }, text);
    return undefined;
  }
  await confirm(context, flags, `remove GCOS from the schema \`${gcos.db.schema}\``, losses(flags));
  await gcos.uninstall(flags);
  context.out.result({ uninstalled: true }, () => [
    flags.purge
      ? "GCOS's schema and the rows it wrote into host tables are removed; the host's own rows were not touched"
      : "GCOS's schema is removed; the host's tables and rows were not touched",
  ]);
  return undefined;
}

export function uninstallCommand(): Command {
  return makeCommand('uninstall', 'remove the tables, roles and privileges of GCOS and restore the host')
    .option('--dry-run', 'print the SQL file without running it')
    .option('--drop-rows', 'also drop tables added with `init --with` that hold rows')
    .option('--purge', 'also delete the rows GCOS wrote into host tables; by default they stay as history')
    .addOption(confirmOption())
    .action((flags: UninstallFlags) =>
      runCommand(flags, (context) => withGcos(context, (gcos) => uninstall(gcos, context, flags))),
    );
}
