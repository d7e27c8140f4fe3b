// Owns what the detectors in force list of a source: the object, the reason, the statement that fixes it. The
// lists run with the login of rules, as the detectors do.
import type { Prober } from '../../db/index.js';
import { type RuleRow, rowsOf } from '../../host/index.js';
import { listingQuery } from '../../source/kit/index.js';
import { visibleStatement } from '../../source/postgres/index.js';

export interface EstateFlaw {
  readonly detector: string;
  readonly severity: string;
  readonly class: string;
  readonly code: string;
  readonly reason: string;
  /** Null: only a person can say it. */
  readonly statement: string | null;
}

/** A longer list is cut; the detector itself counts all. */
const MOST = 10_000;
const LIMITS = { statementMs: 10_000, rows: MOST };

/** What one detector lists; undefined: it could not run. */
async function listOf(
  prober: Prober | undefined,
  row: RuleRow,
  sourceId: bigint,
): Promise<readonly EstateFlaw[] | undefined> {
  const query = listingQuery(String(row['source_query'] ?? ''));
  if (query === undefined) return [];
  const [found] = prober === undefined ? [] : await prober.run([query], LIMITS);
  if (found?.outcome !== 'rows') return undefined;
  return found.rows
    .filter(([source]) => source === String(sourceId))
    .map(([, objectClass, code, reason, fix]) => ({
      detector: String(row['measurement_id']),
      severity: String(row['severity'] ?? 'low'),
      class: objectClass ?? '',
      code: code ?? '',
      reason: reason ?? '',
      statement: fix === null || fix === undefined ? null : visibleStatement(fix),
    }));
}

const ORDER = ['critical', 'high', 'medium', 'low'];

/** The lists of all detectors, the gravest first, and how many detectors could not run. */
export async function readFlaws(
  prober: Prober | undefined,
  content: Parameters<typeof rowsOf>[0],
  sourceId: bigint,
): Promise<{ readonly flaws: readonly EstateFlaw[]; readonly notListed: number }> {
  const flaws: EstateFlaw[] = [];
  let notListed = 0;
  for (const row of rowsOf(content, 'detectors')) {
    const listed = await listOf(prober, row, sourceId);
    if (listed === undefined) notListed += 1;
    else flaws.push(...listed);
  }
  flaws.sort((left, right) => ORDER.indexOf(left.severity) - ORDER.indexOf(right.severity));
  return { flaws, notListed };
}
