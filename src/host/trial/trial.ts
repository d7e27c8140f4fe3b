// Owns one representative write for each kind of row that GCOS writes into host tables. `gcos doctor` tries
// them in a transaction that is always rolled back, to find unknown constraints and triggers of the host
// early.
import type { Statement, Transaction } from '../../db/index.js';
import { defineErrors } from '../../kernel/index.js';
import type { HostMapping } from '../mapping.js';

import {
  insertEventOutbox,
  insertEventPending,
  insertEventRead,
  insertEventSubscription,
  insertEventTypeRegistry,
  insertEvolutionSnapshots,
  insertQueueHeartbeat,
  insertRegistryChangelog,
  insertSystemIssues,
  updateEventPending,
  updateEventSubscription,
  updateEventTypeRegistry,
  updateQueueHeartbeat,
  updateSystemIssues,
} from './trial.sql.js';

export interface TrialWrite {
  /** The table that the trial writes. The trial runs only if the table meets its contract. */
  readonly table: string;
  /** A description of the row, such as "a finding". */
  readonly what: string;
  /**
   * A `table` trial needs the INSERT privilege; a `function` trial writes through the same function as the
   * workers of an installed GCOS.
   */
  readonly through: 'table' | 'function';
  /** Throws when the host refuses the row, drops it silently, or does not let it be updated. */
  write(tx: Transaction, mapping: HostMapping): Promise<void>;
}

export const trialErrors = defineErrors({
  trial_row_lost: {
    exit: 4,
    when: 'a trial write of `gcos doctor` raises no error, but the row does not exist afterwards',
    help: 'look for triggers that return null and DO INSTEAD NOTHING rules on the table that the message names',
  },
});

interface Written {
  readonly written: boolean;
}

/**
 * Throws unless exactly one row was written: a trigger that returns null, or a DO INSTEAD NOTHING rule, drops
 * a row without an error.
 */
async function writeOne<P>(
  tx: Transaction,
  each: Statement<P, Written>,
  values: P,
  verb: string,
): Promise<void> {
  const rows = await tx.run(each, values);
  if (rows.length !== 1) throw trialErrors.trial_row_lost(`the host silently ${verb} it`);
}

function trial<P>(
  table: string,
  what: string,
  statements: { readonly insert: Statement<P, Written>; readonly update?: Statement<object, Written> },
  values: (mapping: HostMapping) => P,
): TrialWrite {
  const { insert, update } = statements;
  return {
    table,
    what,
    through: 'table',
    async write(tx, mapping) {
      await writeOne(tx, insert, values(mapping), 'drops');
      if (update !== undefined) await writeOne(tx, update, {}, 'does not update');
    },
  };
}

/** A word without a mapping is tried unchanged; the server's error is then reported. */
const signalWords = (mapping: HostMapping) => ({
  stream: mapping.wordFor('stream', 'governance.coverage') ?? 'governance.coverage',
  lane: mapping.wordFor('lane', 'immediate') ?? 'immediate',
  severity: mapping.wordFor('event_severity', 'high') ?? 'high',
});

export const trialWrites: readonly TrialWrite[] = [
  trial('registry_changelog', 'an audit row', { insert: insertRegistryChangelog }, (mapping) => ({
    alertLevel: mapping.wordFor('alert_level', 'info') ?? 'info',
  })),
  trial('evolution_snapshots', 'a snapshot', { insert: insertEvolutionSnapshots }, () => ({})),
  trial(
    'system_issues',
    'a finding',
    { insert: insertSystemIssues, update: updateSystemIssues },
    (mapping) => ({
      severity: mapping.wordFor('issue_severity', 'high') ?? 'high',
      status: mapping.wordFor('issue_status', 'open') ?? 'open',
    }),
  ),
  trial(
    'event_type_registry',
    'an inactive signal type',
    { insert: insertEventTypeRegistry, update: updateEventTypeRegistry },
    signalWords,
  ),
  trial('event_outbox', 'a signal', { insert: insertEventOutbox }, signalWords),
  trial(
    'event_pending',
    'a held signal',
    { insert: insertEventPending, update: updateEventPending },
    () => ({}),
  ),
  trial(
    'event_subscription',
    'a subscription',
    { insert: insertEventSubscription, update: updateEventSubscription },
    () => ({}),
  ),
  trial('event_read', 'a read mark', { insert: insertEventRead }, signalWords),
  trial(
    'queue_heartbeat',
    'a heartbeat',
    { insert: insertQueueHeartbeat, update: updateQueueHeartbeat },
    () => ({}),
  ),
];
