// Owns the public operations on fixes: rank them, and propose one. INVARIANT: a proposal writes only a
// request; GCOS never applies it.
import type { Database, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { requireLimit, toWire } from '../../kernel/index.js';
import { openRequest, requireApprovals } from '../../record/approval/index.js';
import { readFindingSettings, requireFilter } from '../../record/finding/index.js';
import { readActingBodies } from './bodies.js';
import { fixErrors } from './errors.js';
import { type Fix, type FoundUnder, readFixes } from './fix.js';
import { lockProposals, readEvaluated, readFinding, readPending } from './fix.sql.js';
import { findingText } from './text.js';

const REMEDIATION_ACTION = 'gcos.remediation.propose';
/** How many findings a request lists; the count is exact. */
const NAMED = 20;

export interface FixFilter {
  readonly scope?: string;
  /** A body that can perform the fix. */
  readonly owner?: string;
  readonly limit?: number;
  /** The id of the last fix of the previous page. */
  readonly after?: string;
}

export interface FixPage {
  readonly fixes: readonly Fix[];
  readonly total: number;
  /** Relevant units (per scope) that were not evaluated: their fixes are unknown. */
  readonly notEvaluated: number;
  readonly next: string | null;
}

/** The content of the request: addresses and counts, never contents. */
export interface Remediation {
  /** The id of the fix, or the code of the finding. */
  readonly remedy: string;
  readonly what: string;
  readonly scope: string | null;
  readonly who: readonly string[];
  readonly fix: string | null;
  readonly objects: number | null;
  readonly members: number | null;
  readonly sample: readonly string[];
  readonly findings: readonly string[];
  readonly findingCount: number;
  /** The evidence: snapshot, ruleset, time of the scan. */
  readonly foundUnder: {
    readonly snapshot: string | null;
    readonly ruleset: string | null;
    readonly scanTime: string | null;
    readonly run: string | null;
  };
}

export interface ProposedRemediation {
  /** The code of the request. */
  readonly code: string;
  /** False: a request for the same remedy is pending. */
  readonly created: boolean;
  readonly remediation: Remediation;
}

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
/** Read committed: after waiting for another proposal, its request must be visible. */
const ACT = { isolation: 'read committed', retries: 3 } as const;

const underText = ({ snapshot, ...rest }: FoundUnder): Remediation['foundUnder'] => ({
  ...rest,
  snapshot: snapshot === null ? null : String(snapshot),
});

function ofFix(fix: Fix): Remediation {
  return {
    remedy: fix.id,
    what: fix.what,
    scope: fix.scope,
    who: fix.who,
    fix: fix.id,
    objects: fix.objects,
    members: fix.members,
    sample: fix.sample,
    findings: fix.findings.slice(0, NAMED),
    findingCount: fix.findings.length,
    foundUnder: underText(fix.foundUnder),
  };
}

/** One finding, described by the fix that would close it, if there is one. */
async function ofFinding(tx: Transaction, code: string): Promise<Remediation> {
  const [finding] = await tx.run(readFinding, { code });
  if (finding === undefined) throw fixErrors.fix_finding_unknown(`no finding has the code \`${code}\``);
  if (!finding.is_open) throw fixErrors.fix_finding_closed(`\`${code}\` is closed`);
  const fix = (await readFixes(tx)).find((each) => each.findings.includes(code));
  const { snapshot } = await tx.one(readEvaluated, {});
  const address =
    finding.entity_code === null ? [] : [`${finding.entity_type ?? 'subject'}/${finding.entity_code}`];
  return {
    remedy: code,
    what: fix?.what ?? findingText(finding),
    scope: finding.scope,
    who: (await readActingBodies(tx, await readFindingSettings(tx))).named(finding.routes),
    fix: fix?.id ?? null,
    objects: null,
    members: null,
    sample: address,
    findings: [code],
    findingCount: 1,
    foundUnder: {
      snapshot: snapshot === null ? null : String(snapshot),
      ruleset: finding.ruleset,
      scanTime: fix?.foundUnder.scanTime ?? null,
      run: finding.run,
    },
  };
}

export class Fixes {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** The fixes, ordered by the number of waiting units. */
  async list(filter: FixFilter = {}): Promise<FixPage> {
    await this.#installation.requireInstalled();
    const { scope, owner, after } = filter;
    const limit = requireLimit(filter.limit ?? 50);
    const [all, evaluated] = await this.#db.transaction(READ_ONLY, async (tx) => {
      await requireFilter(tx, {
        ...(scope === undefined ? {} : { scope }),
        ...(owner === undefined ? {} : { owner }),
      });
      return [await readFixes(tx), await tx.one(readEvaluated, {})] as const;
    });
    const fitting = all.filter(
      (fix) =>
        (scope === undefined || fix.scope === null || fix.scope === scope) &&
        (owner === undefined || fix.who.includes(owner)),
    );
    const start = after === undefined ? 0 : fitting.findIndex((fix) => fix.id === after) + 1;
    if (after !== undefined && start === 0)
      throw fixErrors.fix_unknown(`there is no fix \`${after}\` to continue after`);
    const fixes = fitting.slice(start, start + limit);
    const last = fixes.at(-1);
    return {
      fixes,
      total: fitting.length,
      notEvaluated: Number(evaluated.not_evaluated),
      next: start + limit < fitting.length && last !== undefined ? last.id : null,
    };
  }

  /** Requests the remedy of a fix or a finding; returns the pending request if there is one. */
  async propose(
    remedy: string,
    options: { readonly as?: string; readonly dryRun?: boolean } = {},
  ): Promise<ProposedRemediation> {
    await this.#installation.requireInstalled();
    const work = async (tx: Transaction): Promise<ProposedRemediation> => {
      await requireApprovals(tx);
      await tx.run(lockProposals, {});
      const remediation = await this.#remedy(tx, remedy);
      const [pending] = await tx.run(readPending, { remedy });
      if (pending !== undefined) return { code: pending.code, created: false, remediation };
      const code = await openRequest(
        tx,
        REMEDIATION_ACTION,
        toWire(remediation) as Record<string, never>,
        options.as === undefined ? {} : { as: options.as },
      );
      return { code, created: true, remediation };
    };
    return options.dryRun ? this.#db.rehearse(ACT, work) : this.#db.transaction(ACT, work);
  }

  async #remedy(tx: Transaction, remedy: string): Promise<Remediation> {
    if (!remedy.startsWith('FIX-')) return ofFinding(tx, remedy);
    const fix = (await readFixes(tx)).find((each) => each.id === remedy);
    if (fix === undefined) throw fixErrors.fix_unknown(`there is no fix \`${remedy}\``);
    return ofFix(fix);
  }
}
