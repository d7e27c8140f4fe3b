// Owns the ungrouped checks: coverage checks on subjects that are not inventory groups. Each check is
// set-based and reports which findings it evaluated completely. If the host lacks a table that a check reads,
// the check does not run and its findings stay unchanged.
import type { Transaction } from '../../../db/index.js';
import { type RulesetContent, rowsOf } from '../../../host/index.js';
import type { FindingPage } from '../gap.js';
import { OWNERSHIP } from '../rules.js';
import { BYPASS, checkBypasses } from './bypass.js';
import {
  previewAxesInUse,
  previewPhantoms,
  readAxesInUse,
  readDelegations,
  readIslands,
  readKnown,
  readPhantoms,
} from './checks.sql.js';
import { type CheckContext, highestRisk, riskOf, type UngroupedChecks } from './context.js';
import { checkExceptions } from './exception.js';
import { checkOwned } from './owned.js';

const DELEGATION = 'delegation_expired';

async function checkDelegations(
  tx: Transaction,
  { at, rules }: CheckContext,
  known: readonly string[] | null,
): Promise<FindingPage> {
  const rows = await tx.run(readDelegations, { at });
  return {
    evaluated: { types: [DELEGATION], subjects: known ?? 'all' },
    observations: rows.map((row) => ({
      type: DELEGATION,
      subject: `${row.object_type}/${row.object_ref}`,
      scope: row.scope,
      rootCause: row.owner,
      entityType: row.object_type,
      entityCode: row.object_ref,
      owner: {
        objectType: row.object_type,
        objectRef: row.object_ref,
        ...(row.object_type === 'collection' ? { collection: row.object_ref } : {}),
      },
      ...riskOf(rules, row.object_type, row.object_ref),
      evidence: { delegate: row.owner, effective_to: row.effective_to },
    })),
  };
}

async function checkPhantoms(tx: Transaction, { at, rules, previewed }: CheckContext): Promise<FindingPage> {
  const places = rules.map.classes.flatMap(({ name, inherits }) =>
    rules.map.collectionsOf(name).map((collection) => ({ name, collection, inherits })),
  );
  const where = {
    classes: [...new Set(rules.map.classes.map((each) => each.name))],
    placeClasses: places.map((each) => each.name),
    placeCollections: places.map((each) => each.collection),
    inherits: places.map((each) => each.inherits),
    at,
  };
  const rows = await (previewed === undefined
    ? tx.run(readPhantoms, where)
    : tx.run(previewPhantoms, {
        ...where,
        collections: previewed.objects.map((each) => each.collection),
        codes: previewed.objects.map((each) => each.code),
        registries: previewed.groups.map((each) => each.sourceRegistry),
      }));
  return {
    evaluated: { types: ['phantom_gap'], subjects: 'all' },
    observations: rows.map((row) => ({
      type: 'phantom_gap',
      subject: `${row.object_type}/${row.object_ref}`,
      scope: row.scope,
      entityType: row.object_type,
      entityCode: row.object_ref,
      owner: {
        objectType: row.object_type,
        objectRef: row.object_ref,
        ...(row.object_type === 'collection' ? { collection: row.object_ref } : {}),
      },
      ...riskOf(rules, row.object_type, row.object_ref),
      evidence: { named_by: OWNERSHIP },
    })),
  };
}

async function checkIslands(tx: Transaction, { rules }: CheckContext): Promise<FindingPage> {
  const rows = await tx.run(readIslands, {});
  return {
    evaluated: { types: ['island_detected'], subjects: 'all' },
    observations: rows.map((row) => ({
      type: 'island_detected',
      subject: row.authority,
      entityType: 'governing_body',
      entityCode: row.authority,
      count: row.subjects.length,
      ...highestRisk(
        row.subjects.map((each) => {
          const [type = '', ...ref] = each.split('/');
          return riskOf(rules, type, ref.join('/'));
        }),
      ),
      evidence: {
        subjects: row.subjects,
        approvals: String(row.approvals),
        reviewed: row.reviewed,
        statuses: row.statuses,
      },
    })),
  };
}

/** The families that the axes of a ruleset declare, and those by which its pivots group, with their codes. */
function axesOf(content: RulesetContent) {
  const used = rowsOf(content, 'pivots').flatMap(({ code, dims }) =>
    Array.isArray(dims) ? dims.map((dim) => ({ code: String(code), family: String(dim) })) : [],
  );
  return {
    declared: rowsOf(content, 'axes')
      .flatMap((row) => row['axis_family'] ?? [])
      .map(String),
    pivots: used.map((each) => each.code),
    pivotFamilies: used.map((each) => each.family),
  };
}

async function checkAxes(tx: Transaction, { rules, previewed }: CheckContext): Promise<FindingPage> {
  const axes = axesOf(rules.content);
  const rows = await (previewed === undefined
    ? tx.run(readAxesInUse, axes)
    : tx.run(previewAxesInUse, {
        ...axes,
        families: previewed.groups.map((each) => each.axisFamily),
        classes: previewed.groups.map((each) => each.objectClass),
      }));
  return {
    evaluated: { types: ['axis_unregistered'], subjects: 'all' },
    observations: rows.map((row) => ({
      type: 'axis_unregistered',
      subject: row.family,
      entityType: 'axis_family',
      entityCode: row.family,
      ...highestRisk(
        rules.map.classes
          .filter((each) => each.axisFamily === row.family)
          .map((each) => riskOf(rules, 'class', each.name)),
      ),
      evidence: { used_by: row.used_by },
    })),
  };
}

const KNOWN = [DELEGATION, BYPASS];

/** Runs the checks to the extent given in the context. */
export async function runUngroupedChecks(tx: Transaction, context: CheckContext): Promise<UngroupedChecks> {
  const { coverage, sources } = context;
  const everything = sources === null;
  const rows = everything ? [] : await tx.run(readKnown, { types: KNOWN });
  /** The subjects of known findings of a type, for the cheap checks; null: all subjects. */
  const known = (type: string): readonly string[] | null =>
    everything ? null : rows.filter((row) => row.finding_type === type).map((row) => row.subject);
  const owned = await checkOwned(tx, context);
  const pages = [owned.page, await checkExceptions(tx, context)];
  if (coverage.ownershipAvailable) pages.push(await checkDelegations(tx, context, known(DELEGATION)));
  pages.push(await checkBypasses(tx, context, known(BYPASS)));
  if (everything) {
    if (coverage.ownershipAvailable) pages.push(await checkPhantoms(tx, context));
    if (coverage.ownershipAvailable && coverage.has('governance_registry', 'code'))
      pages.push(await checkIslands(tx, context));
    pages.push(await checkAxes(tx, context));
  }
  return { pages, hasFindingElsewhere: owned.hasFindingElsewhere };
}
