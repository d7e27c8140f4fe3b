import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { moduleOf } from './scripts/sql.mjs';

/** Serves `./page.sql.js` from `page.sql`, as the build does. */
function sqlModules(): Plugin {
  return {
    name: 'sql-modules',
    enforce: 'pre',
    resolveId(id, importer) {
      if (!id.endsWith('.sql.js') || importer === undefined) return null;
      return fileURLToPath(new URL(id.slice(0, -'.js'.length), `file://${importer}`));
    },
    load(id) {
      if (!id.endsWith('.sql')) return null;
      return moduleOf(id);
    },
  };
}

/** Files, and the tests in them, run in another order each time. The run prints its seed; `GCOS_TEST_SEED` repeats one. */
const seed = Number(process.env['GCOS_TEST_SEED'] ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(seed)) throw new Error('GCOS_TEST_SEED is not a whole number');

export default defineConfig({
  plugins: [sqlModules()],
  test: {
    include: ['test/**/*.test.ts'],
    // The crawler over every screen takes three minutes by itself: `npm run test:web` runs it, too.
    exclude: process.env['GCOS_TEST_WEB'] === undefined ? ['test/web/screens.test.ts'] : [],
    globalSetup: ['test/support/global-setup.ts'],
    // These only end what hangs: on a machine with other work to do, everything takes several times as long.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    pool: 'forks',
    // One more than there are cores: many files wait for servers, leases and time-outs.
    maxWorkers: 3,
    // Loading the sources once per process instead of once per file saves a minute. Files share nothing but modules: each has a database
    // of its own.
    isolate: false,
    sequence: { shuffle: true, seed },
  },
});
