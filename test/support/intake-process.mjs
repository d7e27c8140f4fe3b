// An intake in a process of its own, over the built library, for tests that kill or freeze it: short leases. It says on stdout, one
// JSON object per line, what each round saw; `near` and `wide` come as often as the setting `intake.pace` says.
import { loadConfig, openGcos } from '../../dist/library.js';

const options = JSON.parse(process.argv[2]);
const say = (what) =>
  process.stdout.write(
    `${JSON.stringify(what, (_, value) => (typeof value === 'bigint' ? String(value) : value))}\n`,
  );
const gcos = await openGcos(loadConfig({ DATABASE_URL: options.url, GCOS_STATEMENT_TIMEOUT: '30s' }, '/'));
say({ state: 'open' });
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
await gcos.intakes.run({
  signal: stop.signal,
  leaseTtlMs: options.leaseTtlMs,
  onRound: ({ kind, births, lines, registryRows, more }) =>
    say({ state: kind, births, lines, registryRows, more }),
  onError: (error) => say({ state: 'error', error: String(error) }),
});
say({ state: 'stopped' });
await gcos.close();
