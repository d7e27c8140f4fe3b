// Takes the pictures of the console: `npm run pictures`, or `npm run pictures -- -t 390` for some of them.
import { defineConfig } from 'vitest/config';
import base from '../vitest.config.js';

const HOUR_MS = 3_600_000;

export default defineConfig({
  plugins: base.plugins ?? [],
  test: {
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
    include: ['pictures/*.pictures.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: HOUR_MS,
    hookTimeout: HOUR_MS,
  },
});
