// A server with a certificate, and clients of it that are not on loopback as GCOS defines it.
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverAccount } from '../../src/db/embedded/account.js';
import { checkout } from './cli.js';
import { startServer, type TestServer } from './server.js';

const file = (name: string): string => join(checkout, 'test/support/tls', name);
/** The CA of the server's certificate, and one that has nothing to do with it. */
export const CA = file('ca.crt');
export const OTHER_CA = file('other-ca.crt');

/** The same server under another host name, with these parameters. `0.0.0.0` is not loopback. */
export function urlAt(url: string, host: string, params: Record<string, string> = {}): string {
  const changed = new URL(url);
  changed.hostname = host;
  for (const [name, value] of Object.entries(params)) changed.searchParams.set(name, value);
  return changed.href;
}

export async function startTlsServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gcos-tls-'));
  const account = serverAccount(undefined);
  chmodSync(folder, 0o755);
  for (const name of ['server.crt', 'server.key']) {
    copyFileSync(file(name), join(folder, name));
    chmodSync(join(folder, name), 0o600);
    if (account !== undefined) chownSync(join(folder, name), account.uid, account.gid);
  }
  const server = await startServer({
    settings: {
      ssl: 'on',
      ssl_cert_file: join(folder, 'server.crt'),
      ssl_key_file: join(folder, 'server.key'),
    },
  });
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
