// What pg_dump says about a database, and a run of `gcos govern` with its time and its peak memory. pg_dump
// is that of Debian's server 15 (apt install postgresql-client-15).
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliResult, runCli } from '../test/support/cli.js';

const PG_DUMP = '/usr/lib/postgresql/15/bin/pg_dump';

/** All of a database: its schema, its rights, and its rows. */
export function dumpOf(url: string, ...options: readonly string[]): string {
  const text = execFileSync(PG_DUMP, [...options, url], { encoding: 'utf8', maxBuffer: 1 << 30 });
  // A key of its own in each dump, so that psql obeys nothing in the rows.
  return text.replaceAll(/^\\(un)?restrict .*$/gm, '');
}

const PEAK = `data:text/javascript,process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))`;

export interface MeasuredRun extends CliResult {
  readonly seconds: number;
  readonly peakMb: number;
}

/** Runs a command, and measures its time and its peak memory. */
export async function runMeasured(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<MeasuredRun> {
  const started = performance.now();
  const result = await runCli(args, { env: { ...env, NODE_OPTIONS: `--import=${encodeURI(PEAK)}` } });
  const seconds = (performance.now() - started) / 1_000;
  const [, peak = '0'] = /^peak (\d+)$/m.exec(result.stderr) ?? [];
  return { ...result, seconds, peakMb: Math.round(Number(peak) / 1_024) };
}

interface GovernHome {
  govern(url: string, ...args: readonly string[]): Promise<MeasuredRun>;
  close(): Promise<void>;
}

/** A home in an embedded server of its own, as on a fresh machine. */
export function freshHome(): GovernHome {
  const folder = mkdtempSync(join(tmpdir(), 'gcos-estate-'));
  // So that the account of the server reaches it: its folder is then inside the home.
  chmodSync(folder, 0o755);
  const env = { GCOS_HOME: join(folder, 'home') };
  return {
    govern: (url, ...args) => runMeasured(['govern', 'env:ESTATE_URL', ...args], { ...env, ESTATE_URL: url }),
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
