// Runs the intake from the built library in a separate process, with a short lease, for tests that kill or
// freeze it. Reports on stdout, one JSON object per line, what each round saw. The setting `intake.pace`
// determines how often `near` and `wide` rounds run.
import { loadConfig, openGcos } from '../../dist/library.js';

const options = JSON.parse(process.argv[2]);
const report = (message) =>
  process.stdout.write(
    `${JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`,
  );
const gcos = await openGcos(loadConfig({ DATABASE_URL: options.url, GCOS_STATEMENT_TIMEOUT: '30s' }, '/'));
report({ state: 'open' });
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
await gcos.intakes.run({
  signal: stop.signal,
  leaseTtlMs: options.leaseTtlMs,
  onRound: ({ kind, births, lines, registryRows, more }) =>
    report({ state: kind, births, lines, registryRows, more }),
  onError: (error) => report({ state: 'error', error: String(error) }),
});
report({ state: 'stopped' });
await gcos.close();
