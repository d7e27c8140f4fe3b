// Owns one representative write of each kind GCOS makes into host tables. `gcos doctor` tries them in a transaction
// that is always rolled back, so that a constraint or trigger nobody told us about is met before it matters.
import { type Shape, type Statement, statement, type Transaction, type Values } from '../../db/index.js';
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

export interface TrialWrite {
  /** The table written; its contract must hold, or the trial is not made. */
  readonly table: string;
  /** What the row is, in words: "a finding". */
  readonly what: string;
  readonly statement: Statement;
  write(tx: Transaction, mapping: HostMapping): Promise<void>;
}

const NONE = {} as const;
const SIGNAL = { stream: 'text', lane: 'text', severity: 'text?' } as const;

function trial<P extends Shape>(
  table: string,
  what: string,
  sql: string,
  params: P,
  values: (mapping: HostMapping) => Values<P>,
): TrialWrite {
  const insert = statement({ name: `host.trial_${table}`, sql, params, columns: NONE });
  return {
    table,
    what,
    statement: insert,
    async write(tx, mapping) {
      await tx.run(insert, values(mapping));
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
  trial('registry_changelog', 'an audit row', registryChangelogSql, NONE, () => ({})),
  trial('evolution_snapshots', 'a snapshot', evolutionSnapshotsSql, NONE, () => ({})),
  trial('system_issues', 'a finding', systemIssuesSql, { severity: 'text' }, (mapping) => ({
    severity: mapping.wordFor('issue_severity', 'high') ?? 'high',
  })),
  trial('event_type_registry', 'an inactive signal type', eventTypeRegistrySql, SIGNAL, signalWords),
  trial('event_outbox', 'a signal', eventOutboxSql, SIGNAL, signalWords),
  trial('event_pending', 'a held signal', eventPendingSql, NONE, () => ({})),
  trial('event_subscription', 'a subscription', eventSubscriptionSql, NONE, () => ({})),
  trial('event_read', 'a read mark', eventReadSql, SIGNAL, signalWords),
  trial('queue_heartbeat', 'a heartbeat', queueHeartbeatSql, NONE, () => ({})),
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
