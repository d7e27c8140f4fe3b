// Owns the errors of the command line itself.
import { defineErrors } from '../kernel/index.js';

export const cliErrors = defineErrors({
  usage_invalid: {
    exit: 3,
    when: 'a command, flag or argument is unknown, missing or malformed',
    help: '`gcos --help` lists the commands, `gcos COMMAND --help` the flags of one',
  },
  file_unwritable: {
    exit: 3,
    when: 'an output file already exists or cannot be written',
    help: 'choose another name with --output',
  },
  psql_missing: {
    exit: 3,
    when: '`gcos db psql` is to open a session, and psql is not installed',
    help: 'install psql (a package such as postgresql-client); `gcos db psql -c "select 1"` works without it',
  },
  host_missing: {
    exit: 4,
    when: '`gcos up` runs on a database without the host tables',
    help: 'point DATABASE_URL at the host database, or try `gcos up --demo` for a demo estate',
  },
  demo_target_configured: {
    exit: 3,
    when: 'a demo estate would be built in a configured database, and --yes is missing',
    help: '`--embedded` builds it in the embedded server of GCOS; to build it in the configured database, whose schema must be empty, add --yes',
  },
  confirmation_missing: {
    exit: 3,
    when: 'a command would destroy something, --yes is missing, and there is no terminal to ask on',
    help: 'add --yes to go on without a question; nothing was changed',
  },
  not_confirmed: {
    exit: 3,
    when: 'a command asked before it would destroy something, and the answer was not yes',
    help: 'run it again and answer yes, or add --yes',
  },
  ledger_open: {
    exit: 2,
    when: '`gcos govern` takes in an estate, and the two sides of the first ledger differ',
    help: '`gcos backfill status` names what is missing; repeating the command goes on',
  },
  internal_error: {
    exit: 1,
    when: 'an unexpected error occurred; it is a defect of GCOS',
    help: 'please report it with the command you ran; GCOS_DEBUG=1 shows the stack',
  },
});
