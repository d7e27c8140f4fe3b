// Owns the check of registries whose rows must have an owner: axes and classification rules. If the rows are
// objects, the scopes in which their profile requires an owner apply. Their gap is reported here, and not a
// second time as a gap of the object.
import { fillParts, quoteIdentifier, type Transaction } from '../../../db/index.js';
import { resolveOwners } from '../../../host/index.js';
import type { Observation, RiskClass } from '../../../record/finding/index.js';
import { requiredLinksIn } from '../../candidate/index.js';
import type { FindingPage, Gap } from '../gap.js';
import { conditions } from '../parts.js';
import type { OwnedRegistry } from '../rules.js';
import { readOwned } from './checks.sql.js';
import type { CheckContext } from './context.js';

interface Row {
  readonly registry: OwnedRegistry;
  readonly code: string;
  readonly owner: string | null;
  readonly objectClass: string;
  readonly riskClass: string | undefined;
  /** Null: no profile requires an owner in any scope, and the owner column of the row decides. */
  readonly scope: string | null;
}

async function rowsOf(tx: Transaction, registry: OwnedRegistry, context: CheckContext): Promise<Row[]> {
  const { rules, coverage } = context;
  const found = rules.map.classes.find((each) => each.registry?.name === registry.table);
  const scopes = rules.scopes.filter((scope) =>
    requiredLinksIn(found?.profile ?? null, scope).includes('owner'),
  );
  const statement = fillParts(readOwned, {
    table: quoteIdentifier(registry.table),
    code: quoteIdentifier(registry.code),
    owner: quoteIdentifier(registry.owner),
    status: coverage.has(registry.table, 'status') ? 't.status::text' : 'null::text',
    where: conditions(registry.where),
  });
  const rows = await tx.run(statement, {});
  return rows.flatMap(({ code, owner, status }): Row[] => {
    if (status !== null && rules.terminal.has(status)) return [];
    const row = {
      registry,
      code,
      owner,
      objectClass: found?.name ?? registry.table,
      riskClass: found?.profile?.riskClass,
    };
    return scopes.length === 0 ? [{ ...row, scope: null }] : scopes.map((scope) => ({ ...row, scope }));
  });
}

function observe(row: Row): Observation {
  return {
    type: row.registry.finding,
    subject: row.code,
    ...(row.scope === null ? {} : { scope: row.scope }),
    entityType: row.objectClass,
    entityCode: row.code,
    owner: {
      objectType: row.objectClass,
      objectRef: row.code,
      collection: row.registry.table,
      objectClass: row.objectClass,
    },
    ...(row.riskClass === undefined ? {} : { riskClass: row.riskClass as RiskClass }),
    evidence: { registry: row.registry.table },
  };
}

export async function checkOwned(
  tx: Transaction,
  context: CheckContext,
): Promise<{ readonly page: FindingPage; readonly hasFindingElsewhere: (gap: Gap) => boolean }> {
  const { coverage, at, sources } = context;
  const usable = coverage.owned.filter(
    ({ table, code, owner, where }) =>
      (sources === null || sources.has(table)) && coverage.has(table, code, owner, ...Object.keys(where)),
  );
  const rows: Row[] = [];
  // One statement per registry named in the rules, so only a few.
  for (const registry of usable) rows.push(...(await rowsOf(tx, registry, context)));
  const scoped = rows.filter((row) => row.scope !== null && coverage.ownershipAvailable);
  const { owners } = await resolveOwners(
    tx,
    scoped.map((row) => ({
      objectType: row.objectClass,
      objectRef: row.code,
      collection: row.registry.table,
      objectClass: row.objectClass,
      scope: row.scope ?? '',
    })),
    at,
  );
  const unowned = [
    // If only the owner column names an owner, the object has an ordinary gap, which is reported with the
    // object.
    ...scoped.filter((row, index) => owners[index]?.level === 'none' && row.owner === null),
    ...rows.filter((row) => row.scope === null && row.owner === null),
  ];
  const names = new Set(unowned.map((row) => JSON.stringify([row.registry.table, row.code, row.scope])));
  return {
    page: {
      observations: unowned.map(observe),
      evaluated: {
        types: [...new Set(usable.map((registry) => registry.finding))],
        subjects: sources === null ? 'all' : [...new Set(rows.map((row) => row.code))],
      },
    },
    hasFindingElsewhere: (gap) =>
      gap.link === 'owner' &&
      !gap.conflict &&
      names.has(JSON.stringify([gap.sourceRegistry, gap.code, gap.scope])),
  };
}
