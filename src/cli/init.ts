// `gcos init`: installs the GCOS schema, or writes an SQL file for a DBA to apply.
import type { Command } from 'commander';
import type { InstallResult } from '../index.js';
import {
  type CommonFlags,
  type Context,
  makeCommand,
  type Outcome,
  runCommand,
  withGcos,
} from './command.js';
import { writeNewFiles } from './write-file.js';

interface InitFlags extends CommonFlags {
  readonly dryRun?: boolean;
  readonly output: string;
  readonly with?: readonly string[];
  readonly force?: boolean;
}

const OUTCOMES: Readonly<Record<InstallResult['outcome'], string>> = {
  installed: 'installed',
  adopted: 'already exists, applied from a file: adopted unchanged',
  present: 'already exists: nothing to do',
};

const reverseName = (name: string): string => name.replace(/(\.sql)?$/, '.reverse.sql');

async function dryRun(context: Context, flags: InitFlags): Outcome {
  const names = { forward: flags.output, reverse: reverseName(flags.output) };
  const files = await withGcos(context, async (gcos) => {
    const written = await gcos.initFiles({ with: flags.with ?? [] }, names);
    const { usable, verdict } = await gcos.doctor();
    const creates = flags.with?.includes('host') === true;
    if (!usable && !creates && written !== undefined) context.out.note(`doctor: ${verdict}`);
    return written;
  });
  if (files === undefined) {
    context.out.result({ outcome: 'present' }, () => ['GCOS schema already exists: nothing to write']);
    return undefined;
  }
  if (flags.output === '-') {
    context.out.document({ forward: files.forward, reverse: files.reverse }, files.forward);
    return undefined;
  }
  writeNewFiles([
    [names.forward, files.forward],
    [names.reverse, files.reverse],
  ]);
  context.out.result(names, () => [
    `wrote ${names.forward}, which does what \`gcos init\` would do`,
    `wrote ${names.reverse}, its exact reverse`,
    'nothing was changed in the database',
  ]);
  return undefined;
}

export function initCommand(): Command {
  return makeCommand(
    'init',
    "install the tables and roles of GCOS next to the host's tables, in one transaction",
  )
    .option(
      '--dry-run',
      'change nothing; write a file for psql, and its reverse, for a DBA to review and apply',
    )
    .option('--output <file>', 'with --dry-run: the output file, or - for stdout', 'gcos-init.sql')
    .option(
      '--with <names>',
      'also add tables the host lacks: axes, profiles, ownership, approvals (comma-separated); host: all tables of a host, where there is none',
      (text: string) => text.split(',').map((name) => name.trim()),
    )
    .option('--force', 'install even where `gcos doctor` says "not usable"')
    .action((flags: InitFlags) =>
      runCommand(flags, async (context) => {
        if (flags.dryRun) return dryRun(context, flags);
        const options = { with: flags.with ?? [], force: flags.force === true };
        const { outcome, state } = await withGcos(context, (gcos) => gcos.init(options));
        const at = state.core.at(-1);
        context.out.result({ outcome, migration: at?.id, extensions: state.extensions }, () => [
          `GCOS schema ${OUTCOMES[outcome]} (migration ${at?.id}, applied by ${at?.appliedBy} at ${at?.appliedAt})`,
        ]);
        return undefined;
      }),
    );
}
