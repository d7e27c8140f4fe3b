// Owns reading findings: the list, and a single finding. system_issues defines whether a finding is open;
// GCOS and users write its status.
import type { Database, RowOf, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireLimit } from '../../kernel/index.js';
import { findingErrors } from './errors.js';
import { requireFilter } from './filter.js';
import { countOpen, list, show } from './findings.sql.js';
import type { Severity } from './observation.js';

export interface FindingFilter {
  readonly type?: string;
  readonly scope?: string;
  readonly severity?: Severity;
  /** A recipient of the finding. */
  readonly owner?: string;
  /** Include closed findings. */
  readonly all?: boolean;
  readonly limit?: number;
  /** The code of the last finding of the previous page. */
  readonly after?: string;
}

export interface FindingLine {
  readonly code: string;
  readonly type: string;
  /** What it is about, to read: `collection orders in scope execution`. */
  readonly subject: string;
  /** The exact key of the subject: for most findings that of an inventory group. */
  readonly subjectKey: string;
  readonly scope: string | null;
  readonly severity: Severity;
  readonly routes: readonly string[];
  readonly status: string | null;
  readonly occurrences: bigint;
  readonly firstSeenAt: string | null;
  readonly lastSeenAt: string | null;
}

export interface FindingPage {
  readonly findings: readonly FindingLine[];
  /** The `after` of the next page; null if this is the last page. */
  readonly next: string | null;
}

export interface FindingCount {
  readonly type: string;
  readonly severity: Severity;
  readonly findings: bigint;
}

export interface Finding extends FindingLine {
  readonly issueId: bigint;
  readonly key: string;
  readonly family: string;
  readonly bucket: string;
  readonly eventType: string;
  readonly raisedWhen: string;
  readonly closedWhen: string;
  readonly ruleset: string | null;
  readonly announced: boolean;
  readonly notifiedAt: string | null;
  readonly hostSeverity: string | null;
  readonly entityType: string | null;
  readonly entityCode: string | null;
  readonly reopens: bigint;
  readonly runId: string | null;
  readonly evidence: unknown;
  readonly parent: string | null;
  readonly children: readonly string[];
}

/** What a finding is about, to read. A key that is a hash is never the only name. */
function subjectText(row: {
  readonly entity_type: string | null;
  readonly entity_code: string | null;
  readonly subject: string;
  readonly scope: string | null;
}): string {
  const name =
    row.entity_type === null || row.entity_code === null
      ? row.subject
      : `${row.entity_type.replaceAll('_', ' ')} ${row.entity_code}`;
  return row.scope === null ? name : `${name} in scope ${row.scope}`;
}

const lineOf = (row: RowOf<typeof list>): FindingLine => ({
  code: row.code,
  type: row.type,
  subject: subjectText(row),
  subjectKey: row.subject,
  scope: row.scope,
  severity: row.severity as Severity,
  routes: row.routes,
  status: row.status,
  occurrences: row.occurrences,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
});

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

/** The read operations on the findings of one database. */
export class Findings {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Open findings, most severe first. */
  async list(filter: FindingFilter = {}): Promise<FindingPage> {
    await this.#installation.requireInstalled();
    const { all = false, after } = filter;
    const limit = requireLimit(filter.limit ?? 50);
    return this.#db.transaction(READ_ONLY, async (tx) => {
      await requireFilter(tx, filter);
      if (after !== undefined) await requireFinding(tx, after);
      const rows = await tx.run(list, {
        type: filter.type ?? null,
        scope: filter.scope ?? null,
        severity: filter.severity ?? null,
        owner: filter.owner ?? null,
        all,
        limit: BigInt(limit) + 1n,
        after: after ?? null,
      });
      const findings = rows.slice(0, limit).map(lineOf);
      return { findings, next: rows.length > limit ? (findings.at(-1)?.code ?? null) : null };
    });
  }

  /** How many findings are open, by type and severity, most severe first. */
  async counts(): Promise<readonly FindingCount[]> {
    await this.#installation.requireInstalled();
    const rows = await this.#db.transaction(READ_ONLY, (tx) => tx.run(countOpen, {}));
    return rows.map((row) => ({ ...row, severity: row.severity as Severity }));
  }

  async show(code: string): Promise<Finding> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const row = await requireFinding(tx, code);
      return {
        ...lineOf(row),
        issueId: row.issue_id,
        key: row.key,
        family: row.family,
        bucket: row.bucket,
        eventType: row.event_type,
        raisedWhen: row.raised_when,
        closedWhen: row.closed_when,
        ruleset: row.ruleset,
        announced: row.announced,
        notifiedAt: row.notified_at,
        hostSeverity: row.host_severity,
        entityType: row.entity_type,
        entityCode: row.entity_code,
        reopens: row.reopens,
        runId: row.run_id,
        evidence: row.evidence === null ? null : (JSON.parse(row.evidence) as unknown),
        parent: row.parent,
        children: row.children,
      };
    });
  }
}

async function requireFinding(tx: Transaction, code: string) {
  const [row] = await tx.run(show, { code });
  if (row === undefined) throw findingErrors.finding_unknown(`no finding has the code \`${code}\``);
  return row;
}
