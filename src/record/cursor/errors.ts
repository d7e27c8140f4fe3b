// Owns the errors of leases, cursors, retries and the pause, and the translation of database errors into
// them.
import { sqlstateOf } from '../../db/index.js';
import { defineErrors } from '../../kernel/index.js';

export const cursorErrors = defineErrors({
  lease_lost: {
    exit: 1,
    when: 'another process took a worker’s lease over, or its cursor was reset; the worker’s transaction was rolled back',
    help: 'nothing was lost: the current holder of the lease does the work; see docs/workers.md',
  },
  lease_stalled: {
    exit: 1,
    when: 'a worker made no progress for a minute, so it does not renew its lease: another worker takes over',
    help: 'nothing was lost; look for a dead connection or a process without CPU time',
  },
  cursor_watermark_regression: {
    exit: 1,
    when: 'a worker tried to move a watermark backwards; its transaction was rolled back',
    help: 'check whether the source was restored or its clock set back; only an explicit replay moves a cursor back',
  },
  cursor_watermark_invalid: {
    exit: 3,
    when: 'a watermark is not an id of the type of its source',
    help: 'give the id as an integer or a uuid, depending on the cursor',
  },
  cursor_unknown: {
    exit: 3,
    when: 'there is no cursor for this worker, source and round',
    help: 'a cursor is created when its worker takes its lease for the first time',
  },
  worker_invalid: {
    exit: 3,
    when: 'the name of a worker or of its source cannot be used',
    help: 'workers: lower-case letters, digits and _, at most 31; sources: also dots, at most 63',
  },
  workers_paused: {
    exit: 1,
    when: 'a worker tries to start a transaction while all workers are paused',
    help: '`gcos status` shows who paused them and why; `gcos resume` lets them continue',
  },
  pause_reason_missing: {
    exit: 3,
    when: 'a pause has no reason',
    help: 'say why with `--reason`; `gcos status` and the audit row show it',
  },
  dead_letter_unknown: {
    exit: 3,
    when: 'there is no dead letter with this id',
    help: '`gcos deadletter list` shows them; one that was retried or completed is no longer listed',
  },
});

type Refusals = Readonly<
  Record<string, 'lease_lost' | 'cursor_watermark_regression' | 'cursor_watermark_invalid' | 'cursor_unknown'>
>;
/** The SQLSTATEs that the functions in the database raise. */
const RAISED: Refusals = {
  UG001: 'lease_lost',
  UG002: 'cursor_watermark_regression',
  UG003: 'cursor_unknown',
};
/** Ids that do not have the cursor's type. */
const UNREADABLE: Refusals = {
  '23514': 'cursor_watermark_invalid',
};

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ \(SQLSTATE \w{5}\)$/, '');
}

/**
 * Runs a statement under a fence, possibly with a watermark, and translates database errors into errors of
 * this module.
 */
export async function translating<T>(
  { round, withWatermark = false }: { round: string; withWatermark?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const state = sqlstateOf(error) ?? '';
    const code = RAISED[state] ?? (withWatermark ? UNREADABLE[state] : undefined);
    if (code === undefined) throw error;
    throw cursorErrors[code](messageOf(error), { cause: error, facts: { round } });
  }
}
