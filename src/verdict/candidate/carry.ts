// Owns what becomes of verdicts when another ruleset comes into force: what the change does not reach is carried as it is, what it
// reaches is dirty, and what the version has judged before, with the inputs of today, speaks again. Nothing is evaluated.
import type { Transaction } from '../../db/index.js';
import { carry } from './carry.sql.js';
import { readGroupInputs } from './group/evaluate.js';
import { basisHash, factsOf, groupHash, readRules } from './rules.js';

export interface CarryOptions {
  /** The version that was in force. */
  readonly from: string;
  /** The one that is now: the activation comes first. */
  readonly to: string;
  /** Keys of the groups that the change of rules reaches. */
  readonly reached: readonly string[];
  readonly at: string;
  readonly runId: string;
}

export interface Carried {
  readonly carried: number;
  readonly dirtied: number;
  /** Rows of an earlier time in force whose inputs are as they were then. */
  readonly reused: number;
}

/** Gives every live row one under the version now in force. */
export async function carryForward(
  tx: Transaction,
  options: CarryOptions,
): Promise<{
  readonly groups: Carried;
  readonly objects: Carried;
  /** Where the change does not reach: what was open there stays open under the new version. */
  readonly outside: readonly { readonly inventoryKey: string; readonly scope: string }[];
}> {
  const { from, to, reached, at, runId } = options;
  const rules = await readRules(tx);
  const concerned = new Set(reached);
  const all = await readGroupInputs(tx, rules);
  const known = all
    .filter((group) => concerned.has(group.groupKey))
    .map((group) => {
      const facts = factsOf(rules, group);
      const basis = basisHash(group, facts);
      return { key: group.groupKey, hash: groupHash(basis, group, facts), basis };
    });
  const row = await tx.one(carry, {
    from,
    to,
    reached,
    known: known.map((each) => each.key),
    groupHashes: known.map((each) => each.hash),
    basisHashes: known.map((each) => each.basis),
    at,
    runId,
  });
  return {
    // By place, not by the key of the row: after a change of owner that is another one until somebody looks.
    outside: all.filter((group) => !concerned.has(group.groupKey)),
    groups: {
      carried: Number(row.groups_carried),
      dirtied: Number(row.groups_dirtied),
      reused: Number(row.groups_reused),
    },
    objects: {
      carried: Number(row.objects_carried),
      dirtied: Number(row.objects_dirtied),
      reused: Number(row.objects_reused),
    },
  };
}
