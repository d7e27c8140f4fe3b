// Owns the kind `postgres`, and where the address of any other kind that reads a database comes from.
// INVARIANT: what is stored holds no password, only the place of one.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { TlsSettings } from '../../kernel/index.js';
import { type SourceConfig, type SourceKind, type SourceReader, sourceErrors } from '../object/index.js';
import { openPostgresSource, type PostgresSourceOptions } from './postgres-source.js';

const ADDRESS = /^postgres(ql)?:\/\//;
const postgresConfig = z.union([
  z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
  z.strictObject({ file: z.string().min(1) }),
  z.strictObject({ url: z.string().regex(ADDRESS) }),
]);
type PostgresConfig = z.infer<typeof postgresConfig>;

/** One statement reads one catalog: an estate whose catalogs take longer is not read. */
const STATEMENT_TIMEOUT_MS = 120_000;

/** What a source has in common with the other connections of this process. */
export interface PostgresKindOptions {
  readonly tls: TlsSettings;
  readonly connectTimeoutMs: number;
  readonly signal?: AbortSignal;
}

const invalid = (message: string, help?: string): Error =>
  sourceErrors.source_invalid(message, help === undefined ? {} : { help });

/** The parameters of an address that are secrets. */
const SECRETS = ['password', 'sslpassword'];

/** Whether a location is an address that holds a password. */
export function hasPassword(location: string): boolean {
  if (!ADDRESS.test(location) || !URL.canParse(location)) return false;
  const url = new URL(location);
  return url.password !== '' || SECRETS.some((name) => url.searchParams.has(name));
}

/** A location without its secrets. */
export function withoutPassword(location: string): string {
  if (!hasPassword(location)) return location;
  const url = new URL(location);
  url.password = '';
  for (const name of SECRETS) url.searchParams.delete(name);
  return url.href;
}

function requireAddress(text: string, what: string): string {
  const address = text.trim();
  // INVARIANT: the message does not repeat the text, which may hold a password.
  if (!ADDRESS.test(address) || !URL.canParse(address))
    throw invalid(`${what} is not a URL such as postgresql://reader@db.internal/shop`);
  return address;
}

function configOf(location: string): PostgresConfig {
  const [, scheme, rest = ''] = /^(env|file):(.+)$/s.exec(location) ?? [];
  if (scheme === 'file') return { file: resolve(rest) };
  if (scheme === 'env') {
    const parsed = postgresConfig.safeParse({ env: rest });
    if (!parsed.success) throw invalid(`\`${rest}\` is no name of an environment variable`);
    return parsed.data;
  }
  const url = requireAddress(location, 'the location');
  if (hasPassword(url))
    throw invalid(
      'the address holds a password, which is not stored',
      'put the address into an environment variable and give env:NAME, or into a file and give file:PATH',
    );
  return { url };
}

function parseConfig(config: SourceConfig, kind: string): PostgresConfig {
  const parsed = postgresConfig.safeParse(config);
  if (parsed.success) return parsed.data;
  throw invalid(`the configuration has another form than a source of the kind \`${kind}\``);
}

function readAddress(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw sourceErrors.source_unreadable(`the address of the source cannot be read from \`${path}\``, {
      cause: error,
      help: 'the file holds one line, such as postgresql://reader:PASSWORD@db.internal/shop',
    });
  }
}

function addressOf(config: PostgresConfig): string {
  if ('url' in config) return config.url;
  if ('file' in config) return requireAddress(readAddress(config.file), `the text of \`${config.file}\``);
  const address = process.env[config.env];
  if (address === undefined || address === '')
    throw sourceErrors.source_unreadable(`the environment variable ${config.env} is not set`, {
      help: `set ${config.env} to the address of the database, also where the worker runs`,
    });
  return requireAddress(address, `the value of ${config.env}`);
}

/** Throws unless the place that a location names holds an address. Opens no connection. */
export function requireLocation(location: string): void {
  addressOf(configOf(withoutPassword(location)));
}

/** What a kind of database source is, beside where its address comes from. */
interface DatabaseKind {
  readonly name: string;
  readonly open: (options: PostgresSourceOptions) => SourceReader;
  /** Whether the database holds what this kind is about. */
  readonly recognizes?: (options: PostgresSourceOptions) => Promise<boolean>;
}

/** A kind of databases that are read over connections like those of this process. */
export function databaseKind(
  { name, open, recognizes }: DatabaseKind,
  { tls, connectTimeoutMs, signal }: PostgresKindOptions,
): SourceKind {
  const optionsOf = (config: SourceConfig, address: string | undefined): PostgresSourceOptions => ({
    target: { kind: 'url', url: address ?? addressOf(parseConfig(config, name)) },
    tls,
    connectTimeoutMs,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    name,
    configure({ location, class: objectClass, code, identity, links = {} }) {
      if ([objectClass, code, identity].some((each) => each !== undefined) || Object.keys(links).length > 0)
        throw invalid(
          'a database names its classes, codes and links itself: omit --class, --code, --identity and --link',
        );
      return configOf(location);
    },
    open: (config, { address } = {}) => open(optionsOf(config, address)),
    ...(recognizes === undefined
      ? {}
      : { recognizes: (config, { address } = {}) => recognizes(optionsOf(config, address)) }),
  };
}

export const postgresKind = (options: PostgresKindOptions): SourceKind =>
  databaseKind({ name: 'postgres', open: openPostgresSource }, options);
