// Owns the registry of signal types: registration (always inactive), and audited activation and deactivation.
import { type CamelRow, camelRow, type ParamsOf, type RowOf, type Transaction } from '../../../db/index.js';
import { requireKnown, unknownName } from '../../../kernel/index.js';
import { type SignalType, STREAMS, type Stream } from '../catalogue.js';
import { eventErrors } from '../errors.js';
import { listTypes, registerTypes, setActive } from './type.sql.js';

export type RegisteredType = CamelRow<RowOf<typeof listTypes>>;

/** How an unknown type is reported. */
export const TYPES = {
  what: 'signal type',
  more: '`gcos event types` lists all',
  error: eventErrors.event_type_unknown,
} as const;

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;

export function requireStream(stream: string): Stream {
  return requireKnown(stream, { what: 'stream', known: STREAMS, error: eventErrors.event_stream_unknown });
}

/** The parameters that register `types`. */
export function registration(types: readonly SignalType[]): ParamsOf<typeof registerTypes> {
  const invalid = types.find((each) => !NAME.test(each.type) || each.type.startsWith('gcos.'));
  if (invalid !== undefined)
    throw eventErrors.event_type_invalid(`\`${invalid.type}\` cannot be the name of a signal type`);
  return {
    types: types.map((each) => each.type),
    streams: types.map((each) => each.stream),
    severities: types.map((each) => each.severity),
    descriptions: types.map((each) => each.description),
    heartbeats: types.map((each) => each.heartbeat),
  };
}

/** Registers types, inactive; returns the new names. */
export async function addTypes(tx: Transaction, types: readonly SignalType[]): Promise<string[]> {
  const rows = await tx.run(registerTypes, registration(types));
  return rows.map((row) => row.registered);
}

function matcher(pattern: string): (type: string) => boolean {
  if (!pattern.includes('*')) return (type) => type === pattern;
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.\\+?^${}()|[\]]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`);
  return (type) => expression.test(type);
}

/** GCOS's types that match `patterns`. Throws if a pattern matches no type, or only types of the host. */
export async function chooseTypes(tx: Transaction, patterns: readonly string[]): Promise<RegisteredType[]> {
  const all = (await tx.run(listTypes, { stream: null, after: null, limit: 2_147_483_647 })).map(camelRow);
  const chosen = new Set<RegisteredType>();
  for (const pattern of patterns) {
    const found = all.filter((each) => matcher(pattern)(each.eventType));
    if (found.length === 0)
      throw unknownName(pattern, {
        ...TYPES,
        known: all.map((each) => each.eventType),
      });
    if (!found.some((each) => each.own))
      throw eventErrors.event_type_foreign(`\`${pattern}\` was registered by the host itself`);
    for (const each of found) if (each.own) chosen.add(each);
  }
  return [...chosen];
}

/** Activates or deactivates types after waiting for running emitters. Returns the changed names. */
export async function switchTypes(
  tx: Transaction,
  change: { readonly types: readonly string[]; readonly active: boolean },
): Promise<string[]> {
  const rows = await tx.run(setActive, change);
  return rows.map((row) => row.changed);
}
