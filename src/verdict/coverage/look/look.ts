// Owns looking at what hangs on no group: each look is set-based, says which findings it has looked at completely, and is left out,
// leaving its findings as they are, where the host has not what it reads.
import type { Transaction } from '../../../db/index.js';
import type { Observation } from '../../../record/index.js';
import type { Rules } from '../../candidate/index.js';
import type { FindingPage, Gap } from '../findings.js';
import type { CoverageRules } from '../rules.js';
import { OWNERSHIP } from '../rules.js';
import { lookAtBypasses } from './bypass.js';
import { lookAtExceptions, lookAtListed } from './exception.js';
import { lookAtOwned } from './owned.js';
import { readAxesInUse, readDelegations, readIslands, readPhantoms } from './statements.js';

/** `cheap`: what time alone changes, and what was noted last. */
export type Extent = 'everything' | 'cheap';

export interface LookContext {
  readonly at: string;
  readonly rules: Rules;
  readonly coverage: CoverageRules;
  readonly extent: Extent;
}

/** What was seen, of types that were looked at completely. */
export interface Seen {
  readonly types: readonly string[];
  readonly observations: readonly Observation[];
}

export interface Around {
  readonly pages: readonly FindingPage[];
  /** Whether a gap has a finding here already: one cause, one finding. */
  readonly isSaidElsewhere: (gap: Gap) => boolean;
}

async function lookAtDelegations(tx: Transaction, { at }: LookContext): Promise<Seen> {
  const rows = await tx.run(readDelegations, { at });
  return {
    types: ['delegation_expired'],
    observations: rows.map((row) => ({
      type: 'delegation_expired',
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
      evidence: { delegate: row.owner, effective_to: row.effective_to },
    })),
  };
}

async function lookAtPhantoms(tx: Transaction, { at, rules }: LookContext): Promise<Seen> {
  const places = rules.map.classes.flatMap(({ name, inherits }) =>
    rules.map.collectionsOf(name).map((collection) => ({ name, collection, inherits })),
  );
  const rows = await tx.run(readPhantoms, {
    classes: [...new Set(rules.map.classes.map((each) => each.name))],
    placeClasses: places.map((each) => each.name),
    placeCollections: places.map((each) => each.collection),
    inherits: places.map((each) => each.inherits),
    at,
  });
  return {
    types: ['phantom_gap'],
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
      evidence: { named_by: OWNERSHIP },
    })),
  };
}

async function lookAtIslands(tx: Transaction): Promise<Seen> {
  const rows = await tx.run(readIslands, {});
  return {
    types: ['island_detected'],
    observations: rows.map((row) => ({
      type: 'island_detected',
      subject: row.authority,
      entityType: 'governing_body',
      entityCode: row.authority,
      count: row.subjects.length,
      evidence: {
        subjects: row.subjects,
        approvals: String(row.approvals),
        reviewed: row.reviewed,
        statuses: row.statuses,
      },
    })),
  };
}

async function lookAtAxes(tx: Transaction, { coverage }: LookContext): Promise<Seen> {
  const rows = await tx.run(readAxesInUse(coverage.has('axis_registry', 'axis_family', 'status')), {});
  return {
    types: ['axis_unregistered'],
    observations: rows.map((row) => ({
      type: 'axis_unregistered',
      subject: row.family,
      entityType: 'axis_family',
      entityCode: row.family,
      evidence: { used_by: row.used_by },
    })),
  };
}

/** Looks as far as the context says. */
export async function lookAround(tx: Transaction, context: LookContext): Promise<Around> {
  const { coverage, extent } = context;
  const everything = extent === 'everything';
  const seen: Seen[] = [];
  if (coverage.ownershipAvailable) seen.push(await lookAtDelegations(tx, context));
  const own = await lookAtExceptions(tx, context);
  const listed = everything ? await lookAtListed(tx, context) : [];
  const owned = await lookAtOwned(tx, context);
  seen.push(owned.seen);
  if (everything) {
    if (coverage.ownershipAvailable) seen.push(await lookAtPhantoms(tx, context));
    if (coverage.ownershipAvailable && coverage.has('governance_registry', 'code'))
      seen.push(await lookAtIslands(tx));
    seen.push(await lookAtAxes(tx, context));
  }
  const pages: FindingPage[] = [
    {
      observations: seen.flatMap((each) => each.observations),
      evaluated: { types: seen.flatMap((each) => each.types), subjects: 'all' },
    },
    { observations: [...own.observations, ...listed], evaluated: everything ? own.all : own.evaluated },
    await lookAtBypasses(tx, context),
  ];
  return {
    pages: pages.filter((page) => page.evaluated.types.length > 0),
    isSaidElsewhere: owned.isSaidElsewhere,
  };
}
