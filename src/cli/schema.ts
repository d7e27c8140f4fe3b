// `gcos schema dump`: prints the schema as comparable text.
import { Command } from 'commander';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';

function dump(): Command {
  return makeCommand(
    'dump',
    'print tables, columns, constraints, indexes, functions and privileges as ordered text',
  ).action((flags: CommonFlags) =>
    runCommand(flags, async (context) => {
      const text = await withGcos(context, (gcos) => gcos.dumpSchema());
      context.out.document({ dump: text }, text);
      return undefined;
    }),
  );
}

export function schemaCommand(): Command {
  return new Command('schema').description('the schema of the database').addCommand(dump());
}
