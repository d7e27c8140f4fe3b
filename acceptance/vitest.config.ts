// `npm run acceptance` runs exactly the tests that docs/acceptance.md lists, and reports their evidence.
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../vitest.config.js';
import { NAMED, readRequirements } from './list.js';

export default mergeConfig(
  base,
  defineConfig({
    test: {
      include: [...new Set(readRequirements().flatMap(({ files }) => files))],
      testNamePattern: new RegExp(NAMED.source.replace('(?:,? >)?', '.*')),
      testTimeout: 600_000,
      hookTimeout: 600_000,
      reporters: ['./acceptance/reporter.ts'],
      silent: true,
    },
  }),
);
