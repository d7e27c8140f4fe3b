// Owns emit-or-hold: a signal leaves in the transaction that causes it, if its type is registered and active; otherwise it
// is held there, and nothing is lost. Everything is checked before anything is written.
import { z } from 'zod';
import { statement, type Transaction } from '../../../db/index.js';
import type { HostMapping } from '../../../host/index.js';
import { SEVERITIES, type Severity } from '../catalogue.js';
import { eventErrors } from '../errors.js';
import { payloadText } from '../payload/schema.js';
import { alertLevel, severityWords } from '../type/type.js';
import emitSql from './emit.sql.js';

export interface Signal {
  /** Dotted, without the domain: `coverage.orphan`. */
  readonly type: string;
  /** The table of what the signal is about, and its key there. */
  readonly subjectTable: string;
  readonly subjectRef?: string;
  /** Where to find it; `subjectTable:subjectRef` unless given. */
  readonly address?: string;
  /** Unless given, the type's own. */
  readonly severity?: Severity;
  /** Addresses, references and counts; see the schemas. Nothing, unless given. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** timestamptz as text; now, unless given. */
  readonly occurredAt?: string;
  readonly correlationId?: string;
  /** With a key, the signal leaves once, however often it is emitted: its id is derived from its type and the key. */
  readonly dedupeKey?: string;
}

export interface Emission {
  readonly emitted: number;
  readonly held: number;
  /** Left out because their key had been seen. */
  readonly repeated: number;
}

export const emitBatch = statement({
  name: 'event.emit',
  sql: emitSql,
  params: {
    types: 'text[]',
    subjectTables: 'text[]',
    subjectRefs: 'text[]',
    addresses: 'text[]',
    severities: 'text[]',
    payloads: 'text[]',
    occurredAt: 'text[]',
    correlationIds: 'text[]',
    dedupeKeys: 'text[]',
    severityWords: 'text[]',
    alertLevel: 'text',
    at: 'timestamptz?',
  },
  columns: { emitted: 'int8', held: 'int8', repeated: 'int8' },
});

const text = z
  .string()
  .min(1)
  .max(500)
  .refine((value) => !value.includes('\0') && !/\p{Surrogate}/u.test(value), 'is not well-formed text');
const signalSchema = z.strictObject({
  type: z
    .string()
    .max(200)
    .regex(/^(?!gcos\.)[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/, 'is not the name of a signal type'),
  subjectTable: text,
  subjectRef: text.optional(),
  address: text.optional(),
  severity: z.enum(SEVERITIES).optional(),
  payload: z.unknown().optional(),
  occurredAt: z
    .string()
    .regex(
      /^\d{4,6}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?( ?(Z|[+-]\d\d(:?\d\d)?))$/,
      'is not a timestamptz',
    )
    .optional(),
  correlationId: z.guid().optional(),
  dedupeKey: text.optional(),
});

function check(signal: Signal): Signal {
  const parsed = signalSchema.safeParse(signal);
  if (parsed.success) return signal;
  const [issue] = parsed.error.issues;
  throw eventErrors.signal_invalid(
    `signal \`${String(signal.type).slice(0, 100)}\`: \`${issue?.path.join('.') ?? ''}\` ${issue?.message ?? 'is not valid'}`,
  );
}

/** Emits or holds `signals`, in their order, in the caller's transaction. One statement, however many there are. */
export async function emitSignals(
  tx: Transaction,
  request: {
    readonly signals: readonly Signal[];
    readonly mapping: HostMapping;
    /** The point in time that decides the notification window; the server's clock unless given. */
    readonly at?: string;
  },
): Promise<Emission> {
  const signals = request.signals.map(check);
  if (signals.length === 0) return { emitted: 0, held: 0, repeated: 0 };
  const payloads = signals.map((signal) => payloadText(signal.type, signal.payload ?? {}));
  const counts = await tx.one(emitBatch, {
    types: signals.map((signal) => signal.type),
    subjectTables: signals.map((signal) => signal.subjectTable),
    subjectRefs: signals.map((signal) => signal.subjectRef ?? ''),
    addresses: signals.map(
      (signal) =>
        signal.address ??
        [signal.subjectTable, signal.subjectRef].filter((part) => part !== undefined).join(':'),
    ),
    severities: signals.map((signal) => signal.severity ?? ''),
    payloads,
    occurredAt: signals.map((signal) => signal.occurredAt ?? ''),
    correlationIds: signals.map((signal) => signal.correlationId ?? ''),
    dedupeKeys: signals.map((signal) => signal.dedupeKey ?? ''),
    severityWords: severityWords(request.mapping),
    alertLevel: alertLevel(request.mapping),
    at: request.at ?? null,
  });
  return { emitted: Number(counts.emitted), held: Number(counts.held), repeated: Number(counts.repeated) };
}
