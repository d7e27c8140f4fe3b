// `gcos ledger export`: writes the last closed ledger as files that an auditor checks with psql and
// sha256sum.
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { LedgerExport } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { alignColumns, formatCount } from './output.js';
import { writeNewFiles } from './write-file.js';

/**
 * Creates the directory, before any work: a place that cannot be written is reported at once. Fails if it is
 * not empty, or a link. Returns how to remove what was created.
 */
function makeEmptyDirectory(path: string): () => void {
  try {
    const first = mkdirSync(path, { recursive: true });
    // `resolve` drops a slash at the end, with which the check would follow the link.
    if (!lstatSync(resolve(path)).isDirectory()) throw new Error('it is a symbolic link');
    accessSync(path, constants.W_OK | constants.X_OK);
    if (readdirSync(path).length === 0)
      return () => first !== undefined && rmSync(first, { recursive: true });
  } catch (cause) {
    throw cliErrors.file_unwritable(`cannot write to \`${path}\`: ${(cause as Error).message}`, {
      cause,
      help: 'choose another directory with --out',
    });
  }
  throw cliErrors.file_unwritable(`\`${path}\` is not empty`, {
    help: 'choose another directory with --out; an export never overwrites files',
  });
}

const sizeOf = (text: string): string => `${formatCount(Buffer.byteLength(text, 'utf8'))} bytes`;

function exportLines(exported: LedgerExport, out: string): string[] {
  return [
    `the ledger of ${exported.runId}, closed at ${exported.closedAt}, in ${out}`,
    ...alignColumns(exported.files.map(({ name, about, text }) => [`  ${name}`, sizeOf(text), about])),
    `README.txt explains how to check it without GCOS`,
  ];
}

export function exportCommand(): Command {
  return makeCommand(
    'export',
    'write the last closed ledger, and SQL that checks it without GCOS, to a directory',
  )
    .option('--out <dir>', 'the directory; must be empty or not exist yet', 'gcos-ledger')
    .action((flags: CommonFlags & { out: string }) =>
      runCommand(flags, async (context) => {
        const remove = makeEmptyDirectory(flags.out);
        const exported = await withGcos(context, async (gcos) => {
          const files = await gcos.ledgers.export();
          writeNewFiles(files.files.map(({ name, text }) => [join(flags.out, name), text]));
          return files;
        }).catch((error: unknown) => {
          remove();
          throw error;
        });
        const { files, ...facts } = exported;
        context.out.result({ ...facts, out: flags.out, files: files.map(({ name }) => name) }, () =>
          exportLines(exported, flags.out),
        );
        return undefined;
      }),
    );
}
