// Runs a backfill from the built library in a separate process, with a short lease and small parts, for tests
// that kill it. Reports progress and result on stdout, one JSON object per line.
import { loadConfig, openGcos } from '../../dist/library.js';

const options = JSON.parse(process.argv[2]);
const report = (message) =>
  process.stdout.write(
    `${JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`,
  );
const gcos = await openGcos(loadConfig({ DATABASE_URL: options.url, GCOS_STATEMENT_TIMEOUT: '30s' }, '/'));
report({ state: 'open' });
const result = await gcos.backfills.run({
  leaseTtlMs: options.leaseTtlMs,
  ...(options.parts ? { parts: options.parts } : {}),
  onProgress: ({ step, done }) => report({ state: step, done }),
});
report({ state: 'done', report: result });
await gcos.close();
