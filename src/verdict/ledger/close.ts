// Owns closing a ledger, which only closing runs do: both sides in their transaction, what disappeared since the ledger before,
// and one finding per scope that does not close. A scope that closes again ends its finding.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import type { Announce, ClassMap } from '../../inventory/index.js';
import { type Observation, type Transitions, writeFindings } from '../../record/index.js';
import { readActive } from '../../rule/index.js';
import { type LedgerDocument, makeDocument } from './closed/document.js';
import { readAccounted, readClosed, readGone } from './closed/store.js';
import { computeLedger, type Ledger, type ScopeLedger, withGone } from './ledger.js';

export const SCHEMA_DRIFT = 'governance_schema_drift';
/** How many groups a finding names; how many there are is exact. */
const NAMED = 20;

export interface CloseOptions {
  readonly schema: string;
  readonly runId: string;
  readonly at: string;
  readonly limitMs: number;
  readonly mapping: HostMapping;
  readonly announce: Announce;
  /** The classes as read in this transaction, where the caller has them already. */
  readonly map?: ClassMap;
}

export interface Closing {
  readonly ledger: Ledger;
  /** What to keep in candidate_scan_run.ledger, whether it closed or not: the next closing run starts from it. */
  readonly document: LedgerDocument;
  readonly findings: Transitions;
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
        inventory_key: group.inventory_key,
        source_registry: group.source_registry,
        lifecycle_status: group.lifecycle_status,
        left,
        right,
        differs,
      })),
      rows_gone: scope.gone.reduce((sum, each) => sum + each.rows, 0),
      gone: scope.gone.slice(0, NAMED).map(({ group, collection, rows }) => ({
        inventory_key: group?.inventory_key ?? null,
        source_registry: collection,
        rows,
      })),
      duplicates: scope.duplicates,
    },
  };
}

/** What the ledger before accounted for and is gone; the first ledger has nothing to miss. */
export async function checkDrift(tx: Transaction, ledger: Ledger, runId?: string): Promise<Ledger> {
  const before = await readClosed(tx, { any: true, ...(runId === undefined ? {} : { except: runId }) });
  return before === undefined ? ledger : withGone(ledger, await readGone(tx, before.document.accounted));
}

/** Closes the ledger in the caller's repeatable-read transaction; raises or resolves the finding of each scope. */
export async function closeLedger(tx: Transaction, options: CloseOptions): Promise<Closing> {
  const { runId, at, mapping } = options;
  const ledger = await checkDrift(tx, await computeLedger(tx, options), runId);
  const document = makeDocument(ledger, await readAccounted(tx));
  const active = (await readActive(tx))?.version ?? null;
  const context = { mapping, runId, at, ruleset: active, activeRuleset: active };
  const findings = await writeFindings(tx, ledger.scopes.filter((each) => !each.closes).map(observe), {
    ...context,
    evaluated: { types: [SCHEMA_DRIFT], subjects: 'all' },
  });
  await options.announce(tx, findings, context);
  return { ledger, document, findings };
}
