// Owns the sync of one source: what its reader yields goes into the staging table, and what differs from the
// last sync is written, in one transaction. INVARIANT: whatever ends a sync early, nothing has happened.
import { z } from 'zod';
import type { CopyRow, Database, Transaction } from '../../db/index.js';
import { storableJson } from '../../kernel/index.js';
import { sourceError, sourceErrors } from './errors.js';
import type { SourceRun } from './kind.js';
import { beginSync, finishSync } from './source.sql.js';
import type { SourceObject, SourceReader } from './source-object.js';

const count = z.number().int().nonnegative();
const classCounts = z.strictObject({
  class: z.string(),
  objects: count,
  created: count,
  changed: count,
  gone: count,
  renamed: count,
  returned: count,
});
const written = z.object({
  classes: z.array(classCounts),
  owners: z.strictObject({ begun: count, ended: count }),
  read_at: z.string().optional(),
});

/** What a sync found in one class. A renamed object is neither created nor gone. */
export type ClassCounts = z.infer<typeof classCounts>;

export interface SyncReport {
  readonly source: string;
  /** When the sync began to read: what the estate committed before is in it. */
  readonly readAt: string;
  readonly objects: number;
  readonly classes: readonly ClassCounts[];
  /** Rows of ownership that began and ended with this sync. */
  readonly owners: { readonly begun: number; readonly ended: number };
  /** Whether anything differs from the last sync. */
  readonly changed: boolean;
}

export interface SyncOptions extends SourceRun {
  /** Record objects as gone in any number. */
  readonly acceptShrink?: boolean;
  /** Called with the number of objects read so far. */
  readonly onProgress?: (objects: number) => void;
}

const COLUMNS = [
  'object_class',
  'code',
  'identity',
  'parent_class',
  'parent_code',
  'attributes',
  'links',
  'position',
] as const;

/** A code is part of an index, which takes less than 2,700 bytes for a row. */
const LONGEST_CODE = 1_024;
/** What PostgreSQL cannot store, and UTF-8 cannot encode. */
const UNFIT = /[\0\p{Surrogate}]/u;
const PROGRESS_EVERY = 5_000;
/** An estate is read while the transaction is open; the limit only ends what hangs. */
const LIMITS = { isolation: 'read committed', statementTimeoutMs: 3_600_000 } as const;

/** Throws unless the text can be the key of an object. */
function requireKey(what: string, text: string, position: number): string {
  if (text === '') throw sourceErrors.source_invalid(`object ${position} has an empty ${what}`);
  if (UNFIT.test(text))
    throw sourceErrors.source_invalid(
      `object ${position}: its ${what} has a character that no text in PostgreSQL can have`,
    );
  if (Buffer.byteLength(text) > LONGEST_CODE)
    throw sourceErrors.source_invalid(
      `object ${position}: its ${what} is longer than ${LONGEST_CODE} bytes`,
      { facts: { position, bytes: Buffer.byteLength(text) } },
    );
  return text;
}

function rowOf(object: SourceObject, classes: ReadonlySet<string>, position: number): CopyRow {
  if (!classes.has(object.class))
    throw sourceErrors.source_invalid(
      `object ${position} is of class \`${object.class}\`, which the source does not describe`,
    );
  const { identity, parent } = object;
  return [
    object.class,
    requireKey('code', object.code, position),
    identity === null ? null : requireKey('identity', identity, position),
    parent === null ? null : parent.class,
    parent === null ? null : requireKey('parent', parent.code, position),
    storableJson(object.attributes),
    storableJson(object.links),
    String(position),
  ];
}

/** The rows of the staging table, one at a time. */
async function* rowsOf(
  reader: SourceReader,
  count: (objects: number) => void,
): AsyncGenerator<CopyRow, void, undefined> {
  const classes = new Set(reader.describe().classes);
  let position = 0;
  for await (const object of reader.read()) {
    position += 1;
    yield rowOf(object, classes, position);
    if (position % PROGRESS_EVERY === 0) count(position);
  }
  count(position);
}

export function reportOf(source: string, text: string, readAt: string): SyncReport {
  const { classes, owners } = written.parse(JSON.parse(text));
  const sum = (pick: (each: ClassCounts) => number): number =>
    classes.reduce((total, each) => total + pick(each), 0);
  const differing = sum((each) => each.created + each.changed + each.gone + each.renamed + each.returned);
  return {
    source,
    readAt,
    objects: sum((each) => each.objects),
    classes,
    owners,
    changed: differing + owners.begun + owners.ended > 0,
  };
}

async function readAndWrite(
  tx: Transaction,
  name: string,
  reader: SourceReader,
  { acceptShrink = false, onProgress = () => undefined }: SyncOptions,
): Promise<SyncReport> {
  const { began_at: readAt } = await tx.one(beginSync, { name });
  await tx.copyIn('pg_temp.gcos_source_stage', COLUMNS, rowsOf(reader, onProgress));
  const { written: text } = await tx.one(finishSync, { name, acceptShrink });
  return reportOf(name, text, readAt);
}

/** Reads the whole estate and writes what differs. */
export async function syncSource(
  db: Database,
  name: string,
  reader: SourceReader,
  options: SyncOptions = {},
): Promise<SyncReport> {
  try {
    return await db.transaction(LIMITS, (tx) => readAndWrite(tx, name, reader, options));
  } catch (error) {
    throw sourceError(error);
  }
}
