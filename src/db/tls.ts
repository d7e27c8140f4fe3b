// Owns the encryption of connections: what the parameters and variables of libpq ask for, and what the driver
// and psql get. GCOS differs from libpq in one thing: by default, a server that is not on this machine must
// prove its name (verify-full), where libpq would accept any server, encrypted or not (prefer).
import { existsSync, readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import * as tls from 'node:tls';
import pg from 'pg';
import { type ConnectionTarget, configErrors, type TlsSettings } from '../kernel/index.js';

type Mode = 'disable' | 'require' | 'verify-ca' | 'verify-full';

/** How one connection is encrypted. `rootCert`: a file, or `system` for the CAs of this machine. */
export interface Tls {
  readonly mode: Mode;
  readonly rootCert: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly password: string | undefined;
}

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Parameters of libpq that ask for more than GCOS can give. To ignore one would weaken the connection. */
const UNSUPPORTED = [
  'ssl',
  'sslcrl',
  'sslcrldir',
  'ssl_min_protocol_version',
  'ssl_max_protocol_version',
  'require_auth',
  'requirepeer',
];

/** Parameters that the driver must not see: it has its own meaning of some, and warns about others. */
const OWN = /^(ssl|uselibpqcompat$|channel_binding$)/;

/** Where systems keep the certificates of their CAs in one file; the first that exists counts. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The file with the CAs of this machine, if there is one. OpenSSL's variable takes precedence. */
export function systemFile(): string | undefined {
  return process.env['SSL_CERT_FILE'] || SYSTEM_FILES.find((path) => existsSync(path));
}

/** Whether traffic to the host stays on this machine: a socket, or a loopback address. */
function isLocal(host: string): boolean {
  return (
    host.startsWith('/') ||
    host === 'localhost' ||
    host === '::1' ||
    (isIPv4(host) && host.startsWith('127.'))
  );
}

function refuseUnsupported(params: URLSearchParams): void {
  const found =
    UNSUPPORTED.find((name) => params.has(name)) ??
    (params.get('channel_binding') === 'require' ? 'channel_binding=require' : undefined);
  if (found === undefined) return;
  throw configErrors.config_unsupported(`the URL of the database has the parameter \`${found}\``, {
    help: 'leave it out; `sslmode=verify-full`, the default for a server on another machine, protects the connection',
  });
}

function modeOf(mode: string | undefined, host: string, rootCert: string | undefined): Mode {
  if (mode !== undefined && !MODES.includes(mode))
    throw configErrors.config_invalid(`sslmode: \`${mode}\` is not one of ${MODES.join(', ')}`);
  // Through a socket nothing is encrypted, as with libpq.
  if (host.startsWith('/')) return 'disable';
  if (mode === undefined) return isLocal(host) && rootCert !== 'system' ? 'disable' : 'verify-full';
  if (mode !== 'allow' && mode !== 'prefer') return mode as Mode;
  if (isLocal(host)) return 'disable';
  throw configErrors.config_unsupported(
    `sslmode=${mode} lets anyone in the network switch the encryption off`,
    {
      help: 'use `verify-full`, or `require` to encrypt without verifying the server, or `disable`',
    },
  );
}

/** The encryption of a connection to `host`; what the URL says takes precedence over the environment. */
function tlsOf(host: string, params: URLSearchParams, settings: TlsSettings): Tls {
  refuseUnsupported(params);
  const given = (name: string, otherwise: string | undefined) => params.get(name) || otherwise || undefined;
  const named = given('sslrootcert', settings.rootCert);
  const usual = join(homedir(), '.postgresql', 'root.crt');
  const mode = modeOf(given('sslmode', settings.mode), host, named);
  const rootCert = named ?? (existsSync(usual) ? usual : undefined);
  if (rootCert === 'system' && (mode === 'require' || mode === 'verify-ca'))
    throw configErrors.config_invalid(`sslrootcert=system needs sslmode=verify-full, not ${mode}`, {
      help: 'a CA of the system gives certificates to everyone, so that only the name tells servers apart',
    });
  if (mode === 'verify-ca' && rootCert === undefined)
    throw configErrors.config_invalid('sslmode=verify-ca needs the file of your CA: sslrootcert=FILE');
  return {
    // As with libpq: with a CA, the certificate is verified.
    mode: mode === 'require' && rootCert !== undefined ? 'verify-ca' : mode,
    rootCert: rootCert ?? (mode === 'verify-full' ? 'system' : undefined),
    cert: given('sslcert', settings.cert),
    key: given('sslkey', settings.key),
    password: given('sslpassword', undefined),
  };
}

function readPem(name: string, path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.includes('-----BEGIN ')) return text;
  } catch (cause) {
    throw configErrors.config_invalid(`${name}: cannot read \`${path}\``, { cause });
  }
  throw configErrors.config_invalid(`${name}: \`${path}\` is not a PEM file`);
}

/** The CAs of this machine. Undefined: those that Node brings, because the system has no file of them. */
function systemCertificates(): string[] | undefined {
  const file = systemFile();
  if (file !== undefined) return [readPem('SSL_CERT_FILE', file)];
  // Since Node 22.15; on macOS the certificates are not in a file.
  const { getCACertificates } = tls as { getCACertificates?: (type: 'system') => string[] };
  return getCACertificates?.('system');
}

function driverOptions({ mode, rootCert, cert, key, password }: Tls): false | ConnectionOptions {
  if (mode === 'disable') return false;
  const ca =
    rootCert === undefined
      ? undefined
      : rootCert === 'system'
        ? systemCertificates()
        : readPem('sslrootcert', rootCert);
  return {
    // Explicit: NODE_TLS_REJECT_UNAUTHORIZED would change the default.
    rejectUnauthorized: mode !== 'require',
    ...(ca === undefined ? {} : { ca }),
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    ...(cert === undefined ? {} : { cert: readPem('sslcert', cert) }),
    ...(key === undefined ? {} : { key: readPem('sslkey', key) }),
    ...(password === undefined ? {} : { passphrase: password }),
  };
}

export interface Connection {
  /** What the driver takes; it never decides about encryption itself. */
  readonly driver: { readonly connectionString?: string; readonly ssl: false | ConnectionOptions };
  readonly tls: Tls;
}

/** The connection that `target` describes. Throws if it cannot be as secure as it asks for. */
export function connectionOf(
  target: Exclude<ConnectionTarget, { kind: 'embedded' }>,
  settings: TlsSettings = {},
): Connection {
  const url = target.kind === 'url' ? new URL(target.url) : undefined;
  const params = new URLSearchParams(url?.searchParams);
  for (const name of params.keys()) if (OWN.test(name)) url?.searchParams.delete(name);
  const text = url === undefined ? {} : { connectionString: url.href };
  // The driver's own reading of the URL and of PGHOST.
  const { host } = new pg.Client({ ...text, ssl: false });
  const found = tlsOf(host, params, settings);
  return { driver: { ...text, ssl: driverOptions(found) }, tls: found };
}
