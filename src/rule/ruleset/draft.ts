// Owns drafting: the rules in the tables become a version. The same rules give the same row, and nothing is
// written twice.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { DEFAULT_FAMILY, encodeContent, type RulesetContent, readContent } from '../../host/index.js';
import { readOwner, writeDraft } from './draft.sql.js';
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

export interface DraftOptions {
  readonly mapping: HostMapping;
  readonly family?: string;
  readonly notes?: string;
}

/** Drafts the rules in the tables, in the caller's transaction, which should be repeatable read. */
export async function draftRuleset(tx: Transaction, options: DraftOptions): Promise<Draft> {
  const content = await readContent(tx, options.family ?? DEFAULT_FAMILY);
  const { version, hash, text } = encodeContent(content);
  const provenance = provenanceOf(content);
  const { created, status, owner } = await tx.one(writeDraft, {
    version,
    hash,
    canonical: text,
    components: JSON.stringify(provenance),
    family: content.family,
    notes: options.notes ?? null,
    alertLevel: options.mapping.wordFor('alert_level', 'info') ?? 'info',
  });
  return {
    version,
    contentHash: hash,
    created,
    status: status as Draft['status'],
    owner,
    provenance,
    content,
  };
}
