// Owns the errors of installing, upgrading, removing and checking GCOS's schema.
import { defineErrors } from '../../kernel/index.js';

export const schemaErrors = defineErrors({
  schema_missing: {
    exit: 4,
    when: 'the database has no schema of the configured name',
    help: 'correct GCOS_SCHEMA',
  },
  schema_not_installed: {
    exit: 4,
    when: 'the database does not contain the GCOS schema',
    help: 'run `gcos init`, or `gcos init --dry-run` to get a file for your DBA',
  },
  schema_foreign: {
    exit: 4,
    when: 'a table has the name of a GCOS table but was not created by GCOS',
    help: 'choose another schema with GCOS_SCHEMA, or rename the other table',
  },
  schema_newer: {
    exit: 4,
    when: 'a newer version of GCOS created the schema; older code never changes it',
    help: 'use the GCOS version that upgraded this database, or a later one',
  },
  schema_older: {
    exit: 4,
    when: 'an older version of GCOS created the schema',
    help: 'run `gcos upgrade`, or `gcos upgrade --dry-run` to see what it would do',
  },
  schema_altered: {
    exit: 4,
    when: 'a recorded migration differs from the one in this version of GCOS',
    help: 'a different build created the schema; compare `gcos init --dry-run` with what was applied',
  },
  roles_missing: {
    exit: 4,
    when: 'the GCOS roles, or the schema of what carries trust, do not exist and the connected role may not create them',
    help: 'have an operator run the statements printed in the message',
  },
  uninstall_would_lose_rows: {
    exit: 3,
    when: 'a table added with `gcos init --with` holds rows, which users may have written',
    help: 'export them first, then run `gcos uninstall --drop-rows`',
  },
  uninstall_blocked: {
    exit: 1,
    when: 'other objects depend on a GCOS table; GCOS drops nothing that is not its own',
    help: 'drop or change the dependent objects named in the message, then run it again',
  },
  extension_unknown: {
    exit: 3,
    when: '`gcos init --with` names an extension that GCOS does not know',
    help: 'see `gcos init --help`',
  },
  extension_present: {
    exit: 3,
    when: '`gcos init --with` names an extension whose tables the host already has',
    help: 'leave it out: GCOS uses the tables of the host',
  },
});
