// Owns the rules in force: the stored content of the active ruleset, which an approval has put into force.
// The rule tables of the host are a proposal; they decide nothing until a ruleset with their content becomes
// active. Only before the first activation are they all there is.
import type { Transaction } from '../../db/index.js';
import { DEFAULT_FAMILY, decodeContent, hashBytes, type RulesetContent } from './content.js';
import { ruleErrors } from './errors.js';
import { readActiveBytes, readActiveHash } from './in-force.sql.js';
import { readContent } from './read-content.js';

/** Decoded contents by hash: content with the same hash is the same content. */
const decoded = new Map<string, RulesetContent>();
const MOST_DECODED = 4;

async function decodeStored(tx: Transaction, version: string, hash: string): Promise<RulesetContent> {
  const known = decoded.get(hash);
  if (known !== undefined) return known;
  const { bytes } = await tx.one(readActiveBytes, { version });
  const stored = Buffer.from(bytes, 'base64');
  if (hashBytes(stored) !== hash)
    throw ruleErrors.ruleset_corrupt(`\`${version}\`: the stored bytes do not have its hash`);
  const content = decodeContent(version, stored);
  const [oldest] = decoded.keys();
  if (decoded.size >= MOST_DECODED && oldest !== undefined) decoded.delete(oldest);
  decoded.set(hash, content);
  return content;
}

/** The content of the active ruleset; without one, the rules in the tables. */
export async function readRulesInForce(tx: Transaction): Promise<RulesetContent> {
  const [active] = await tx.run(readActiveHash, { family: DEFAULT_FAMILY });
  return active === undefined
    ? readContent(tx)
    : decodeStored(tx, active.ruleset_version, active.content_hash);
}
