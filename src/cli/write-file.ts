// Owns writing output files: all of them or none, and never over an existing file.
import { rmSync } from 'node:fs';
import { createFile } from '../kernel/index.js';
import { cliErrors } from './errors.js';

export function writeNewFiles(files: readonly (readonly [path: string, text: string])[]): void {
  const written: string[] = [];
  for (const [path, text] of files) {
    try {
      createFile(path, text);
      written.push(path);
    } catch (cause) {
      for (const each of written) rmSync(each);
      const { code } = cause as NodeJS.ErrnoException;
      const why = code === 'EEXIST' ? 'it already exists' : (cause as Error).message;
      throw cliErrors.file_unwritable(`cannot write \`${path}\`: ${why}`, { cause });
    }
  }
}
