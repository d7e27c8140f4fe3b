// Owns one representative write of each kind GCOS makes into host tables. `gcos doctor` tries them in a transaction
// that is always rolled back, so that a constraint or trigger nobody told us about is met before it matters.
import { type Shape, type Statement, statement, type Transaction, type Values } from '../../db/index.js';
import { defineErrors } from '../../kernel/index.js';
import type { HostMapping } from '../mapping.js';
import birthsAfterSql from './births-after.sql.js';
import eventOutboxSql from './event-outbox.sql.js';
import eventPendingSql from './event-pending.sql.js';
import eventReadSql from './event-read.sql.js';
import eventSubscriptionSql from './event-subscription.sql.js';
import eventTypeRegistrySql from './event-type-registry.sql.js';
import evolutionSnapshotsSql from './evolution-snapshots.sql.js';
import latestBirthSql from './latest-birth.sql.js';
import queueHeartbeatSql from './queue-heartbeat.sql.js';
import registryChangelogSql from './registry-changelog.sql.js';
import systemIssuesSql from './system-issues.sql.js';
import updateEventPendingSql from './update-event-pending.sql.js';
import updateEventSubscriptionSql from './update-event-subscription.sql.js';
import updateEventTypeRegistrySql from './update-event-type-registry.sql.js';
import updateQueueHeartbeatSql from './update-queue-heartbeat.sql.js';
import updateSystemIssuesSql from './update-system-issues.sql.js';

export interface TrialWrite {
  /** The table written; its contract must hold, or the trial is not made. */
  readonly table: string;
  /** What the row is, in words: "a finding". */
  readonly what: string;
  /** A `table` trial needs the right to insert; a `function` trial writes as the workers of an installed GCOS do. */
  readonly through: 'table' | 'function';
  readonly statements: readonly Statement[];
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

const NONE = {} as const;
const WRITTEN = { written: 'bool' } as const;
const SIGNAL = { stream: 'text', lane: 'text', severity: 'text?' } as const;

/** A trigger that returns null, or a rule that does nothing, accepts a row and loses it: one row must have been written. */
async function writeOne<P extends Shape>(
  tx: Transaction,
  each: Statement<P, typeof WRITTEN>,
  values: Values<P>,
  verb: string,
): Promise<void> {
  const rows = await tx.run(each, values);
  if (rows.length !== 1) throw trialErrors.trial_row_lost(`the host silently ${verb} it`);
}

function trial<P extends Shape>(
  table: string,
  what: string,
  sql: { readonly insert: string; readonly update?: string },
  params: P,
  values: (mapping: HostMapping) => Values<P>,
): TrialWrite {
  const insert = statement({ name: `host.trial_${table}`, sql: sql.insert, params, columns: WRITTEN });
  const update =
    sql.update === undefined
      ? undefined
      : statement({ name: `host.trial_update_${table}`, sql: sql.update, params: NONE, columns: WRITTEN });
  return {
    table,
    what,
    through: 'table',
    statements: [insert, ...(update === undefined ? [] : [update])],
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
  trial('registry_changelog', 'an audit row', { insert: registryChangelogSql }, NONE, () => ({})),
  trial('evolution_snapshots', 'a snapshot', { insert: evolutionSnapshotsSql }, NONE, () => ({})),
  trial(
    'system_issues',
    'a finding',
    { insert: systemIssuesSql, update: updateSystemIssuesSql },
    { severity: 'text' },
    (mapping) => ({
      severity: mapping.wordFor('issue_severity', 'high') ?? 'high',
    }),
  ),
  trial(
    'event_type_registry',
    'an inactive signal type',
    { insert: eventTypeRegistrySql, update: updateEventTypeRegistrySql },
    SIGNAL,
    signalWords,
  ),
  trial('event_outbox', 'a signal', { insert: eventOutboxSql }, SIGNAL, signalWords),
  trial(
    'event_pending',
    'a held signal',
    { insert: eventPendingSql, update: updateEventPendingSql },
    NONE,
    () => ({}),
  ),
  trial(
    'event_subscription',
    'a subscription',
    { insert: eventSubscriptionSql, update: updateEventSubscriptionSql },
    NONE,
    () => ({}),
  ),
  trial('event_read', 'a read mark', { insert: eventReadSql }, SIGNAL, signalWords),
  trial(
    'queue_heartbeat',
    'a heartbeat',
    { insert: queueHeartbeatSql, update: updateQueueHeartbeatSql },
    NONE,
    () => ({}),
  ),
];

export const latestBirth = statement({
  name: 'host.latest_birth',
  sql: latestBirthSql,
  params: {},
  columns: { id: 'int8' },
});
export const birthsAfter = statement({
  name: 'host.births_after',
  sql: birthsAfterSql,
  params: { id: 'int8' },
  columns: { births: 'int8' },
});
