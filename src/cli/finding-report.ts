// Owns what `gcos finding list --format` reports: every page, and beside the problems the gaps that
// exceptions accept.
import {
  type ReportResult,
  resultsOfExceptions,
  resultsOfFindings,
  resultsOfFixes,
} from '../answer/report/index.js';
import type { Exception, Finding, FindingFilter, FindingLine, Fix, FixFilter, Gcos } from '../index.js';
import { given } from './page.js';

/** The longest page. */
const PAGE = 10_000;

/** All pages of a list; `read` gets the place to continue after. */
async function everyPage<T>(
  read: (after: string | undefined) => Promise<{ readonly rows: readonly T[]; readonly next: string | null }>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { rows, next } = await read(after);
    all.push(...rows);
    after = next;
  }
  return all;
}

const everyFix = (gcos: Gcos, filter: FixFilter): Promise<readonly Fix[]> =>
  everyPage(async (after) => {
    const { fixes, next } = await gcos.fixes.list({ ...filter, limit: PAGE, ...given({ after }) });
    return { rows: fixes, next };
  });

/** The exceptions in force, unless the filter selects by what an exception does not have. */
async function acceptedGaps(gcos: Gcos, filter: FindingFilter): Promise<readonly ReportResult[]> {
  const { scope, ...other } = filter;
  if (Object.keys(other).length > 0) return [];
  const exceptions = await everyPage<Exception>(async (after) => {
    const rows = await gcos.exceptions.list({ status: 'in_force', limit: PAGE, ...given({ scope, after }) });
    return { rows, next: rows.length < PAGE ? null : (rows.at(-1)?.code ?? null) };
  });
  return resultsOfExceptions(exceptions);
}

export async function reportedFixes(gcos: Gcos, filter: FixFilter): Promise<readonly ReportResult[]> {
  return [...resultsOfFixes(await everyFix(gcos, filter)), ...(await acceptedGaps(gcos, filter))];
}

export async function reportedFindings(
  gcos: Gcos,
  filter: FindingFilter,
): Promise<{
  readonly results: readonly ReportResult[];
  readonly gravest: Finding['severity'] | undefined;
}> {
  const findings = await everyPage<FindingLine>(async (after) => {
    const page = await gcos.findings.list({ ...filter, limit: PAGE, ...given({ after }) });
    return { rows: page.findings, next: page.next };
  });
  const results = [
    ...resultsOfFindings(findings, await everyFix(gcos, {})),
    ...(await acceptedGaps(gcos, filter)),
  ];
  // The list is ordered by severity.
  return { results, gravest: findings[0]?.severity };
}
