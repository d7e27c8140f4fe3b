// Owns writing output files: all of them or none, and never over an existing file.
import { rmSync, writeFileSync } from 'node:fs';
import { cliErrors } from './errors.js';

export function writeNewFiles(files: readonly (readonly [path: string, text: string])[]): void {
  const written: string[] = [];
  for (const [path, text] of files) {
    try {
      writeFileSync(path, text, { flag: 'wx' });
      written.push(path);
    } catch (cause) {
      for (const each of written) rmSync(each);
      const { code } = cause as NodeJS.ErrnoException;
      const why = code === 'EEXIST' ? 'it already exists' : (cause as Error).message;
      throw cliErrors.file_unwritable(`cannot write \`${path}\`: ${why}`, { cause });
    }
  }
}
