// Owns the errors of sources, and which SQLSTATE of the functions stands for which.
import { sqlstateOf } from '../../db/index.js';
import { defineErrors, GcosError } from '../../kernel/index.js';

export const sourceErrors = defineErrors({
  source_not_home: {
    exit: 4,
    when: 'a source is used in a database whose host GCOS did not create',
    help: 'a host that registers its objects itself needs no source; `gcos init --with host` creates a home in an empty database',
  },
  source_unknown: {
    exit: 3,
    when: 'there is no source, or no kind of source, of that name',
    help: '`gcos source list` shows the sources',
  },
  source_exists: {
    exit: 3,
    when: 'a source is added under a name that another one has',
    help: 'choose another name, or `gcos source remove` the other one first',
  },
  source_invalid: {
    exit: 3,
    when: 'a source cannot be read with this configuration, or lists an object that cannot be one',
    help: 'correct what the message names; nothing was changed',
  },
  source_unreadable: {
    exit: 1,
    when: 'an estate could not be read to its end',
    help: 'correct what the message names; nothing was changed',
  },
  source_busy: {
    exit: 1,
    when: 'another sync of the same source is running',
    help: 'wait until it has ended',
  },
  source_shrank: {
    exit: 1,
    when: 'a source lists less than nine tenths of the objects of a class that it listed before, and more than ten are missing; nothing was changed',
    help: 'look whether the estate was read completely; `gcos source sync NAME --accept-shrink` records the objects as gone',
  },
});

const BY_SQLSTATE: Readonly<Record<string, keyof typeof sourceErrors.kinds>> = {
  UG020: 'source_shrank',
  UG021: 'source_busy',
  UG022: 'source_invalid',
  UG023: 'source_unknown',
  UG024: 'source_not_home',
  UG025: 'source_exists',
  // The name or the configuration of a source violates a constraint.
  '23514': 'source_invalid',
};

/** The error of a source for an error of its functions; any other error as it is. */
export function sourceError(error: unknown): unknown {
  const state = sqlstateOf(error);
  const code = state === undefined ? undefined : BY_SQLSTATE[state];
  if (code === undefined || !(error instanceof GcosError)) return error;
  const message = (error.cause instanceof Error ? error.cause : error).message;
  return sourceErrors[code](message, { cause: error });
}
