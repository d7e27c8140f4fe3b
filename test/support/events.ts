// Emits signals for tests, and reads the outbox.
import type { Database, Transaction } from '../../src/db/index.js';
import { type Emission, emitSignals, type Signal } from '../../src/record/event/index.js';
import { asHost } from './database.js';

/** A signal about one object of the estate. */
export function signalOf(type: string, ref: string, more: Partial<Signal> = {}): Signal {
  return {
    type,
    subjectTable: 'birth_registry',
    subjectRef: ref,
    payload: { scope: 'approval', count: 1 },
    ...more,
  };
}

/** Emits in a separate transaction. */
export async function emitNow(db: Database, signals: readonly Signal[]): Promise<Emission> {
  return db.transaction({ isolation: 'read committed' }, (tx: Transaction) => emitSignals(tx, signals));
}

/** Maps the login of `url` to a person: only a person may activate event types or read events. */
export async function mapTester(url: string): Promise<void> {
  await asHost(
    url,
    `insert into gcos_trust.governance_actor (person_ref, login, approver_type) values ('tester', session_user, 'member')`,
  );
}

/** GCOS's rows in the outbox, in the order of their creation. */
export function outbox(url: string, where = 'true'): Promise<Record<string, unknown>[]> {
  return asHost(
    url,
    `select id, event_type, event_stream, event_severity, event_subject_ref, canonical_address, actor_ref, source_system,
       payload_classification, safe_payload, created_at::text
     from event_outbox where event_domain = 'governance' and ${where} order by created_at`,
  );
}

export async function countOf(url: string, from: string): Promise<number> {
  const [row] = await asHost(url, `select count(*)::int as n from ${from}`);
  return Number(row?.['n']);
}
