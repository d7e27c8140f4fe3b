// Benchmarks use the test runner because it loads TypeScript and SQL; run one at a time: `npm run bench --
// estate`. `npm run bench -- property` runs the property tests of the suite with many more cases, from a new
// seed each time.
import { defineConfig } from 'vitest/config';
import base from '../vitest.config.js';

const plugins = base.plugins ?? [];
// Their servers keep their files on disk, as those of users do.
process.env['GCOS_TEST_ON_DISK'] = 'yes';

const HOUR_MS = 3_600_000;
const timeouts = { testTimeout: 10 * HOUR_MS, hookTimeout: HOUR_MS };

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
    projects: [
      { plugins, test: { name: 'bench', include: ['bench/*.bench.ts'], ...timeouts } },
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
          ...timeouts,
        },
      },
    ],
  },
});
