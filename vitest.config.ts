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

export default defineConfig({
  plugins: [sqlModules()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // One more than there are cores: many files wait for servers, leases and time-outs.
    maxWorkers: 3,
    // Loading the sources once per process instead of once per file saves a minute. Files share nothing but modules: each has a database
    // of its own.
    isolate: false,
  },
});
