// Owns closing a ledger, which only closing runs do: both sides of one snapshot, the rows deleted since the
// previous ledger, and one finding per scope that does not close. When a scope closes again, its finding is
// resolved.

import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import type { Announce } from '../../inventory/snapshot/index.js';
import { defineStage, type StageContract } from '../../kernel/index.js';
import { type Observation, type Transitions, writeFindings } from '../../record/finding/index.js';
import { readActive } from '../../rule/ruleset/index.js';
import { type Accounted, type LedgerDocument, makeDocument } from './closed/document.js';
import { type AccountedSince, readAccounted, readClosed } from './closed/store.js';
import type { InventoryCount } from './inventory/count.js';
import { addUp, type Ledger, type RightSide, readRight, type ScopeLedger } from './ledger.js';

const SCHEMA_DRIFT = 'governance_schema_drift';
/** How many groups a finding names; the total it reports is exact. */
const NAMED = 20;

export interface CloseOptions {
  readonly runId: string;
  readonly at: string;
  readonly announce: Announce;
}

export interface Closing {
  readonly ledger: Ledger;
  /** The document to store in candidate_scan_run.ledger. */
  readonly document: LedgerDocument;
}

function observe(scope: ScopeLedger): Observation {
  return {
    type: SCHEMA_DRIFT,
    subject: 'ledger',
    scope: scope.scope,
    entityType: 'responsibility_scope',
    entityCode: scope.scope,
    evidence: {
      groups: scope.differing,
      differences: scope.differences.slice(0, NAMED).map(({ group, left, right, differs }) => ({
        inventory_key: group.inventoryKey,
        source_registry: group.sourceRegistry,
        lifecycle_status: group.lifecycleStatus,
        left,
        right,
        differs,
      })),
      rows_gone: scope.gone.reduce((sum, each) => sum + each.rows, 0),
      gone: scope.gone.slice(0, NAMED).map(({ group, collection, rows }) => ({
        inventory_key: group?.inventoryKey ?? null,
        source_registry: collection,
        rows,
      })),
      duplicates: scope.duplicates,
    },
  };
}

/**
 * The rows that exist now, and those deleted since the previous ledger. The first ledger has no predecessor,
 * so no row counts as deleted.
 */
export async function readSince(tx: Transaction, runId?: string): Promise<AccountedSince> {
  const before = await readClosed(tx, { any: true, ...(runId === undefined ? {} : { except: runId }) });
  return readAccounted(tx, before?.document.accounted);
}

/**
 * The rows of a closing run: their terms, the deleted rows, and the row counts that the next ledger compares
 * with.
 */
export interface ClosingSide {
  readonly right: RightSide;
  readonly accounted: Accounted;
}

/** The right side of a ledger that is about to close, in the transaction that wrote the last of its rows. */
export async function readClosingSide(
  tx: Transaction,
  options: { readonly at: string; readonly map: ClassMap; readonly runId: string },
): Promise<ClosingSide> {
  const { gone, accounted } = await readSince(tx, options.runId);
  return { right: await readRight(tx, { ...options, gone }), accounted };
}

const LEDGER: StageContract = {
  name: 'ledger',
  takes: 'the recount of the inventory, and the rows that account for it, of one snapshot',
  returns: 'the ledger per scope, and the document to store with the run',
  writes: 'nothing; the run record stores the document',
  promises: 'it closes only if recount and rows agree in number and in keys',
};

/**
 * Adds up both sides. The document is stored with the run even if the ledger does not close, because the next
 * ledger compares with it.
 */
export const closeLedger = defineStage(
  LEDGER,
  async (left: InventoryCount, { right, accounted }: ClosingSide): Promise<Closing> => {
    const ledger = addUp(left, right);
    return { ledger, document: makeDocument(ledger, accounted) };
  },
  ({ ledger }) => ({ closes: ledger.closes, scopes: ledger.scopes.length }),
);

/** Raises a finding for each scope that does not close, and resolves the finding of each scope that does. */
export async function syncLedgerFindings(
  tx: Transaction,
  ledger: Ledger,
  options: CloseOptions,
): Promise<Transitions> {
  const { runId, at } = options;
  const active = (await readActive(tx))?.version ?? null;
  const context = { runId, at, ruleset: active, activeRuleset: active };
  const findings = await writeFindings(tx, ledger.scopes.filter((each) => !each.closes).map(observe), {
    ...context,
    evaluated: { types: [SCHEMA_DRIFT], subjects: 'all' },
  });
  await options.announce(tx, findings, context);
  return findings;
}
