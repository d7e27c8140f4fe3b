// Owns creating files. A new file never replaces another one, and no write follows a symbolic link: what a
// link in a shared directory points to is not ours. A link in the path above the file is the caller's choice.
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Creates the file, or fails: if anything has that name, even a link to nothing, with EEXIST. */
export function createFile(path: string, text: string, mode = 0o666): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    writeFileSync(file, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Creates the file or replaces it as a whole, so that a reader never sees half of it. A link of that name is
 * replaced; what it points to stays.
 */
export function replaceFile(path: string, text: string, mode = 0o666): void {
  const partial = `${path}.${randomUUID()}`;
  createFile(partial, text, mode);
  try {
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Creates the file if it is missing, for a program that appends to it. Fails with ELOOP if it is a link. */
export function ensureFile(path: string, mode: number): void {
  closeSync(openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode));
}
