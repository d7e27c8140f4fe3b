// Owns the stored form of a ledger: the ledger itself, and the rows it accounted for, so that the next ledger
// detects deleted rows.
import { z } from 'zod';
import { fromWireTime } from '../../../kernel/index.js';
import { ledgerErrors } from '../errors.js';
import type { GroupName, Ledger, ScopeLedger } from '../ledger.js';

const FORMAT = 'gcos-ledger/1';

const groupName = z.object({
  inventory_key: z.string(),
  object_class: z.string(),
  source_registry: z.string(),
  axis_family: z.string().nullable(),
  lifecycle_status: z.string().nullable(),
});

const count = z.int().min(0);
const counts = z.record(z.string(), count);

const scopeSchema = z.object({
  scope: z.string(),
  total: count,
  covered: count,
  orphans: count,
  exceptions: count,
  retired: count,
  unverified: count,
  unverified_by: counts,
  deferred_birth: count,
  deferred_by: counts,
  class_0: count,
  not_relevant: count,
  tombstones: count,
  inventory: count,
  duplicates: count,
  closes: z.boolean(),
  verified_share: z.number().nullable(),
  differing: count,
  differences: z.array(
    z.object({ group: groupName, left: count, right: count, differs: z.enum(['count', 'keys']) }),
  ),
  gone: z.array(z.object({ group: groupName.nullable(), collection: z.string(), rows: count })),
});

/** Kind, scope, inventory key or collection, number of rows. */
type AccountedRow = ['group' | 'object', string, string, number];

/** Checked by hand, not by a schema: these rows are about ten times as many as all other values together. */
function isAccountedRow(value: unknown): value is AccountedRow {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [kind, scope, place, rows] = value as unknown[];
  return (
    (kind === 'group' || kind === 'object') &&
    typeof scope === 'string' &&
    typeof place === 'string' &&
    Number.isSafeInteger(rows) &&
    Number(rows) >= 0
  );
}
const accountedRows = z.custom<AccountedRow[]>(
  (value) => Array.isArray(value) && value.every(isAccountedRow),
  'not rows of an account',
);

const documentSchema = z.object({
  format: z.literal(FORMAT),
  at: z.string(),
  closes: z.boolean(),
  scopes: z.array(scopeSchema),
  caveats: z.array(
    z.object({
      object_class: z.string().nullable(),
      collection: z.string().nullable(),
      caveat: z.string(),
      units: count,
    }),
  ),
  accounted: z.object({ last_row: z.string().regex(/^\d+$/), rows: accountedRows }),
});

type StoredDocument = z.infer<typeof documentSchema>;
export type Accounted = StoredDocument['accounted'];

/** A ledger with the rows it accounted for. `toWire` gives it the form that is stored. */
export interface LedgerDocument extends Ledger {
  readonly format: typeof FORMAT;
  readonly accounted: Accounted;
}

export function makeDocument(ledger: Ledger, accounted: Accounted): LedgerDocument {
  return { format: FORMAT, ...ledger, accounted };
}

export const groupNameOf = (name: z.infer<typeof groupName>): GroupName => ({
  inventoryKey: name.inventory_key,
  objectClass: name.object_class,
  sourceRegistry: name.source_registry,
  axisFamily: name.axis_family,
  lifecycleStatus: name.lifecycle_status,
});

function scopeOf({
  unverified_by: unverifiedBy,
  deferred_birth: deferredBirth,
  deferred_by: deferredBy,
  not_relevant: notRelevant,
  verified_share: verifiedShare,
  ...rest
}: z.infer<typeof scopeSchema>): ScopeLedger {
  return {
    ...rest,
    unverifiedBy,
    deferredBirth,
    deferredBy,
    notRelevant,
    verifiedShare,
    differences: rest.differences.map((each) => ({ ...each, group: groupNameOf(each.group) })),
    gone: rest.gone.map((each) => ({ ...each, group: each.group === null ? null : groupNameOf(each.group) })),
  };
}

/** The ledger of run `runId`, validated. */
export function parseDocument(runId: string, text: string): LedgerDocument {
  const parsed = documentSchema.safeParse(JSON.parse(text));
  if (parsed.success)
    return {
      ...parsed.data,
      at: fromWireTime(parsed.data.at),
      scopes: parsed.data.scopes.map(scopeOf),
      caveats: parsed.data.caveats.map(({ object_class: objectClass, ...rest }) => ({
        ...rest,
        objectClass,
      })),
    };
  const [issue] = parsed.error.issues;
  throw ledgerErrors.ledger_malformed(
    `the ledger of \`${runId}\`: ${issue?.path.join('.')}: ${issue?.message ?? 'wrong form'}`,
  );
}
