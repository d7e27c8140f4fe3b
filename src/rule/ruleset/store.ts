// Owns reading stored rulesets, and the proof of their integrity: the bytes are hashed again.
import type { RowOf, Transaction } from '../../db/index.js';
import {
  DEFAULT_FAMILY,
  decodeContent,
  hashBytes,
  type RulesetContent,
  ruleErrors,
  versionOf,
} from '../../host/index.js';
import { requireLimit } from '../../kernel/index.js';
import type { IdentityLevel } from '../../record/approval/index.js';
import { rulesetErrors } from './errors.js';
import { type Provenance, provenanceSchema } from './provenance.js';
import { list, readBytes } from './store.sql.js';

export interface Ruleset {
  readonly version: string;
  readonly family: string;
  readonly status: 'draft' | 'active' | 'superseded';
  /** The owner; null: unknown. */
  readonly owner: string | null;
  readonly contentHash: string;
  readonly provenance: Provenance;
  readonly createdAt: string;
  readonly createdBy: string;
  /** Of the latest activation. */
  readonly activatedAt: string | null;
  readonly activatedBy: string | null;
  /** False: the activating login acted for another person. */
  readonly activatedVerified: boolean | null;
  /** How the person was identified; null as above. */
  readonly activatedLevel: IdentityLevel | null;
  /** True: the approval of the proposer was counted at the latest activation. */
  readonly selfApproved: boolean | null;
  readonly approvalRef: string | null;
  readonly planHash: string | null;
  readonly supersedes: string | null;
  readonly notes: string | null;
}

export interface RulesetPage {
  readonly limit: number;
  /** Continue after this version. */
  readonly after?: string;
}

function asRuleset(row: RowOf<typeof list>): Ruleset {
  const provenance = provenanceSchema.safeParse(JSON.parse(row.components));
  if (!provenance.success)
    throw ruleErrors.ruleset_corrupt(`\`${row.ruleset_version}\`: its components cannot be read`, {
      cause: provenance.error,
    });
  return {
    version: row.ruleset_version,
    family: row.family,
    status: row.status as Ruleset['status'],
    owner: row.owner,
    contentHash: row.content_hash,
    provenance: provenance.data,
    createdAt: row.created_at,
    createdBy: row.created_by,
    activatedAt: row.activated_at,
    activatedBy: row.activated_by,
    activatedVerified: row.activated_verified,
    activatedLevel: row.activated_level as IdentityLevel | null,
    selfApproved: row.self_approved,
    approvalRef: row.approval_ref,
    planHash: row.plan_hash,
    supersedes: row.supersedes,
    notes: row.notes,
  };
}

const unknown = (version: string) => rulesetErrors.ruleset_unknown(`there is no ruleset \`${version}\``);

/** Newest first. */
export async function listRulesets(tx: Transaction, page: RulesetPage): Promise<Ruleset[]> {
  const { after = null } = page;
  const limit = requireLimit(page.limit);
  if (after !== null) await showRuleset(tx, after);
  const rows = await tx.run(list, { version: null, activeOf: null, after, limit: BigInt(limit) });
  return rows.map(asRuleset);
}

export async function showRuleset(tx: Transaction, version: string): Promise<Ruleset> {
  const [row] = await tx.run(list, { version, activeOf: null, after: null, limit: 1n });
  if (row === undefined) throw unknown(version);
  return asRuleset(row);
}

/** The active ruleset; undefined when there is none. */
export async function readActive(
  tx: Transaction,
  family: string = DEFAULT_FAMILY,
): Promise<Ruleset | undefined> {
  const [row] = await tx.run(list, { version: null, activeOf: family, after: null, limit: 1n });
  return row === undefined ? undefined : asRuleset(row);
}

/** The active version; null when there is none. */
export async function activeVersion(tx: Transaction): Promise<string | null> {
  return (await readActive(tx))?.version ?? null;
}

export interface Verification {
  readonly version: string;
  readonly contentHash: string;
  /** How many bytes were hashed. */
  readonly bytes: number;
}

interface Checked {
  readonly content: RulesetContent;
  readonly verification: Verification;
  readonly text: string;
}

/** Hashes and decodes the stored bytes again; throws unless they give the same version. */
async function checkedContents(
  tx: Transaction,
  versions: readonly string[],
): Promise<ReadonlyMap<string, Checked>> {
  const rows = await tx.run(readBytes, { versions });
  const missing = versions.find((version) => !rows.some((row) => row.ruleset_version === version));
  if (missing !== undefined) throw unknown(missing);
  return new Map(
    rows.map((row) => {
      const bytes = Buffer.from(row.bytes, 'base64');
      const hash = hashBytes(bytes);
      const version = row.ruleset_version;
      if (hash !== row.content_hash || versionOf(hash) !== version)
        throw ruleErrors.ruleset_corrupt(`\`${version}\`: the stored bytes hash to \`${versionOf(hash)}\``, {
          facts: { version, recorded: row.content_hash, found: hash },
        });
      const verification = { version, contentHash: hash, bytes: bytes.length };
      const content = decodeContent(version, bytes);
      return [version, { content, verification, text: bytes.toString('utf8') }];
    }),
  );
}

export async function verifyRuleset(tx: Transaction, version: string): Promise<Verification> {
  const checked = (await checkedContents(tx, [version])).get(version);
  if (checked === undefined) throw unknown(version);
  return checked.verification;
}

/** The content of a stored version, verified. */
export async function contentOf(tx: Transaction, version: string): Promise<RulesetContent> {
  const checked = (await checkedContents(tx, [version])).get(version);
  if (checked === undefined) throw unknown(version);
  return checked.content;
}

/** The canonical text of a stored version, verified: its UTF-8 bytes are the stored ones. */
export async function canonicalTextOf(
  tx: Transaction,
  version: string,
): Promise<{ readonly text: string; readonly contentHash: string }> {
  const checked = (await checkedContents(tx, [version])).get(version);
  if (checked === undefined) throw unknown(version);
  return { text: checked.text, contentHash: checked.verification.contentHash };
}
