// Owns writing a file for a DBA: never over an existing one.
import { writeFileSync } from 'node:fs';
import { cliErrors } from './errors.js';

export function writeNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it exists already' : (cause as Error).message;
    throw cliErrors.file_unwritable(`cannot write \`${path}\`: ${why}`, { cause });
  }
}
