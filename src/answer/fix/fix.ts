// Owns fixes: one act at one place, the number of units that wait for it, the bodies that can do it, and the
// findings it would close. Derived from coverage evidence and open findings, in two statements for any number
// of fixes; fixes are not stored.
import type { Transaction } from '../../db/index.js';
import { defaultOwners } from '../../host/index.js';
import { canonicalJson, domainHash } from '../../kernel/index.js';
import { readFindingSettings, type Severity } from '../../record/finding/index.js';
import { type ActingBodies, readActingBodies } from './bodies.js';
import { readEvaluated, readGaps, readOthers } from './fix.sql.js';
import { findingText, gapText } from './text.js';

/** The evidence of the gap. */
export interface FoundUnder {
  readonly snapshot: bigint | null;
  readonly ruleset: string | null;
  readonly scanTime: string | null;
  readonly run: string | null;
}

export interface Fix {
  /** FIX- and 12 digits; the same act at the same place always has the same id. */
  readonly id: string;
  readonly what: string;
  /** name_owner, choose_owner, give_link, authorize_tool; else the type of the finding. */
  readonly action: string;
  readonly link: string | null;
  readonly subject: { readonly kind: string; readonly ref: string; readonly collection: string | null };
  /** Null: all scopes. */
  readonly scope: string | null;
  /** Units that wait for it. */
  readonly objects: number;
  /** Those of them that lack nothing else. */
  readonly alone: number;
  /** Members of the containers among them, which have no row of their own. */
  readonly members: number;
  /** The bodies that can do it; empty: the host names none. */
  readonly who: readonly string[];
  readonly severity: Severity | null;
  readonly sample: readonly string[];
  /** Codes of the open findings that it would close. */
  readonly findings: readonly string[];
  readonly foundUnder: FoundUnder;
}

/** The finding type of each missing link; a missing heartbeat has none. */
const LINK_FINDINGS = [
  ['owner', 'owner_gap'],
  ['approval', 'approval_path_gap'],
  ['audit', 'audit_gap'],
  ['rollback', 'rollback_gap'],
  ['issue_event', 'issue_event_gap'],
  ['law_ref', 'law_reference_gap'],
  ['design_ref', 'law_reference_gap'],
  ['dot_authority', 'dot_authority_gap'],
] as const;
/** Ungrouped findings, which belong to no unit. */
const ALONE = [
  'axis_unregistered',
  'exception_expired',
  'unratified_exception',
  'delegation_expired',
  'direct_write_bypass',
  'island_detected',
  'phantom_gap',
];
/** Usually about units; separate if the inventory does not contain their subject. */
const UNPLACED = ['axis_owner_gap', 'classification_policy_unowned', 'issue_event_gap'];

const ID_DIGITS = 12;

const idOf = (...parts: readonly (string | null)[]): string =>
  `FIX-${domainHash('gcos-fix', canonicalJson(parts)).slice(0, ID_DIGITS)}`;

/**
 * The routes of the findings, else the owners of the units, else the default owner of the scope, else the
 * council. No body, if the host lists no council.
 */
function whoCan(
  row: {
    readonly routes: readonly string[];
    readonly owners: readonly string[];
    readonly scope: string | null;
  },
  defaults: ReadonlyMap<string, string>,
  { council, named }: ActingBodies,
): readonly string[] {
  const routes = named(row.routes);
  if (routes.length > 0) return routes;
  if (row.owners.length > 0) return row.owners;
  const body = (row.scope === null ? undefined : defaults.get(row.scope)) ?? council;
  return body === null ? [] : [body];
}

const GRAVITY: readonly (string | null)[] = ['critical', 'high', 'medium', 'low', null];

/**
 * Most units first; among equals, the fix that completes more units, reaches more members, and is more
 * severe.
 */
function byReach(left: Fix, right: Fix): number {
  return (
    right.objects - left.objects ||
    right.alone - left.alone ||
    right.members - left.members ||
    GRAVITY.indexOf(left.severity) - GRAVITY.indexOf(right.severity) ||
    (left.id < right.id ? -1 : 1)
  );
}

/** All current fixes, ordered by effect. */
export async function readFixes(tx: Transaction): Promise<readonly Fix[]> {
  const settings = await readFindingSettings(tx);
  const gaps = await tx.run(readGaps, {
    links: LINK_FINDINGS.map(([link]) => link),
    types: LINK_FINDINGS.map(([, type]) => type),
  });
  const others = await tx.run(readOthers, { alone: ALONE, unplaced: UNPLACED });
  const { snapshot } = await tx.one(readEvaluated, {});
  const scopes = new Set(gaps.flatMap((row) => row.scope ?? []));
  const defaults = await defaultOwners(tx, [...scopes]);
  const bodies = await readActingBodies(tx, settings);
  return [
    ...gaps.map((row): Fix => {
      const { action, link, kind, subject, collection, scope } = row;
      return {
        id: idOf(action, link, kind, subject, collection, scope),
        what: gapText(row),
        action,
        link,
        subject: { kind, ref: subject, collection },
        scope,
        objects: Number(row.objects),
        alone: Number(row.alone),
        members: Number(row.members),
        who: whoCan(row, defaults, bodies),
        severity: row.severity as Severity | null,
        sample: row.sample,
        findings: row.findings,
        foundUnder: {
          snapshot: row.snapshot,
          ruleset: row.ruleset,
          scanTime: row.scan_time,
          run: row.run,
        },
      };
    }),
    ...others.map(
      (row): Fix => ({
        id: idOf(row.type, row.code),
        what: findingText(row),
        action: row.type,
        link: null,
        subject: { kind: row.entity_type ?? 'subject', ref: row.subject, collection: null },
        scope: row.scope,
        objects: Number(row.objects),
        alone: 0,
        members: Number(row.members),
        who: bodies.named(row.routes),
        severity: row.severity as Severity,
        sample: row.sample,
        findings: [row.code],
        foundUnder: { snapshot, ruleset: row.ruleset, scanTime: null, run: row.run },
      }),
    ),
  ].sort(byReach);
}
