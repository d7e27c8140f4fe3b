// Benchmarks run on the test runner for its TypeScript and SQL handling, one at a time: `npm run bench -- estate`.
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../vitest.config.js';

export default mergeConfig(
  { plugins: base.plugins ?? [] },
  defineConfig({
    test: {
      include: ['bench/*.bench.ts'],
      pool: 'forks',
      maxWorkers: 1,
      testTimeout: 3_600_000,
      hookTimeout: 3_600_000,
      disableConsoleIntercept: true,
    },
  }),
);
