// Owns what the detectors in force list of a source: the object, the reason, the statement that fixes it. The
// lists run with the login of rules, as the detectors do.
import type { Prober } from '../../db/index.js';
import { type RuleRow, rowsOf } from '../../host/index.js';
import { listingQuery } from '../../source/kit/index.js';
import { visibleStatement } from '../../source/postgres/index.js';

export interface EstateFlaw {
  readonly detector: string;
  readonly severity: string;
  /** What the detector asks for. */
  readonly about: string;
  readonly class: string;
  readonly code: string;
  readonly reason: string;
  /** Null: only a person can say it. */
  readonly statement: string | null;
}

/** A longer list is cut; the detector itself counts all. */
const MOST = 10_000;
const LIMITS = { statementMs: 10_000, rows: MOST };

/** What one detector lists; empty for a detector of another source, or one that cannot run. */
async function listOf(prober: Prober, row: RuleRow, sourceId: bigint): Promise<readonly EstateFlaw[]> {
  const query = listingQuery(String(row['source_query'] ?? ''));
  if (query === undefined) return [];
  const [found] = await prober.run([query], LIMITS);
  if (found?.outcome !== 'rows') return [];
  return found.rows
    .filter(([source]) => source === String(sourceId))
    .map(([, objectClass, code, reason, fix]) => ({
      detector: String(row['measurement_id']),
      severity: String(row['severity'] ?? 'low'),
      about: String(row['measurement_name'] ?? row['measurement_id']),
      class: objectClass ?? '',
      code: code ?? '',
      reason: reason ?? '',
      statement: fix === null || fix === undefined ? null : visibleStatement(fix),
    }));
}

const ORDER = ['critical', 'high', 'medium', 'low'];

/** The lists of all detectors, the gravest first. */
export async function readFlaws(
  prober: Prober | undefined,
  content: Parameters<typeof rowsOf>[0],
  sourceId: bigint,
): Promise<readonly EstateFlaw[]> {
  if (prober === undefined) return [];
  const flaws: EstateFlaw[] = [];
  for (const row of rowsOf(content, 'detectors')) flaws.push(...(await listOf(prober, row, sourceId)));
  return flaws.sort((left, right) => ORDER.indexOf(left.severity) - ORDER.indexOf(right.severity));
}
