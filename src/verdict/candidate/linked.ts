// Owns issue_ref: the open finding of a group or an object. The transaction that raises, reopens or resolves
// findings, or that evaluates rows, also sets it. Someone who closes the finding by hand does not: then the
// next evaluation of the row does.
import type { Transaction } from '../../db/index.js';
import { linkGroups, linkObjects } from './linked.sql.js';
import { walkObjectRows } from './objects/walk.js';

/** These findings summarise all others of a group in a scope. */
const PARENTS = ['anarchic_object', 'governance_orphan'];

/** How many findings one statement follows to the objects that they name. */
const PAGE = 2_000;

interface LinkWhere {
  /** Inventory groups, with their objects; null: all. */
  readonly inventoryKeys: readonly string[] | null;
  /** Codes of findings: the objects that they name. */
  readonly codes?: readonly string[];
}

/** Sets issue_ref of these rows; returns how many changed. */
export async function linkFindings(
  tx: Transaction,
  { at }: { readonly at: string },
  { inventoryKeys, codes = [] }: LinkWhere,
): Promise<bigint> {
  if (inventoryKeys?.length === 0 && codes.length === 0) return 0n;
  const where = { inventoryKeys, parents: PARENTS, at };
  let linked = (await tx.one(linkGroups, where)).linked;
  if (inventoryKeys?.length !== 0)
    await walkObjectRows(tx, undefined, async ({ first, last }) => {
      const objects = await tx.one(linkObjects, { ...where, codes: [], first, last });
      return () => {
        linked += objects.linked;
      };
    });
  for (let from = 0; from < codes.length; from += PAGE) {
    const page = codes.slice(from, from + PAGE);
    const named = { ...where, inventoryKeys: [], codes: page, first: 0n, last: 0n };
    linked += (await tx.one(linkObjects, named)).linked;
  }
  return linked;
}
