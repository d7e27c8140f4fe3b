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
  /** What the mutant of the line breaks, as the page says it. */
  readonly mutant: string;
}

const ROW = /^\| (\d\d(?:\.\d\d)?(?: §\d)? #\d) \| (.+?) \| (.+?) \| (.+?) \|$/;

export function readRequirements(): readonly Requirement[] {
  const lines = readFileSync(join(root, 'docs/acceptance.md'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, number, statement, links, mutant] = ROW.exec(line) ?? [];
    if (number === undefined || statement === undefined || links === undefined || mutant === undefined)
      return [];
    const files = [...links.matchAll(/\(\.\.\/([^)]+)\)/g)].map(([, file]) => file ?? '');
    return [{ number, statement, files, mutant }];
  });
}

/**
 * The title of a test names its requirement: `seed 40 §40.10 test 5`, `seed 31 §9 obligation 2`, `seed 34 §4
 * trigger 1`.
 */
export const NAMED = /seed (\d\d) §(\d\d\.\d\d|\d)(?:,? >)? (?:test|obligation|trigger|mode|rule) (\d)/g;

/** The numbers of the requirements that the full name of a test names. */
export function requirementsNamed(fullName: string): readonly string[] {
  return [...fullName.matchAll(NAMED)].map(([, seed, section = '', number]) =>
    section.length === 1 ? `${seed} §${section} #${number}` : `${section} #${number}`,
  );
}

/** What the runner of mutants asks of one run of the tests, in the environment. */
export const LINE = 'GCOS_ACCEPTANCE_LINE';
export const FILE = 'GCOS_ACCEPTANCE_FILE';
export const REPORT = 'GCOS_ACCEPTANCE_REPORT';
