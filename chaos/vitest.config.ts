// Chaos runs take minutes and use real processes; run one at a time: `npm run chaos -- unwatched`.
import { defineConfig } from 'vitest/config';
import base from '../vitest.config.js';

// Their servers keep their files on disk, as those of users do.
process.env['GCOS_TEST_ON_DISK'] = 'yes';

const HOUR_MS = 3_600_000;

export default defineConfig({
  plugins: base.plugins ?? [],
  test: {
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
    include: ['chaos/*.chaos.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: HOUR_MS,
    hookTimeout: HOUR_MS,
  },
});
