// Owns the translation of errors of the driver, the server and the network into GCOS errors. The tables are
// in `error-table.ts`, the errors themselves in `error-kinds.ts`.
import pg from 'pg';
import { GcosError, hasCode } from '../kernel/index.js';
import { dbErrors } from './error-kinds.js';
import { codeOfSqlstate, endsSession, ofDriver, ofSystem, ofTls, type SystemError } from './error-table.js';

export { dbErrors } from './error-kinds.js';

const ENCRYPTED_ONLY =
  'the server may accept encrypted connections only: add `sslmode=verify-full` or `sslmode=require` to DATABASE_URL';

/** Several addresses of one name were tried. */
const attemptsOf = (error: Error): readonly unknown[] =>
  error instanceof AggregateError ? error.errors : [];

/**
 * The SQLSTATE of `error`, which is an error of the server or a GCOS error with one as its cause. A code of
 * the operating system, such as EPIPE, can look like one; only the server's errors have one.
 */
export function sqlstateOf(error: unknown): string | undefined {
  if (error instanceof GcosError) return sqlstateOf(error.cause);
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Whether the connection itself is lost, so that the work on it cannot have continued. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof GcosError) return error.cause !== undefined && isConnectionLoss(error.cause);
  if (!(error instanceof Error)) return false;
  const state = sqlstateOf(error);
  if (state !== undefined) return endsSession(state);
  const attempts = attemptsOf(error);
  if (attempts.length > 0) return attempts.every(isConnectionLoss);
  return ofSystem(error) !== undefined || ofDriver(error.message) !== undefined;
}

/** Whether the machine answers, and no server listens there. */
function isRefusal(error: unknown): boolean {
  const attempts = error instanceof Error ? attemptsOf(error) : [];
  if (attempts.length > 0) return attempts.every(isRefusal);
  return error instanceof Error && ['ECONNREFUSED', 'ENOENT'].includes((error as SystemError).code ?? '');
}

/** Whether a retry of the same transaction may succeed: serialization failure or deadlock. */
export function isSerializationFailure(error: unknown): boolean {
  const state = sqlstateOf(error);
  return state === '40001' || state === '40P01' || hasCode(error, 'serialization_failure');
}

/**
 * Whether a retry can succeed: the server restarts, an idle connection was lost in a restart, or no slot is
 * free.
 */
export function isTransient(error: unknown): boolean {
  return isConnectionLoss(error) || sqlstateOf(error) === '53300';
}

/**
 * Whether a prepared statement is missing, or outdated by a change of the schema. A new connection has none.
 */
export function isPlanLost(error: unknown): boolean {
  return ['26000', '0A000'].includes(sqlstateOf(error) ?? '');
}

/** An error of SASL: no password, or a server that does not know it. */
function ofPassword(error: Error): GcosError | undefined {
  const { message } = error;
  if (/password must be a/i.test(message))
    return dbErrors.database_auth_failed('the server requires a password and none was given', {
      cause: error,
    });
  if (/^SASL/.test(message)) return dbErrors.database_auth_failed(message, { cause: error });
  return undefined;
}

function ofServer(error: pg.DatabaseError, state: string): GcosError {
  const { message } = error;
  const detail = { cause: error, facts: { sqlstate: state } };
  const kind = codeOfSqlstate(state);
  if (kind === undefined) return dbErrors.database_error(`${message} (SQLSTATE ${state})`, detail);
  if (kind === 'database_auth_failed' && /no encryption$/.test(message))
    return dbErrors[kind](message, { ...detail, help: ENCRYPTED_ONLY });
  // The server has one code for both; another language than English reads as the more frequent one.
  if (kind === 'statement_timeout' && /user request/.test(message))
    return dbErrors.statement_cancelled(message, detail);
  const isEnd = state === '57P01' || state === '57P02';
  return dbErrors[kind](isEnd ? `the server ended the session: ${message}` : message, detail);
}

/** The GCOS error for an error of the driver. A GCOS error is returned unchanged. */
export function translateError(error: unknown): GcosError {
  if (error instanceof GcosError) return error;
  if (!(error instanceof Error)) return dbErrors.database_error(String(error), { cause: error });
  const state = sqlstateOf(error);
  if (error instanceof pg.DatabaseError && state !== undefined) return ofServer(error, state);
  const password = ofPassword(error);
  if (password !== undefined) return password;
  const [attempt] = attemptsOf(error);
  const found = (attempt instanceof Error ? attempt : error) as SystemError;
  const message = found.message || 'unknown database error';
  const tls = ofTls(found.code ?? '', message);
  if (tls === 'database_untrusted')
    return dbErrors[tls](`the certificate of the server is not trusted: ${message}`, { cause: error });
  if (tls !== undefined) return dbErrors[tls](message, { cause: error });
  const [kind, sentence] = ofSystem(found) ?? ofDriver(message) ?? ['database_error', message];
  return dbErrors[kind](sentence, { cause: error });
}

/** The GCOS error for a connection that was not established: it cannot have been lost. */
export function translateConnectError(error: unknown): GcosError {
  const found = translateError(error);
  if (found.code !== 'connection_lost') return found;
  return dbErrors.database_unreachable(`the server did not accept the connection: ${found.message}`, {
    cause: error,
    facts: found.facts,
  });
}

/** The error for work that stopped because `signal` was aborted. */
export function cancelledBy(signal: AbortSignal, cause?: unknown): GcosError {
  const reason: unknown = signal.reason;
  return dbErrors.operation_cancelled(reason instanceof Error ? reason.message : 'interrupted', { cause });
}

/** The error for a transaction that could not be begun. */
export function whyNotBegun(
  error: unknown,
  { connected, hasConnected }: { readonly connected: boolean; readonly hasConnected: boolean },
): GcosError {
  // BEGIN asks for nothing but an access mode and settings. A standby has no transaction that may write;
  // its message is in the language of the server.
  if (connected && sqlstateOf(error) === '0A000')
    return dbErrors.database_read_only('the server is a standby, and accepts only transactions that read', {
      cause: error,
      facts: { sqlstate: '0A000' },
    });
  if (connected) return translateError(error);
  const found = translateConnectError(error);
  if (!hasConnected || !isRefusal(error)) return found;
  return dbErrors.database_restarting(`the server has stopped since it last answered: ${found.message}`, {
    cause: error,
  });
}
