// Owns the errors of leases, cursors, retries and the pause, and how the database's own refusals become them.
import { sqlstateOf } from '../../db/index.js';
import { defineErrors } from '../../kernel/index.js';

export const cursorErrors = defineErrors({
  lease_lost: {
    exit: 1,
    when: 'another process took a worker’s lease over, or its cursor was reset; what it was doing was rolled back',
    help: 'nothing was lost: whoever holds the lease now does the work; see docs/workers.md',
  },
  cursor_watermark_regression: {
    exit: 1,
    when: 'a worker tried to move a watermark backwards; its transaction was rolled back',
    help: 'look at the source (restored? clock set back?); only an explicit replay moves a cursor back',
  },
  cursor_watermark_invalid: {
    exit: 3,
    when: 'a watermark is not a timestamp, or not an id of the type its source has',
    help: 'give the time as PostgreSQL prints it, and the id as an integer or a uuid, as the cursor says',
  },
  cursor_unknown: {
    exit: 3,
    when: 'there is no cursor for this worker, source and round',
    help: 'a cursor appears when its worker first takes its lease',
  },
  worker_invalid: {
    exit: 3,
    when: 'the name of a worker or of its source cannot be used',
    help: 'workers: lower-case letters, digits and _, at most 31; sources: also dots, at most 63',
  },
  workers_paused: {
    exit: 1,
    when: 'a worker wanted to start a transaction while all workers are paused',
    help: '`gcos status` shows who paused them and why; `gcos resume` lets them go on',
  },
  dead_letter_unknown: {
    exit: 3,
    when: 'there is no dead letter of this id',
    help: '`gcos deadletter list` shows them; one that was retried or settled is no longer listed',
  },
});

type Refusals = Readonly<
  Record<string, 'lease_lost' | 'cursor_watermark_regression' | 'cursor_watermark_invalid' | 'cursor_unknown'>
>;
/** What the functions in the database raise. */
const RAISED: Refusals = {
  UG001: 'lease_lost',
  UG002: 'cursor_watermark_regression',
  UG003: 'cursor_unknown',
};
/** Times that cannot be read, and ids that are not of the cursor's type. */
const UNREADABLE: Refusals = {
  '22007': 'cursor_watermark_invalid',
  '22008': 'cursor_watermark_invalid',
  '23514': 'cursor_watermark_invalid',
};

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ \(SQLSTATE \w{5}\)$/, '');
}

/**
 * Runs a statement under a fence, which may bring a watermark; what the database refuses becomes an error of
 * this room.
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
