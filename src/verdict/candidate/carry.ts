// Owns carrying verdicts over when another ruleset becomes active. Verdicts that the change does not reach
// are carried unchanged. Verdicts that it reaches become dirty, or are reused if the version has judged them
// before with the same inputs. Nothing is evaluated.
import type { Transaction } from '../../db/index.js';
import { carry } from './carry.sql.js';
import { readGroupInputs } from './group/evaluate.js';
import { basisHash, factsOf, groupHash, readRules } from './rules.js';

export interface CarryOptions {
  /** The version that was active before. */
  readonly from: string;
  /** The version that is active now: the activation must come first. */
  readonly to: string;
  /** Keys of the groups that the change of rules reaches. */
  readonly reached: readonly string[];
  readonly at: string;
  readonly runId: string;
}

export interface Carried {
  readonly carried: number;
  readonly dirtied: number;
  /** Rows from an earlier activation of the version whose inputs are unchanged. */
  readonly reused: number;
}

/** Gives every live row a successor under the active version. */
export async function carryForward(
  tx: Transaction,
  options: CarryOptions,
): Promise<{
  readonly groups: Carried;
  readonly objects: Carried;
  /** Groups that the change does not reach. Their open findings stay open under the new version. */
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
    // By inventory group and scope, not by the key of the row: after a change of owner the row keeps its old
    // key until the next evaluation.
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
