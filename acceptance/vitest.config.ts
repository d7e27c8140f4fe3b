// Owns which tests `npm run acceptance` runs: exactly those that docs/acceptance.md lists, with a report of
// their evidence. For a mutant: those of one line in one file.
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../vitest.config.js';
import { FILE, LINE, NAMED, readRequirements } from './list.js';

const { [LINE]: line, [FILE]: file } = process.env;

/** The titles of all acceptance tests, or of those that name the number of `line`. */
function titles(): RegExp {
  const [, seed, section, index] = /^(\d\d)(?:\.\d\d)?(?: §(\d))? #(\d)$/.exec(line ?? '') ?? [];
  if (line === undefined) return new RegExp(NAMED.source.replace('(?:,? >)?', '[ ,>]*'));
  const place = section ?? line.split(' ')[0]?.replace('.', '\\.');
  return new RegExp(`seed ${seed} §${place}[ ,>]*(?:test|obligation|trigger|mode|rule) ${index}\\b`);
}

const included = file === undefined ? readRequirements().flatMap(({ files }) => files) : [file];

export default mergeConfig(
  // Lists are joined, and the suite includes every file.
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      include: [...new Set(included)],
      testNamePattern: titles(),
      testTimeout: 600_000,
      hookTimeout: 600_000,
      reporters: [line === undefined ? './acceptance/reporter.ts' : './acceptance/mutant-reporter.ts'],
      silent: true,
    },
  }),
);
