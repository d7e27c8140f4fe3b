// Owns the kinds of links.
import { requireKnown } from '../../kernel/index.js';
import { logErrors } from './errors.js';

export const LOG_KINDS = [
  'log.opened',
  'request.opened',
  'request.approved',
  'request.rejected',
  'request.withdrawn',
  'request.altered',
  'request.deleted',
  'ruleset.activated',
  'exception.requested',
  'exception.granted',
  'exception.revoked',
  'exception.altered',
  'exception.deleted',
  'break_glass.requested',
  'break_glass.began',
  'break_glass.used',
  'break_glass.closed',
  'break_glass.verified',
  'break_glass.altered',
  'break_glass.deleted',
  'ledger.closed',
  'ledger.failed',
  'ledger.altered',
  'gate.sealed',
  'gate.pruned',
  'snapshot.pruned',
  'setting.changed',
  'setting.removed',
  'actor.changed',
  'actor.removed',
  'token.created',
  'token.revoked',
  'token.altered',
  'token.deleted',
] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export function requireKind(kind: string): LogKind {
  return requireKnown(kind, { what: 'kind of the log', known: LOG_KINDS, error: logErrors.log_kind_unknown });
}
