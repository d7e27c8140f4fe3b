// Owns which error stands for what the server, the driver, the operating system and TLS can report. A whole
// class of SQLSTATEs has two characters; a code of its own takes precedence.
import type { DbErrorCode } from './error-kinds.js';

const BY_SQLSTATE: Readonly<Record<string, DbErrorCode>> = {
  '08': 'connection_lost',
  // The server or a pooler refuses the connection. Poolers answer with 08P01 whatever the reason is.
  '08001': 'database_unreachable',
  '08004': 'database_unreachable',
  '08P01': 'database_unreachable',
  '25006': 'database_read_only',
  '25P02': 'transaction_lost',
  '25P03': 'session_timeout',
  '25P04': 'session_timeout',
  '28': 'database_auth_failed',
  '3D': 'database_missing',
  '3F': 'schema_mismatch',
  '40': 'serialization_failure',
  // The statement may or may not have taken effect.
  '40003': 'connection_lost',
  '42501': 'privilege_missing',
  '42704': 'schema_mismatch',
  '42703': 'schema_mismatch',
  '42883': 'schema_mismatch',
  '42P01': 'schema_mismatch',
  '53': 'database_exhausted',
  '53300': 'database_full',
  '54': 'database_limit',
  '55006': 'object_busy',
  '55P03': 'lock_timeout',
  '57': 'database_restarting',
  '57014': 'statement_timeout',
  '57P04': 'database_missing',
  '57P05': 'session_timeout',
  '58': 'database_fault',
  F0: 'database_fault',
  UG010: 'functions_altered',
  UG030: 'credential_unknown',
  UG031: 'credential_expired',
  UG032: 'credential_revoked',
  UG033: 'permission_missing',
  UG034: 'outside_limits',
  XX: 'database_fault',
};

/** The error for a SQLSTATE; undefined: one that GCOS does not expect. */
export const codeOfSqlstate = (state: string): DbErrorCode | undefined =>
  BY_SQLSTATE[state] ?? BY_SQLSTATE[state.slice(0, 2)];

/** Whether the server ends the session with this SQLSTATE. */
export const endsSession = (state: string): boolean =>
  /^(08|57P)/.test(state) || state === '25P03' || state === '25P04';

/** What a system call of the network reports: its address or name is filled in for `@`. */
const BY_SYSTEM_CODE: Readonly<Record<string, readonly [DbErrorCode, string]>> = {
  ECONNREFUSED: ['database_unreachable', 'no server accepts connections at @'],
  ENOENT: ['database_unreachable', 'no server listens on the socket @'],
  ENOTFOUND: ['database_unreachable', 'the host name @ is unknown'],
  EAI_AGAIN: ['database_unreachable', 'the host name @ cannot be looked up now'],
  ETIMEDOUT: ['database_unreachable', 'no answer from @'],
  EHOSTUNREACH: ['database_unreachable', 'there is no route to @'],
  ENETUNREACH: ['database_unreachable', 'there is no route to @'],
  EHOSTDOWN: ['database_unreachable', 'the machine at @ is down'],
  ENETDOWN: ['database_unreachable', 'the network to @ is down'],
  EADDRNOTAVAIL: ['database_unreachable', 'this machine has no address or port left to reach @'],
  EACCES: ['database_unreachable', 'the operating system does not allow a connection to @'],
  EPERM: ['database_unreachable', 'the operating system does not allow a connection to @'],
  EMFILE: ['database_unreachable', 'this process has too many files and connections open to reach @'],
  ENFILE: ['database_unreachable', 'this machine has too many files and connections open to reach @'],
  ECONNRESET: ['connection_lost', 'the other side reset the connection'],
  ECONNABORTED: ['connection_lost', 'the connection was aborted'],
  ENETRESET: ['connection_lost', 'the network ended the connection'],
  ENOTCONN: ['connection_lost', 'the connection is closed'],
  EPIPE: ['connection_lost', 'the other side closed the connection'],
  ERR_STREAM_DESTROYED: ['connection_lost', 'the connection is closed'],
  ERR_STREAM_WRITE_AFTER_END: ['connection_lost', 'the connection is closed'],
};
const OTHER_LOOKUPS = /^EAI_/;

/** The fields that Node adds to the error of a system call. */
export interface SystemError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

/** The error, and a sentence, for the error of a system call of the network. */
export function ofSystem(error: SystemError): readonly [DbErrorCode, string] | undefined {
  const { code = '', address, port, hostname, syscall } = error;
  // The same codes with another call, such as `open`, are about a file.
  if (['ENOENT', 'EACCES', 'EPERM'].includes(code) && syscall !== 'connect') return undefined;
  const [kind, sentence] =
    BY_SYSTEM_CODE[code] ?? (OTHER_LOOKUPS.test(code) ? BY_SYSTEM_CODE['ENOTFOUND'] : []) ?? [];
  if (kind === undefined || sentence === undefined) return undefined;
  const place = hostname ?? (address === undefined || port === undefined ? address : `${address}:${port}`);
  return [
    kind,
    `${sentence.replace('@', place === undefined ? 'the configured address' : `\`${place}\``)} (${code})`,
  ];
}

/** What the driver says without a code. */
const BY_DRIVER_MESSAGE: readonly (readonly [RegExp, DbErrorCode, string?])[] = [
  // GCOS gave the connection up (connection.ts).
  [/^the server did not answer a statement/, 'connection_lost'],
  [
    /timeout expired|timeout exceeded when trying|due to connection timeout/i,
    'database_unreachable',
    'the server did not answer in time',
  ],
  [
    /invalid response|unknown authenticationOk|received unexpected/i,
    'connection_lost',
    'what answers at the configured address does not speak the protocol of PostgreSQL',
  ],
  [
    /connection terminated|not queryable|connection error/i,
    'connection_lost',
    'the connection ended unexpectedly',
  ],
];

/** The error, and a sentence, for an error that the driver raises itself. */
export function ofDriver(message: string): readonly [DbErrorCode, string] | undefined {
  const found = BY_DRIVER_MESSAGE.find(([pattern]) => pattern.test(message));
  return found && [found[1], found[2] ?? message];
}

/** Codes of OpenSSL's verification of a certificate, and of Node's comparison of names. */
const CERTIFICATE_CODE =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_|ERROR_IN_CERT|ERR_TLS_CERT_)/;
const HANDSHAKE_CODE = /^(ERR_SSL_|ERR_TLS_|EPROTO$)/;
const HANDSHAKE_MESSAGE =
  /does not support SSL connections|error establishing an SSL connection|before secure TLS connection was established/;

/** The error for a failure of TLS, before the server has said anything. */
export function ofTls(
  code: string,
  message: string,
): 'database_untrusted' | 'database_tls_failed' | undefined {
  if (CERTIFICATE_CODE.test(code)) return 'database_untrusted';
  return HANDSHAKE_CODE.test(code) || HANDSHAKE_MESSAGE.test(message) ? 'database_tls_failed' : undefined;
}
