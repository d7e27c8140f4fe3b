// Owns what a full scan changed, and contradictions among it: verdicts that were valid, that no change of the
// host explains, and that a new derivation contradicts. Then a mark was lost, or another program wrote to the
// verdicts.
import type { Transaction } from '../../db/index.js';
import type { TailRound } from '../../inventory/tail/index.js';
import {
  type FindingContext,
  type Observation,
  type RiskClass,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { hasUnmarkedRow, readChanged, readLastChange, readMarkedSince } from './contradiction.sql.js';

const TYPE = 'verdict_tampered';

/** What is known about the changes of the host during a full scan. */
export interface Explanation {
  /** The last change of a verdict before the run. */
  readonly after: bigint;
  /** When the run began. */
  readonly since: string;
  /** Groups whose members changed while the run compared them. */
  readonly moved: ReadonlySet<string>;
  /** Whether the run read the whole table again, so that any group may have changed. */
  readonly everything: boolean;
}

/** Whether the run changed a row that was valid before, which something must explain. */
export const hasUnmarked = async (tx: Transaction, after: bigint, runId: string): Promise<boolean> =>
  (await tx.one(hasUnmarkedRow, { after, runId })).unmarked;

export const readLast = async (tx: Transaction): Promise<bigint> =>
  (await tx.one(readLastChange, {})).history_id;

/** Groups that a round of the tail explains. */
export function movedIn(round: TailRound): {
  readonly keys: readonly string[];
  readonly everything: boolean;
} {
  return {
    keys: [
      ...round.changed,
      ...round.newGroups,
      ...round.shrunk.map((each) => each.inventoryKey),
      ...round.rows.map((row) => row.inventoryKey),
    ],
    everything: round.rebased !== null || round.remapped,
  };
}

export interface Changed {
  /** Rows whose verdict or outcome the run changed. */
  readonly changed: number;
  /** Those of them that nothing explains. */
  readonly contradicted: number;
  readonly transitions: Transitions;
}

/**
 * Counts what the run changed, and raises a finding per inventory group with a contradiction. The intake must
 * have taken in everything after the run evaluated: what it marked then explains a difference.
 */
export async function checkContradictions(
  tx: Transaction,
  { after, since, moved, everything }: Explanation,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Changed> {
  const rows = await tx.run(readChanged, { after, runId: context.runId });
  const marked = new Set((await tx.run(readMarkedSince, { since })).map((row) => row.inventory_key));
  const contradicted = rows.filter(
    (row) =>
      row.unmarked > 0n && !everything && !moved.has(row.inventory_key) && !marked.has(row.inventory_key),
  );
  const observations = contradicted.map(
    (row): Observation => ({
      type: TYPE,
      subject: row.inventory_key,
      entityType: 'collection',
      entityCode: row.source_registry,
      riskClass: row.risk_class as RiskClass,
      evidence: { object_class: row.object_class, rows: String(row.unmarked), run_id: context.runId },
    }),
  );
  const transitions = await writeFindings(tx, observations, {
    ...context,
    evaluated: { types: [TYPE], subjects: 'all' },
  });
  const sum = (pick: (row: (typeof rows)[number]) => bigint, of = rows) =>
    Number(of.reduce((total, row) => total + pick(row), 0n));
  return {
    changed: sum((row) => row.changed),
    contradicted: sum((row) => row.unmarked, contradicted),
    transitions,
  };
}
