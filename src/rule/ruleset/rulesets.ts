// Owns the commands about rulesets, each in its own transaction.
import { randomUUID } from 'node:crypto';
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { DEFAULT_FAMILY, encodeContent, type RulesetContent, readContent } from '../../host/index.js';
import { hasCode } from '../../kernel/index.js';
import { type Transitions, writeFindings } from '../../record/finding/index.js';
import { diffContent, type RuleChange } from './diff.js';
import { type Draft, draftRuleset, readRulesetOwner } from './draft.js';
import { checkDrift, DRIFT_TYPE, type Drift } from './drift.js';
import { rulesetErrors } from './errors.js';
import { checkOwnership, UNOWNED_TYPE } from './ownership.js';
import { provenanceOf } from './provenance.js';
import {
  activeVersion,
  contentOf,
  listRulesets,
  type Ruleset,
  type RulesetPage,
  readActive,
  showRuleset,
  type Verification,
  verifyRuleset,
} from './store.js';
import { changeText } from './text.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
/** One snapshot for all components; after a serialization failure the transaction is retried. */
const WRITE = { isolation: 'repeatable read', retries: 5 } as const;

export interface RulesetDiff {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly RuleChange[];
  /** The changes as text, in the same order. */
  readonly lines: readonly string[];
}

export interface RulesetDetail extends Ruleset {
  /** The rules themselves; only on request. */
  readonly content?: RulesetContent;
}

interface RunContext {
  readonly runId: string;
  readonly at: string;
}
/** Announces findings. The event module belongs to a higher layer, so the caller passes this function. */
export type Announce = (tx: Transaction, transitions: Transitions, context: RunContext) => Promise<unknown>;

export class Rulesets {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #announce: Announce;

  /** @internal */
  constructor(db: Database, installation: Installation, announce: Announce) {
    this.#db = db;
    this.#installation = installation;
    this.#announce = announce;
  }

  /** Drafts the rules in the tables; a dry run only returns the result. */
  async draft(options: { readonly notes?: string; readonly dryRun?: boolean } = {}): Promise<Draft> {
    await this.#installation.requireInstalled();
    const { dryRun = false, ...rest } = options;
    if (dryRun) return this.#db.transaction(READ_ONLY, previewDraft);
    const draft = await this.#db.transaction(WRITE, (tx) => draftRuleset(tx, rest));
    await this.syncOwnershipFinding();
    return draft;
  }

  /** Raises or resolves `ruleset_unowned`: whether rules can be activated at all. */
  async syncOwnershipFinding(): Promise<void> {
    await this.#installation.requireInstalled();
    const runId = `ruleset-ownership-${randomUUID()}`;
    try {
      await this.#db.transaction({ isolation: 'read committed', retries: 5 }, async (tx) => {
        const [at, ruleset] = [await readServerTime(tx), await activeVersion(tx)];
        const findings = await writeFindings(tx, await checkOwnership(tx), {
          runId,
          at,
          ruleset,
          activeRuleset: ruleset,
          evaluated: { types: [UNOWNED_TYPE], subjects: [DEFAULT_FAMILY] },
        });
        await this.#announce(tx, findings, { runId, at });
      });
    } catch (error) {
      // People draft and propose, but only workers may write findings: the next drift check of a worker
      // updates this one.
      if (!hasCode(error, 'privilege_missing')) throw error;
    }
  }

  /** Newest first. */
  async list(page: RulesetPage = { limit: 50 }): Promise<Ruleset[]> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, (tx) => listRulesets(tx, page));
  }

  /** One version; `active` names the active one. */
  async show(name: string, options: { readonly content?: boolean } = {}): Promise<RulesetDetail> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const ruleset = await showRuleset(tx, await resolveName(tx, name));
      return options.content ? { ...ruleset, content: await contentOf(tx, ruleset.version) } : ruleset;
    });
  }

  /**
   * The changes from one version to another; `active` names the active version, `current` the rules in the
   * tables.
   */
  async diff(from: string, to: string): Promise<RulesetDiff> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const [before, after] = [await readNamed(tx, from), await readNamed(tx, to)];
      const changes = diffContent(before.content, after.content);
      return { from: before.version, to: after.version, changes, lines: changes.map(changeText) };
    });
  }

  /** Proves that the stored bytes match the version; throws if they do not. */
  async verify(name: string): Promise<Verification> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => verifyRuleset(tx, await resolveName(tx, name)));
  }

  /** Compares the tables with the active version; writes nothing. */
  async seeDrift(): Promise<Drift> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, (tx) => checkDrift(tx));
  }

  /**
   * Compares the tables with the active version; raises or resolves `ruleset_drift` and `ruleset_unowned`.
   */
  async drift(): Promise<Drift & { readonly findings: Transitions }> {
    await this.#installation.requireInstalled();
    const runId = `ruleset-drift-${randomUUID()}`;
    return this.#db.transaction(WRITE, async (tx) => {
      const at = await readServerTime(tx);
      const drift = await checkDrift(tx);
      const observations = [...drift.observations, ...(await checkOwnership(tx))];
      const findings = await writeFindings(tx, observations, {
        runId,
        at,
        ruleset: drift.active,
        activeRuleset: drift.active,
        evaluated: { types: [DRIFT_TYPE, UNOWNED_TYPE], subjects: [drift.family] },
      });
      await this.#announce(tx, findings, { runId, at });
      return { ...drift, findings };
    });
  }
}

async function previewDraft(tx: Transaction): Promise<Draft> {
  const content = await readContent(tx);
  const { version, hash } = encodeContent(content);
  const known = await showRuleset(tx, version).catch((error: unknown) => {
    if (hasCode(error, 'ruleset_unknown')) return undefined;
    throw error;
  });
  return {
    version,
    contentHash: hash,
    created: known === undefined,
    status: known?.status ?? 'draft',
    owner: await readRulesetOwner(tx),
    provenance: provenanceOf(content),
    content,
  };
}

async function resolveName(tx: Transaction, name: string): Promise<string> {
  if (name !== 'active') return name;
  const active = await readActive(tx, DEFAULT_FAMILY);
  if (active === undefined) throw rulesetErrors.ruleset_unknown('no ruleset is active');
  return active.version;
}

async function readNamed(
  tx: Transaction,
  name: string,
): Promise<{ readonly version: string; readonly content: RulesetContent }> {
  if (name === 'current') {
    const content = await readContent(tx);
    return { version: encodeContent(content).version, content };
  }
  const version = await resolveName(tx, name);
  return { version, content: await contentOf(tx, version) };
}
