// Owns the list of acceptance tests: the table in docs/acceptance.md, which says of each what it demands and where it is shown; and how
// the tests themselves say which of them they are.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export interface Demand {
  /** Such as `40.10 #5`. */
  readonly number: string;
  readonly statement: string;
  /** The files with tests of it, from the root of the project. */
  readonly files: readonly string[];
}

const ROW = /^\| (\d\d(?:\.\d\d)?(?: §9)? #\d) \| (.+?) \| (.+?) \|$/;

export function readDemands(): readonly Demand[] {
  const lines = readFileSync(join(root, 'docs/acceptance.md'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, number, statement, files] = ROW.exec(line) ?? [];
    if (number === undefined || statement === undefined || files === undefined) return [];
    return [
      { number, statement, files: [...files.matchAll(/\(\.\.\/([^)]+)\)/g)].map(([, file]) => file ?? '') },
    ];
  });
}

/** `seed 40 §40.10 test 5`, `seed 31 §9 obligation 2`: how a test names what it shows. */
export const NAMED = /seed (\d\d) §(\d\d\.\d\d|9)(?:,? >)? (?:test|obligation) (\d)/g;

/** What a test, by its full name, shows. */
export function demandsNamed(fullName: string): readonly string[] {
  return [...fullName.matchAll(NAMED)].map(([, seed, section, number]) =>
    section === '9' ? `${seed} §9 #${number}` : `${section} #${number}`,
  );
}
