// Owns emit-or-hold: the transaction that causes a signal also emits it if its type is registered and active,
// and otherwise holds it. No signal is lost. All signals are checked before the first write.
import { z } from 'zod';
import type { Transaction } from '../../../db/index.js';
import { SEVERITIES, type Severity } from '../catalogue.js';
import { eventErrors } from '../errors.js';
import { payloadText } from '../payload/schema.js';
import { emitBatch } from './emit.sql.js';

export interface Signal {
  /** Dotted, without the domain: `coverage.orphan`. */
  readonly type: string;
  /** The table of the signal's subject, and the subject's key in that table. */
  readonly subjectTable: string;
  readonly subjectRef?: string;
  /** The address of the subject; `subjectTable:subjectRef` by default. */
  readonly address?: string;
  /** The severity of the type by default. */
  readonly severity?: Severity;
  /** Addresses, references and counts; see the schemas. Empty by default. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** timestamptz as text; the current time by default. */
  readonly occurredAt?: string;
  readonly correlationId?: string;
  /**
   * A signal with a key is emitted only once, even if the caller repeats it: its id is derived from its type
   * and the key.
   */
  readonly dedupeKey?: string;
}

export interface Emission {
  readonly emitted: number;
  readonly held: number;
  /** Skipped because their key was already used. */
  readonly repeated: number;
}

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

/**
 * Emits or holds `signals`, in their order, in the caller's transaction, with one statement for all of them.
 */
export async function emitSignals(tx: Transaction, given: readonly Signal[]): Promise<Emission> {
  const signals = given.map(check);
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
  });
  return { emitted: Number(counts.emitted), held: Number(counts.held), repeated: Number(counts.repeated) };
}
