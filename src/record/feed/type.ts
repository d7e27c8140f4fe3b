// Owns the types of entries: the facts that the feed has of its own, and the choice by exact names and by
// patterns such as `finding.*`. Emitted signals are in the feed under their own types.
import type { Transaction } from '../../db/index.js';
import { unknownName, valueErrors } from '../../kernel/index.js';
import { listSignalTypes } from './feed.sql.js';

/** Facts, whether or not a signal type is active. docs/feed.md says when each is written. */
export const FEED_TYPES = [
  'break_glass.began',
  'break_glass.closed',
  'break_glass.requested',
  'break_glass.used',
  'break_glass.verified',
  'exception.granted',
  'exception.requested',
  'exception.revoked',
  'finding.raised',
  'finding.reopened',
  'finding.resolved',
  'inventory.changed',
  'ledger.closed',
  'ledger.failed',
  'request.approved',
  'request.opened',
  'request.rejected',
  'request.withdrawn',
  'ruleset.activated',
  'run.ended',
  'run.progressed',
  'run.started',
  'source.failed',
  'source.synced',
  'verdict.changed',
  'worker.started',
  'worker.stopped',
] as const;

export function matchesType(types: readonly string[], type: string): boolean {
  return types.some(
    (each) => each === '*' || each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))),
  );
}

/** Throws unless each is a type of the feed or of a signal, or a pattern that one of them matches. */
export async function requireTypes(tx: Transaction, types: readonly string[]): Promise<void> {
  if (types.length === 0) throw valueErrors.value_invalid('no type is given');
  if (types.every((each) => each === '*')) return;
  const known = [...FEED_TYPES, ...(await tx.run(listSignalTypes, {})).map((row) => row.event_type)];
  const strange = types.find((each) => !known.some((type) => matchesType([each], type)));
  if (strange !== undefined)
    throw unknownName(strange, {
      ...{ what: 'type of the feed', known, more: 'docs/feed.md and `gcos event types` list all' },
    });
}
