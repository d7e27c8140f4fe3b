// Owns what can go wrong between GCOS's code and the schema it finds.
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
    when: 'a table has the name of one of GCOS but was not made by GCOS',
    help: 'choose another schema with GCOS_SCHEMA, or rename the other table',
  },
  schema_newer: {
    exit: 4,
    when: 'the schema was made by a newer version of GCOS; older code never touches it',
    help: 'use the GCOS version that upgraded this database, or a later one',
  },
  schema_older: {
    exit: 4,
    when: 'the schema was made by an older version of GCOS',
    help: 'run `gcos upgrade`, or `gcos upgrade --dry-run` to see what it would do',
  },
  schema_altered: {
    exit: 4,
    when: 'a recorded migration differs from the one in this version of GCOS',
    help: 'the schema was made by a different build; compare `gcos init --dry-run` with what was applied',
  },
  roles_missing: {
    exit: 4,
    when: 'the GCOS roles do not exist and the connected role may not create them',
    help: 'have an operator create the roles printed in the message',
  },
  uninstall_would_lose_rows: {
    exit: 3,
    when: 'a table added with `gcos init --with` holds rows that others may have written',
    help: 'export them first, then run `gcos uninstall --drop-rows`',
  },
  uninstall_blocked: {
    exit: 1,
    when: 'other objects depend on a GCOS table; GCOS drops nothing that is not its own',
    help: 'drop or change the dependent objects named in the message, then run it again',
  },
  extension_unknown: {
    exit: 3,
    when: '`gcos init --with` names something GCOS does not know',
    help: 'see `gcos init --help`',
  },
  extension_present: {
    exit: 3,
    when: '`gcos init --with` names something the host already has',
    help: 'leave it out: GCOS uses the tables of the host',
  },
});
