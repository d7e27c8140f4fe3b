// Owns the list of acceptance tests: the table in docs/acceptance.md with the requirement and the files of
// each test, and the form in which the title of a test names its requirement.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export interface Requirement {
  /** For example `40.10 #5`. */
  readonly number: string;
  readonly statement: string;
  /** The files that test it, relative to the root of the project. */
  readonly files: readonly string[];
}

const ROW = /^\| (\d\d(?:\.\d\d)?(?: §9)? #\d) \| (.+?) \| (.+?) \|$/;

export function readRequirements(): readonly Requirement[] {
  const lines = readFileSync(join(root, 'docs/acceptance.md'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, number, statement, files] = ROW.exec(line) ?? [];
    if (number === undefined || statement === undefined || files === undefined) return [];
    return [
      { number, statement, files: [...files.matchAll(/\(\.\.\/([^)]+)\)/g)].map(([, file]) => file ?? '') },
    ];
  });
}

/** The title of a test names its requirement: `seed 40 §40.10 test 5`, `seed 31 §9 obligation 2`. */
export const NAMED = /seed (\d\d) §(\d\d\.\d\d|9)(?:,? >)? (?:test|obligation) (\d)/g;

/** The numbers of the requirements that the full name of a test names. */
export function requirementsNamed(fullName: string): readonly string[] {
  return [...fullName.matchAll(NAMED)].map(([, seed, section, number]) =>
    section === '9' ? `${seed} §9 #${number}` : `${section} #${number}`,
  );
}
