// A backfill in a process of its own, over the built library, for tests that kill it: short leases, small batches. It says
// on stdout, one JSON object per line, where it is and what came out.
import { loadConfig, openGcos } from '../../dist/library.js';

const options = JSON.parse(process.argv[2]);
const say = (what) =>
  process.stdout.write(
    `${JSON.stringify(what, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`,
  );
const gcos = await openGcos(loadConfig({ DATABASE_URL: options.url, GCOS_STATEMENT_TIMEOUT: '30s' }, '/'));
say({ state: 'open' });
const report = await gcos.backfills.run({
  leaseTtlMs: options.leaseTtlMs,
  ...(options.parts ? { parts: options.parts } : {}),
  onProgress: ({ step, done }) => say({ state: step, done }),
});
say({ state: 'done', report });
await gcos.close();
