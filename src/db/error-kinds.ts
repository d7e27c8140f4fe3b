// Owns the errors of the database: their codes, causes and remedies. `errors.ts` chooses among them.
import { defineErrors } from '../kernel/index.js';

export const dbErrors = defineErrors({
  database_unreachable: {
    exit: 4,
    when: 'no PostgreSQL server answers at the configured address',
    help: 'check DATABASE_URL and that the server is running; `gcos db status` shows the embedded one',
  },
  database_restarting: {
    exit: 4,
    when: 'the server is shutting down, restarting or starting up, or an administrator ended the session',
    help: 'run the command again when the server accepts connections; every command is safe to repeat, and workers continue by themselves',
  },
  connection_lost: {
    exit: 4,
    when: 'the connection to the server broke, or the server stopped answering on it; its transaction is rolled back, unless its COMMIT was already on the way',
    help: 'run the command again: every command is safe to repeat. If it happens often, look for a crash in the log of the server, and for a proxy or firewall that ends connections',
  },
  session_timeout: {
    exit: 1,
    when: 'a time limit of the server ended the session: for idle sessions, idle transactions or whole transactions',
    help: 'run the command again; this machine was suspended or overloaded, or the server or the login has a limit that is too short for GCOS (`transaction_timeout`, `idle_session_timeout`)',
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
    when: 'the server has no database of that name, or it was dropped',
    help: 'create the database, or correct its name in DATABASE_URL',
  },
  database_full: {
    exit: 4,
    when: 'the server accepts no more connections',
    help: 'wait for other sessions to finish, lower GCOS_POOL_SIZE, or raise max_connections',
  },
  database_exhausted: {
    exit: 4,
    when: 'the server is out of disk space, memory or another resource',
    help: 'free space or memory on the server; GCOS continues by itself, and nothing was lost',
  },
  database_read_only: {
    exit: 4,
    when: 'a write was attempted on a standby or in a read-only session',
    help: 'connect to the primary with a role that may write; after a failover, DATABASE_URL must name the new primary',
  },
  database_fault: {
    exit: 4,
    when: 'the server reports an internal error, or an error of its disk, its files, its configuration or its data',
    help: 'read the log of the server before anything else; if it reports damaged data, stop writing, and check it with pg_amcheck',
  },
  database_limit: {
    exit: 1,
    when: 'a statement or a value exceeds a limit of the server',
    help: 'the message names the limit; look for one very large value in the rows that the command reads',
  },
  object_busy: {
    exit: 1,
    when: 'the server cannot change an object because another session uses it; nothing was changed',
    help: 'try again when the other session has ended; pg_stat_activity shows who it is',
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
  credential_unknown: {
    exit: 3,
    when: 'a transaction presents a token that does not exist, or another process put something in its place',
    help: 'check that the whole token was copied; `gcos token list` shows the tokens by their id, which follows `gcos_`',
  },
  credential_expired: {
    exit: 3,
    when: 'a transaction presents a token after its expiry',
    help: 'create a new one with `gcos token create`',
  },
  credential_revoked: {
    exit: 3,
    when: 'a transaction presents a token that was revoked, or whose person is no longer active',
    help: '`gcos token list` shows who revoked it; create a new one with `gcos token create`',
  },
  permission_missing: {
    exit: 3,
    when: 'a token lacks the permission that the operation needs, or a token is to create tokens',
    help: 'create a token with that permission: read, gate, decide or operate; see docs/identities.md',
  },
  outside_limits: {
    exit: 3,
    when: 'a token is limited to scopes or owners, and the operation names none of them or is about others',
    help: '`gcos token list` shows the limits of each token',
  },
  privilege_missing: {
    exit: 4,
    when: 'the connected role lacks a privilege the command needs',
    help: '`gcos doctor` lists the privileges the connected role has and lacks',
  },
  schema_mismatch: {
    exit: 4,
    when: 'a schema, table, column, type, role or function that the command needs does not exist',
    help: '`gcos doctor` compares the database with what GCOS needs',
  },
  statement_timeout: {
    exit: 1,
    when: 'a statement ran longer than its limit and the server cancelled it',
    help: 'raise GCOS_STATEMENT_TIMEOUT, or look for missing statistics and indexes with `gcos doctor`',
  },
  statement_cancelled: {
    exit: 1,
    when: 'another session cancelled a statement of GCOS (pg_cancel_backend)',
    help: 'run the command again; the log of the server may show who cancelled it',
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
  as_of_invalid: {
    exit: 3,
    when: 'an `as_of` is not a text that GCOS returned',
    help: 'take `as_of` from an answer as it is, or leave it out to read the present',
  },
  as_of_expired: {
    exit: 1,
    when: 'the moment of an `as_of` is over: it can be read for at least a minute, unless the process that returned it, or the database, stops',
    help: 'read again without `as_of`: the answer names a new moment',
  },
  operation_cancelled: {
    exit: 1,
    when: 'the command was interrupted, or reached its `--timeout`; open transactions were rolled back',
    help: 'run the command again; every command is safe to repeat',
  },
});

export type DbErrorCode = keyof typeof dbErrors.kinds;
