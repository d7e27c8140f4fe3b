// Owns the configuration: the options, the variable or flag of each, and its default. Flags take precedence
// over the environment. The reference page is generated from `configurationOptions`.
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseDuration } from './duration.js';
import { defineErrors, type ErrorFamily } from './errors.js';
import { OWN_ADDRESS, OWN_ADDRESS_FORM } from './value.js';

export const configErrors: ErrorFamily<'config_invalid' | 'config_unsupported'> = defineErrors({
  config_invalid: {
    exit: 3,
    when: 'an environment variable or a flag has a value that cannot be used',
    help: 'see docs/reference/configuration.md for the accepted values',
  },
  config_unsupported: {
    exit: 3,
    when: 'the environment requests a feature GCOS does not support, and ignoring it could reach the wrong database',
    help: 'see docs/reference/configuration.md for what is supported',
  },
});

const identifier = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,40}$/, 'must be a lower-case SQL identifier of at most 41 characters');

/** A schema of the host may have a name in mixed case. */
const hostSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,40}$/, 'must be an SQL identifier of at most 41 letters, digits and _');

const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms === undefined)
    context.addIssue({ code: 'custom', message: 'must be a duration such as 500ms, 30s or 5m' });
  return ms ?? 0;
});

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must start with postgresql://')
  .refine((url) => URL.canParse(url), 'is not a valid URL');

/** Each option in one place: its parser, its default and its text for the reference page. */
const options = {
  DATABASE_URL: {
    schema: databaseUrl.optional(),
    default: undefined,
    about:
      'The PostgreSQL server that hosts the registries. Flag: `--database-url`. A server on another machine must have a trusted certificate, unless `sslmode` says otherwise ([TLS](../operations.md#tls-to-the-database)). Without it, and without libpq variables (`PGHOST`, `PGPORT`, `PGDATABASE`, `PGUSER`), GCOS runs its own server.',
  },
  GCOS_HOME: {
    schema: z.string().min(1),
    default: '.gcos',
    about: 'The directory in which the embedded server keeps its data, password and log.',
  },
  GCOS_READER_URL: {
    schema: databaseUrl.optional(),
    default: undefined,
    about:
      'The URL of the same database for the read-only login (`gcos_reader`). GCOS uses it only to run the queries of detectors. Without it, GCOS does not evaluate detectors; the embedded server does not need it.',
  },
  GCOS_SERVER_URL: {
    schema: databaseUrl.optional(),
    default: undefined,
    about:
      'The URL of the same database for the login of `gcos serve` (`gcos_server`), which has no rights but those of the tokens that its clients send. Without it, `gcos serve` uses DATABASE_URL; the embedded server does not need it.',
  },
  GCOS_SCHEMA: {
    schema: hostSchema,
    default: 'public',
    about:
      "The schema that holds the host's tables, in the case in which it is stored. GCOS creates most of its own tables in the same schema.",
  },
  GCOS_TRUST_SCHEMA: {
    schema: identifier,
    default: 'gcos_trust',
    about:
      "The schema that `gcos init` creates for GCOS's functions and for the tables that carry trust: people, approvals, rulesets, exceptions, decisions of the gate, settings. Give each installation in a database its own.",
  },
  GCOS_ROLE_PREFIX: {
    schema: identifier,
    default: 'gcos_',
    about:
      'Prefix of the database roles. Roles are cluster-wide: give each installation in a cluster its own prefix.',
  },
  GCOS_POOL_SIZE: {
    schema: z.coerce.number().int().min(1).max(100),
    default: '5',
    about: 'The maximum number of connections that one process opens.',
  },
  GCOS_CONNECT_TIMEOUT: {
    schema: duration,
    default: '10s',
    about: 'How long GCOS waits for a connection, and for a server that is starting up.',
  },
  GCOS_STATEMENT_TIMEOUT: {
    schema: duration,
    default: '5s',
    about:
      'How long one ordinary statement may run. Work that reads whole tables divides them until each statement takes less. Schema changes, the rounds of the intake, the log and the demo estate set their own limits.',
  },
  GCOS_LOCK_TIMEOUT: {
    schema: duration,
    default: '3s',
    about:
      'How long a statement waits for a lock before it fails. The limit prevents host sessions from queueing behind GCOS.',
  },
  GCOS_WORKER_HOST: {
    schema: z.string().regex(OWN_ADDRESS, `must be ${OWN_ADDRESS_FORM}`),
    default: '127.0.0.1',
    about:
      'The address on which a worker serves `/healthz`, `/readyz` and `/metrics`. Flag: `--host`. They ask for no password: on another address than loopback, everyone who reaches it can read them.',
  },
} as const;

export interface ConfigurationOption {
  readonly name: string;
  readonly default: string | undefined;
  readonly about: string;
}

export const configurationOptions: readonly ConfigurationOption[] = Object.entries(options).map(
  ([name, { default: fallback, about }]) => ({ name, default: fallback, about }),
);

/** Where the database is. */
export type ConnectionTarget =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'libpq' }
  | { readonly kind: 'embedded'; readonly home: string };

/** What libpq's variables say about the encryption of connections. A URL that says more takes precedence. */
export interface TlsSettings {
  readonly mode?: string | undefined;
  readonly rootCert?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface Config {
  readonly target: ConnectionTarget;
  readonly tls: TlsSettings;
  readonly home: string;
  /** Undefined: no login is available for the queries of detectors, so they do not run. */
  readonly readerUrl: string | undefined;
  /** Undefined: `gcos serve` uses `target`. */
  readonly serverUrl: string | undefined;
  readonly schema: string;
  readonly trustSchema: string;
  readonly rolePrefix: string;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  /** The address of a worker's endpoint. */
  readonly workerHost: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const LIBPQ_VARIABLES = ['PGHOST', 'PGPORT', 'PGDATABASE', 'PGUSER'];

function read<N extends keyof typeof options>(
  environment: Environment,
  name: N,
): z.infer<(typeof options)[N]['schema']> {
  const raw = environment[name];
  const { schema, default: fallback } = options[name];
  const parsed = schema.safeParse(raw === undefined || raw === '' ? fallback : raw);
  if (!parsed.success) {
    const shown = name.endsWith('_URL') ? 'the given URL' : `\`${raw}\``;
    throw configErrors.config_invalid(`${name}: ${shown} ${parsed.error.issues[0]?.message}`);
  }
  return parsed.data as z.infer<(typeof options)[N]['schema']>;
}

function connectionTarget(environment: Environment, home: string): ConnectionTarget {
  // A pipeline with an unset variable passes an empty value. The operator meant another database, so refuse
  // it.
  if (environment['DATABASE_URL'] === '') {
    throw configErrors.config_invalid('DATABASE_URL is empty', {
      help: 'give a URL, or unset it to use the embedded server',
    });
  }
  const url = read(environment, 'DATABASE_URL');
  if (url !== undefined) return { kind: 'url', url };
  // INVARIANT: never fall back to the embedded server when the operator named another one.
  if (environment['PGSERVICE']) {
    throw configErrors.config_unsupported('PGSERVICE is set, but GCOS does not read service files', {
      help: 'give the connection as DATABASE_URL, or as PGHOST, PGPORT, PGDATABASE and PGUSER',
    });
  }
  if (LIBPQ_VARIABLES.some((name) => environment[name])) return { kind: 'libpq' };
  return { kind: 'embedded', home };
}

const NAMING = ['DATABASE_URL', 'PGSERVICE', 'GCOS_READER_URL', 'GCOS_SERVER_URL', ...LIBPQ_VARIABLES];

/** The variables of `environment` that name a database. */
export const namesTarget = (environment: Environment): string[] => NAMING.filter((name) => environment[name]);

/**
 * `environment` without the variables that name a database, so that `loadConfig` chooses the embedded server.
 */
export function withoutTarget(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !NAMING.includes(name)));
}

/** Reads the configuration from `environment`; relative paths are resolved against `directory`. */
export function loadConfig(
  environment: Environment = process.env,
  directory: string = process.cwd(),
): Config {
  const home = resolve(directory, read(environment, 'GCOS_HOME'));
  return {
    target: connectionTarget(environment, home),
    tls: {
      mode: environment['PGSSLMODE'],
      rootCert: environment['PGSSLROOTCERT'],
      cert: environment['PGSSLCERT'],
      key: environment['PGSSLKEY'],
    },
    home,
    readerUrl: read(environment, 'GCOS_READER_URL'),
    serverUrl: read(environment, 'GCOS_SERVER_URL'),
    schema: read(environment, 'GCOS_SCHEMA'),
    trustSchema: read(environment, 'GCOS_TRUST_SCHEMA'),
    rolePrefix: read(environment, 'GCOS_ROLE_PREFIX'),
    poolSize: read(environment, 'GCOS_POOL_SIZE'),
    connectTimeoutMs: read(environment, 'GCOS_CONNECT_TIMEOUT'),
    statementTimeoutMs: read(environment, 'GCOS_STATEMENT_TIMEOUT'),
    lockTimeoutMs: read(environment, 'GCOS_LOCK_TIMEOUT'),
    workerHost: read(environment, 'GCOS_WORKER_HOST'),
  };
}
