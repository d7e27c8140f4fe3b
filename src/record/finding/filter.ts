// Owns the check of a filter of findings and of fixes: a type, scope, severity or owner that does not exist
// is an error. An empty list says that there are no such findings, never that there is no such type.
import type { Transaction } from '../../db/index.js';
import { requireOwner, requireScope } from '../../host/index.js';
import { requireKnown } from '../../kernel/index.js';
import { readFindingSettings } from './catalogue.js';
import { listTypes, occurringRoutes, occurringScopes } from './findings.sql.js';
import { SEVERITIES } from './observation.js';

interface NamedFilter {
  readonly type?: string;
  readonly scope?: string;
  readonly severity?: string;
  readonly owner?: string;
}

/** Throws if a type, scope, severity or owner of the filter does not exist. */
export async function requireFilter(tx: Transaction, filter: NamedFilter): Promise<void> {
  const { type, scope, severity, owner } = filter;
  if (severity !== undefined) requireKnown(severity, { what: 'severity', known: SEVERITIES });
  if (type !== undefined) {
    const known = (await tx.run(listTypes, {})).map((row) => row.type);
    requireKnown(type, { what: 'finding type', known, more: 'docs/findings.md describes them' });
  }
  if (scope !== undefined)
    await requireScope(tx, scope, async () => (await tx.run(occurringScopes, {})).map((row) => row.scope));
  if (owner !== undefined) await requireOwner(tx, owner, () => knownRoutes(tx));
}

/** The recipients of findings: those of stored findings, and the bodies of the settings. */
async function knownRoutes(tx: Transaction): Promise<readonly string[]> {
  const { council, siv } = (await readFindingSettings(tx))['finding.bodies'];
  return [council, siv, ...(await tx.run(occurringRoutes, {})).map((row) => row.route)];
}
