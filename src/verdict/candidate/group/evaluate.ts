// Owns the verdicts of groups. All groups are decided in memory, O(groups), and written by a fixed number of
// statements. A group whose inputs, verdict and validity equal the stored row is not touched.

import type { Transaction } from '../../../db/index.js';
import type { UnresolvedReason } from '../../../inventory/group/index.js';
import { citeGroups } from '../../../inventory/snapshot/index.js';
import { defineStage, type StageContract } from '../../../kernel/index.js';
import { foremost, NEEDS_BACKFILL } from '../../input/index.js';
import {
  basisHash,
  decideBy,
  dependsOn,
  factsOf,
  type GroupInput,
  groupHash,
  type Rules,
  WITHHELD,
} from '../rules.js';
import {
  readCurrentVerdicts,
  readInputs,
  readLiveScopes,
  supersedeKeys,
  supersedeScopes,
  writeGroups,
} from './evaluate.sql.js';

/**
 * The stamp of a verdict: its ruleset, run and time. Its snapshot follows from its group: the newest that
 * contains the group with the fingerprint it has now.
 */
export interface VerdictStamp {
  readonly rulesetVersion: string;
  readonly runId: string;
  /** When it was evaluated. */
  readonly at: string;
}

export interface EvaluationOptions extends VerdictStamp {
  /** All groups when omitted. */
  readonly inventoryKeys?: readonly string[];
  readonly rules: Rules;
  /** The cause recorded in the history; default: `evaluation`. */
  readonly cause?: string;
  /**
   * Whether the sweep of the first backfill has not reached the members yet, so that they have no accepted
   * input.
   */
  readonly needsBackfill?: boolean;
}

export interface Evaluation {
  readonly evaluated: number;
  readonly inserted: number;
  /** Rows whose inputs or verdict differ from the stored ones. */
  readonly changed: number;
  /** Rows that were dirty or expired and whose inputs are unchanged: only time and snapshot are new. */
  readonly renewed: number;
  readonly unchanged: number;
  /** Superseded rows under another key, scope or ruleset. */
  readonly superseded: number;
  /** Groups whose result differs from the stored row. For all others no further evaluation is needed. */
  readonly differing: readonly { readonly inventoryKey: string; readonly scope: string }[];
  /** Hashes of the inputs that an evaluated group shares with its objects. */
  readonly bases: readonly GroupBasis[];
}

export interface GroupBasis {
  readonly inventoryKey: string;
  readonly scope: string;
  readonly basisHash: string;
}

const NOTHING = { inserted: 0n, changed: 0n, renewed: 0n, superseded: 0n };

/**
 * The inputs of all groups, or of those of some inventory groups. Whether a group is gone concerns its own
 * verdict only: `ofObjects` does not look. During a sweep every group would be looked up in each batch.
 */
export async function readGroupInputs(
  tx: Transaction,
  rules: Rules,
  options: { readonly inventoryKeys: readonly string[] | null; readonly ofObjects?: boolean },
): Promise<readonly GroupInput[]> {
  const { inventoryKeys, ofObjects = false } = options;
  const rows = await tx.run(readInputs, { scopes: rules.scopes, inventoryKeys, findsGone: !ofObjects });
  return rows.map((row) => ({
    groupKey: row.group_key,
    inventoryKey: row.inventory_key,
    scope: row.scope,
    owner: row.owner_scope,
    objectClass: row.object_class,
    sourceRegistry: row.source_registry,
    axisFamily: row.axis_family,
    lifecycleStatus: row.lifecycle_status,
    unresolved: row.unresolved_reason as UnresolvedReason | null,
    inherits: row.inherits,
    fingerprint: row.inherits ? null : [row.member_count, row.grain_count, row.h1, row.h2],
    gone: row.gone,
  }));
}

/** Supersedes rows under the key of a former owner and returns their dirty successors. */
export async function supersedeOwners(
  tx: Transaction,
  options: { readonly at: string; readonly runId: string; readonly inventoryKeys?: readonly string[] },
): Promise<readonly { readonly groupKey: string; readonly inventoryKey: string; readonly scope: string }[]> {
  const { at, runId, inventoryKeys = null } = options;
  const rows = await tx.run(supersedeKeys, { inventoryKeys, at, runId });
  return rows.map((row) => ({
    groupKey: row.group_key,
    inventoryKey: row.inventory_key,
    scope: row.scope,
  }));
}

/**
 * Supersedes rows of scopes that are no longer active. Nearly always there are none, which the scopes of the
 * groups show.
 */
async function endScopes(
  tx: Transaction,
  rules: Rules,
  options: { readonly at: string; readonly inventoryKeys: readonly string[] | null },
): Promise<number> {
  const live = await tx.run(readLiveScopes, {});
  if (live.every(({ scope }) => rules.scopes.includes(scope))) return 0;
  return Number((await tx.one(supersedeScopes, { scopes: rules.scopes, ...options })).groups);
}

interface StoredVerdict {
  readonly text: string;
  readonly holds: boolean;
  /** Whether its snapshot exists. */
  readonly cited: boolean;
}

/**
 * The stored rows, as one text per group. An equal text means that no evaluation is needed, and no write if
 * the row is valid.
 */
async function readStored(
  tx: Transaction,
  options: {
    readonly rulesetVersion: string;
    readonly at: string;
    readonly inventoryKeys: readonly string[] | null;
  },
): Promise<ReadonlyMap<string, StoredVerdict>> {
  const rows = await tx.run(readCurrentVerdicts, options);
  return new Map(
    rows.map((row) => [
      row.group_key,
      {
        text: storedText(
          row.input_hash,
          row.candidate_verdict,
          row.verdict_line,
          row.row_state,
          row.weight,
          row.risk_class,
          row.owner_scope,
        ),
        holds: row.holds,
        cited: row.cited,
      },
    ]),
  );
}

const storedText = (...parts: readonly (string | number | null)[]): string => JSON.stringify(parts);

const CANDIDATE: StageContract = {
  name: 'candidate',
  takes: 'inventory groups, or all; the rules and the verdict stamp',
  returns: 'how many verdicts were evaluated, changed, renewed or superseded',
  writes: 'governance_candidate_state, governance_verdict_history',
  promises: 'one live verdict per group and scope; a group whose inputs are as stored is not written',
};

/** Decides every group and writes the differences, in the caller's repeatable-read transaction. */
export const evaluateGroups = defineStage(
  CANDIDATE,
  async (tx: Transaction, options: EvaluationOptions): Promise<Evaluation> => {
    const { rulesetVersion, runId, at, rules, cause = 'evaluation' } = options;
    const inventoryKeys = options.inventoryKeys ?? null;
    const moved = await supersedeOwners(tx, options);
    const outside = await endScopes(tx, rules, { at, inventoryKeys });
    const groups = await readGroupInputs(tx, rules, { inventoryKeys });
    const stored = await readStored(tx, { rulesetVersion, at, inventoryKeys });
    const decided = groups.map((group) => {
      const known = factsOf(rules, group);
      const facts =
        options.needsBackfill === true
          ? { ...known, inputState: foremost(known.inputState, NEEDS_BACKFILL) }
          : known;
      const basis = basisHash(group, facts);
      const rowState = group.gone ? 'retired' : 'active';
      const weight = group.inherits ? 1 : 0;
      return {
        group,
        facts,
        basis,
        hash: rules.withheld === undefined ? groupHash(basis, group, facts) : WITHHELD,
        rowState,
        weight,
        ...decideBy(rules, facts),
      };
    });
    const isAsStored = ({
      group,
      hash,
      verdict,
      line,
      rowState,
      weight,
      riskClass,
    }: (typeof decided)[number]) =>
      stored.get(group.groupKey)?.text ===
      storedText(hash, verdict, line, rowState, weight, riskClass, group.owner);
    const differing = decided.filter((each) => !isAsStored(each));
    const other = new Set(differing);
    const fresh = decided.filter(
      (each) => other.has(each) || stored.get(each.group.groupKey)?.holds !== true,
    );
    const uncited = fresh.filter(
      (each) => other.has(each) || stored.get(each.group.groupKey)?.cited !== true,
    );
    await citeGroups(
      tx,
      uncited.map(({ group }) => group.inventoryKey),
      options,
    );
    const written =
      fresh.length === 0
        ? NOTHING
        : await tx.one(writeGroups, {
            groupKeys: fresh.map(({ group }) => group.groupKey),
            inventoryKeys: fresh.map(({ group }) => group.inventoryKey),
            scopes: fresh.map(({ group }) => group.scope),
            owners: fresh.map(({ group }) => group.owner),
            verdicts: fresh.map((each) => each.verdict),
            lines: fresh.map((each) => each.line),
            evidence: fresh.map((each) => JSON.stringify(each.evidence)),
            dependsOn: fresh.map(({ group }) => dependsOn(group, group.owner)),
            riskClasses: fresh.map((each) => each.riskClass),
            coverageRequired: fresh.map((each) => each.coverageRequired),
            ttlSeconds: fresh.map((each) => each.ttlSeconds ?? rules.defaultTtlSeconds),
            weights: fresh.map((each) => each.weight),
            inputHashes: fresh.map((each) => each.hash),
            rowStates: fresh.map((each) => each.rowState),
            inputStates: fresh.map((each) => each.facts.inputState),
            rulesetVersion,
            runId,
            at,
            cause,
          });
    const touched = written.inserted + written.changed + written.renewed;
    return {
      evaluated: groups.length,
      inserted: Number(written.inserted),
      changed: Number(written.changed),
      renewed: Number(written.renewed),
      unchanged: groups.length - Number(touched),
      superseded: Number(written.superseded) + outside + moved.length,
      differing: differing.map(({ group }) => ({ inventoryKey: group.inventoryKey, scope: group.scope })),
      bases: decided.map(({ group, basis }) => ({
        inventoryKey: group.inventoryKey,
        scope: group.scope,
        basisHash: basis,
      })),
    };
  },
  ({ evaluated, changed, renewed }) => ({ evaluated, changed, renewed }),
);
