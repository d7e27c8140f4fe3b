// Owns drafting: the rules in the tables become a version. The same rules give the same row, and nothing is
// written twice.
import type { Transaction } from '../../db/index.js';
import { encodeContent, type RulesetContent, readContent } from '../../host/index.js';
import { readOwner, writeDraft } from './draft.sql.js';
import { rulesetErrors } from './errors.js';
import { type Provenance, provenanceOf } from './provenance.js';

export interface Draft {
  readonly version: string;
  readonly contentHash: string;
  /** False: these rules were drafted before. */
  readonly created: boolean;
  /** The status of the version: drafting active rules changes nothing. */
  readonly status: 'draft' | 'active' | 'superseded';
  readonly owner: string | null;
  readonly provenance: Provenance;
  readonly content: RulesetContent;
}

/** The owner of rulesets; null: unknown. */
export async function readRulesetOwner(tx: Transaction): Promise<string | null> {
  return (await tx.one(readOwner, {})).owner;
}

/**
 * Drafts the rules in the tables, in the caller's transaction, which should be repeatable read. The database
 * reads and stores them itself; what this process reads is only shown.
 */
export async function draftRuleset(
  tx: Transaction,
  options: { readonly notes?: string } = {},
): Promise<Draft> {
  const content = await readContent(tx);
  const { version, hash } = encodeContent(content);
  const row = await tx.one(writeDraft, { notes: options.notes ?? null });
  if (row.ruleset_version !== version)
    throw rulesetErrors.ruleset_changed_since(
      `the database read \`${row.ruleset_version}\` where this process read \`${version}\``,
    );
  return {
    version,
    contentHash: hash,
    created: row.created,
    status: row.status as Draft['status'],
    owner: row.owner,
    provenance: provenanceOf(content),
    content,
  };
}
