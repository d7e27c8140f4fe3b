// Owns one representative write of each kind GCOS makes into host tables. `gcos doctor` tries them in a transaction
// that is always rolled back, so that a constraint or trigger nobody told us about is met before it matters.
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
  /** The table written; its contract must hold, or the trial is not made. */
  readonly table: string;
  /** What the row is, in words: "a finding". */
  readonly what: string;
  /** A `table` trial needs the right to insert; a `function` trial writes as the workers of an installed GCOS do. */
  readonly through: 'table' | 'function';
  /** Throws when the host refuses the row, drops it silently, or does not let it be updated. */
  write(tx: Transaction, mapping: HostMapping): Promise<void>;
}

export const trialErrors = defineErrors({
  trial_row_lost: {
    exit: 4,
    when: 'a trial write of `gcos doctor` raises no error, but the row is not there afterwards',
    help: 'look for triggers that return null and rules that do nothing instead on the table named',
  },
});

interface Written {
  readonly written: boolean;
}

/** A trigger that returns null, or a rule that does nothing, accepts a row and loses it: one row must have been written. */
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

/** A word without a mapping is tried as it is: the server's refusal is then the answer. */
const signalWords = (mapping: HostMapping) => ({
  stream: mapping.wordFor('stream', 'governance.coverage') ?? 'governance.coverage',
  lane: mapping.wordFor('lane', 'immediate') ?? 'immediate',
  severity: mapping.wordFor('event_severity', 'high') ?? 'high',
});

export const trialWrites: readonly TrialWrite[] = [
  trial('registry_changelog', 'an audit row', { insert: insertRegistryChangelog }, () => ({})),
  trial('evolution_snapshots', 'a snapshot', { insert: insertEvolutionSnapshots }, () => ({})),
  trial(
    'system_issues',
    'a finding',
    { insert: insertSystemIssues, update: updateSystemIssues },
    (mapping) => ({
      severity: mapping.wordFor('issue_severity', 'high') ?? 'high',
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
