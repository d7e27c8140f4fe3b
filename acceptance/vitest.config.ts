// `npm run acceptance`: exactly the acceptance tests that docs/acceptance.md names, and a report of what they saw.
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../vitest.config.js';
import { NAMED, readDemands } from './list.js';

export default mergeConfig(
  base,
  defineConfig({
    test: {
      include: [...new Set(readDemands().flatMap(({ files }) => files))],
      testNamePattern: new RegExp(NAMED.source.replace('(?:,? >)?', '.*')),
      testTimeout: 600_000,
      hookTimeout: 600_000,
      reporters: ['./acceptance/reporter.ts'],
      silent: true,
    },
  }),
);
