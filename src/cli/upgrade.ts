// `gcos upgrade`: applies the migrations of this version.
import type { Command } from 'commander';
import type { UpgradeResult } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';

/** `select on \`law_catalog\` to gcos_api, gcos_worker`: one line per privilege. */
function grantLines(granted: UpgradeResult['granted']): string[] {
  const roles = new Map<string, string[]>();
  for (const { relation, privilege, grantee } of granted) {
    const key = `${privilege} on ${relation === '' ? 'the schema' : `\`${relation}\``}`;
    roles.set(key, [...(roles.get(key) ?? []), grantee]);
  }
  return [...roles].map(([key, grantees]) => `granted ${key} to ${grantees.join(', ')}`);
}

function upgradeLines({ applied, granted, rows }: UpgradeResult): string[] {
  const lines = [
    ...applied.map(({ id, name }) => `applied ${id} ${name}`),
    ...grantLines(granted),
    ...rows.map(({ table, before, after }) =>
      before === null
        ? `filled \`${table}\`: ${after} rows`
        : `renewed \`${table}\` from the host: ${before} rows before, ${after} now`,
    ),
  ];
  return lines.length === 0 ? ['up to date: nothing was applied, granted or changed'] : lines;
}

export function upgradeCommand(): Command {
  return makeCommand(
    'upgrade',
    'apply pending migrations, grant missing privileges on host tables and renew what follows from the host, in one transaction',
  )
    .option('--dry-run', 'print the SQL file without running it')
    .action((flags: CommonFlags & { dryRun?: boolean }) =>
      runCommand(flags, async (context) => {
        if (flags.dryRun) {
          const text = await withGcos(context, (gcos) => gcos.upgradeFile());
          context.out.document({ forward: text }, text);
          return undefined;
        }
        const { applied, granted, rows } = await withGcos(context, (gcos) => gcos.upgrade());
        const result = { applied: applied.map(({ id, name }) => ({ id, name })), granted, rows };
        context.out.result(result, () => upgradeLines({ applied, granted, rows }));
        return undefined;
      }),
    );
}
