// Owns knowing that nothing has changed of what rules are read from: the rows of these tables, and the structure of everything in the
// schema. Reading the rules takes dozens of statements, this takes two. Where it cannot be told, everything is read again.
import { readRowVersions, type Transaction } from '../../db/index.js';
import { domainHash } from '../../kernel/index.js';
import { readStructure } from './version.sql.js';

/** INVARIANT: what is remembered under this version is read from these tables and from the catalog alone (a test looks at the plans). */
export const RULE_TABLES = [
  'axis_registry',
  'collection_registry',
  'coverage_profile',
  'governance_input_contract',
  'governance_input_trust',
  'governance_responsibility_scope',
  'governance_rule_reach',
  'governance_ruleset',
  'governance_ruleset_activation',
  'governance_setting',
  'measurement_registry',
  'meta_catalog',
  'pivot_definitions',
] as const;

/** What the rules are at, as the transaction sees them; undefined: that cannot be told, or nobody would remember it. */
export async function readRulesVersion(tx: Transaction): Promise<string | undefined> {
  if (!tx.remembers) return undefined;
  const [found] = await tx.run(readStructure, { tables: RULE_TABLES });
  if (found === undefined || Number(found.found) !== found.plain.length) return undefined;
  const rows = await readRowVersions(tx, found.plain);
  return domainHash('gcos-rules-version', JSON.stringify([found.structure, ...rows]));
}

/** What `read` returns, or returned before at this version of the rules. Nobody may change it. */
export async function recallRules<T>(
  tx: Transaction,
  version: string | undefined,
  name: string,
  read: () => Promise<T>,
): Promise<T> {
  return version === undefined ? read() : tx.recall(name, version, read);
}
