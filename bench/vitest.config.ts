// Benchmarks run on the test runner for its TypeScript and SQL handling, one at a time: `npm run bench -- estate`. So do the long runs of
// properties, `npm run bench -- property`: the tests of the suite with many more cases, from another seed each time.
import { defineConfig } from 'vitest/config';
import base from '../vitest.config.js';

const plugins = base.plugins ?? [];
const HOUR_MS = 3_600_000;
const patience = { testTimeout: 10 * HOUR_MS, hookTimeout: HOUR_MS };

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
    projects: [
      { plugins, test: { name: 'bench', include: ['bench/*.bench.ts'], ...patience } },
      {
        plugins,
        test: {
          name: 'property',
          include: ['test/**/*.property.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          env: {
            GCOS_PROPERTY_SEED: process.env['GCOS_PROPERTY_SEED'] ?? String(Date.now() % 2 ** 31),
            GCOS_PROPERTY_TIMES: process.env['GCOS_PROPERTY_TIMES'] ?? '10',
          },
          ...patience,
        },
      },
    ],
  },
});
