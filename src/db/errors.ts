// Owns the translation of driver and server errors into GCOS errors.
import { defineErrors, GcosError } from '../kernel/index.js';

export const dbErrors = defineErrors({
  database_unreachable: {
    exit: 4,
    when: 'no server answers at the configured address, or the server is shutting down',
    help: 'check DATABASE_URL and that the server is running; `gcos db status` shows the embedded one',
  },
  database_auth_failed: {
    exit: 4,
    when: 'the server refuses the user name or the password',
    help: 'check the user and password in DATABASE_URL (or PGUSER, PGPASSWORD, ~/.pgpass)',
  },
  database_untrusted: {
    exit: 4,
    when: 'the certificate of the server is not from a trusted CA, is not for its host name, or has expired',
    help: 'name the CA of the server with `sslrootcert=FILE` in DATABASE_URL, or PGSSLROOTCERT; docs/operations.md describes TLS',
  },
  database_tls_failed: {
    exit: 4,
    when: 'the connection must be encrypted, and the server offers no TLS or the handshake fails',
    help: 'switch TLS on in the server (`ssl = on`); in a network that you trust, `sslmode=disable` does without it',
  },
  database_missing: {
    exit: 4,
    when: 'the server has no database of that name',
    help: 'create the database, or correct its name in DATABASE_URL',
  },
  database_full: {
    exit: 4,
    when: 'the server accepts no more connections',
    help: 'wait for other sessions to finish, lower GCOS_POOL_SIZE, or raise max_connections',
  },
  database_exhausted: {
    exit: 4,
    when: 'the server is out of disk space or memory',
    help: 'free space or memory on the server; GCOS continues by itself, and nothing was lost',
  },
  database_read_only: {
    exit: 4,
    when: 'a write was attempted on a standby or in a read-only session',
    help: 'connect to the primary with a role that may write',
  },
  database_error: {
    exit: 1,
    when: 'the server refuses a statement for a reason GCOS does not expect',
    help: 'read the server message; `gcos doctor` checks the usual causes',
  },
  functions_altered: {
    exit: 4,
    when: 'a function of GCOS in the database no longer is what `gcos init` created, so nothing that relies on it is decided',
    help: 'find out who altered it; then `gcos uninstall` and `gcos init`, or restore the functions from `gcos init --dry-run`',
  },
  privilege_missing: {
    exit: 4,
    when: 'the connected role lacks a privilege the command needs',
    help: '`gcos doctor` lists the privileges the connected role has and lacks',
  },
  schema_mismatch: {
    exit: 4,
    when: 'a table, column or function that the command needs does not exist',
    help: '`gcos doctor` compares the database with what GCOS needs',
  },
  statement_timeout: {
    exit: 1,
    when: 'a statement ran longer than its limit and the server cancelled it',
    help: 'raise GCOS_STATEMENT_TIMEOUT, or look for missing statistics and indexes with `gcos doctor`',
  },
  lock_timeout: {
    exit: 1,
    when: 'a lock was not free within the limit; nothing was changed',
    help: 'try again; if it persists, find the blocker in pg_stat_activity or raise GCOS_LOCK_TIMEOUT',
  },
  serialization_failure: {
    exit: 1,
    when: 'the transaction conflicts with a concurrent one, and all allowed retries failed',
    help: 'run the command again',
  },
  transaction_lost: {
    exit: 1,
    when: 'the server rolled a transaction back at COMMIT because GCOS had ignored the failure of a statement in it',
    help: 'this is a defect in GCOS: please report it with the command you ran',
  },
  operation_cancelled: {
    exit: 1,
    when: 'the command was interrupted, or reached its `--timeout`; open transactions were rolled back',
    help: 'run the command again; every command is safe to repeat',
  },
});

const BY_SQLSTATE: Readonly<Record<string, keyof typeof dbErrors.kinds>> = {
  UG010: 'functions_altered',
  '28P01': 'database_auth_failed',
  '28000': 'database_auth_failed',
  '3D000': 'database_missing',
  '53100': 'database_exhausted',
  '53200': 'database_exhausted',
  '53300': 'database_full',
  '25006': 'database_read_only',
  '42501': 'privilege_missing',
  '42P01': 'schema_mismatch',
  '42703': 'schema_mismatch',
  '42883': 'schema_mismatch',
  '57014': 'statement_timeout',
  '55P03': 'lock_timeout',
  '40001': 'serialization_failure',
  '40P01': 'serialization_failure',
};

const ENCRYPTED_ONLY =
  'the server may accept encrypted connections only: add `sslmode=verify-full` or `sslmode=require` to DATABASE_URL';

interface DriverError extends Error {
  readonly code?: string;
  readonly errors?: readonly DriverError[];
}

function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error;
}

const NETWORK_CODE = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|ENOENT)/;
const NETWORK_MESSAGE =
  /(connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable)/i;

/** Codes of OpenSSL's verification of a certificate, and of Node's comparison of names. */
const CERTIFICATE_CODE =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_|ERROR_IN_CERT|ERR_TLS_CERT_)/;
const HANDSHAKE_CODE = /^(ERR_SSL_|ERR_TLS_|EPROTO$)/;
const HANDSHAKE_MESSAGE = /does not support SSL connections|error establishing an SSL connection/;

/** The SQLSTATE of `error`, which is a driver error or a GCOS error with a driver error as its cause. */
export function sqlstateOf(error: unknown): string | undefined {
  if (error instanceof GcosError) return sqlstateOf(error.cause);
  if (!isDriverError(error)) return undefined;
  return error.code !== undefined && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** Whether the connection itself is lost, so that the work on it cannot have continued. */
export function isConnectionLoss(error: unknown): boolean {
  const inner = error instanceof GcosError ? error.cause : error;
  if (!isDriverError(inner)) return false;
  const state = sqlstateOf(inner);
  if (state !== undefined)
    return state.startsWith('08') || state.startsWith('57P') || state === '25P03' || state === '25P04';
  if (inner.errors?.length) return inner.errors.every(isConnectionLoss);
  return NETWORK_CODE.test(inner.code ?? '') || NETWORK_MESSAGE.test(inner.message);
}

/** Whether a retry of the same transaction may succeed: serialization failure or deadlock. */
export function isSerializationFailure(error: unknown): boolean {
  const state = sqlstateOf(error);
  return state === '40001' || state === '40P01';
}

/** The GCOS error for an error of the driver. A GCOS error is returned unchanged. */
export function translateError(error: unknown): GcosError {
  if (error instanceof GcosError) return error;
  if (!isDriverError(error)) return dbErrors.database_error(String(error), { cause: error });
  const state = sqlstateOf(error);
  const message = error.message || error.errors?.[0]?.message || 'unknown database error';
  if (/^SASL|password must be a string/.test(message)) {
    return dbErrors.database_auth_failed('the server requires a password and none was given', {
      cause: error,
    });
  }
  if (CERTIFICATE_CODE.test(error.code ?? '')) {
    return dbErrors.database_untrusted(`the certificate of the server is not trusted: ${message}`, {
      cause: error,
    });
  }
  if (HANDSHAKE_CODE.test(error.code ?? '') || HANDSHAKE_MESSAGE.test(message))
    return dbErrors.database_tls_failed(message, { cause: error });
  if (isConnectionLoss(error)) return dbErrors.database_unreachable(message, { cause: error });
  const kind = state === undefined ? undefined : BY_SQLSTATE[state];
  const facts = state === undefined ? {} : { sqlstate: state };
  const help = /no encryption$/.test(message) && state === '28000' ? { help: ENCRYPTED_ONLY } : {};
  if (kind !== undefined) return dbErrors[kind](message, { cause: error, facts, ...help });
  return dbErrors.database_error(state ? `${message} (SQLSTATE ${state})` : message, { cause: error, facts });
}

/** The error for work that stopped because `signal` was aborted. */
export function cancelledBy(signal: AbortSignal, cause?: unknown): GcosError {
  const reason: unknown = signal.reason;
  return dbErrors.operation_cancelled(reason instanceof Error ? reason.message : 'interrupted', { cause });
}
