// Owns the place of an object: its inventory group by its first birth or by its registry entry, or none, with
// the reason.
import { fillParts, quoteIdentifier, type Transaction } from '../../db/index.js';
import { type ClassMap, hasMembers, type InventoryGroup, memberTable } from '../../inventory/group/index.js';
import { groupOf } from '../../inventory/snapshot/index.js';
import type { Candidate, Rules, VerdictFacts } from '../../verdict/candidate/index.js';
import type { ExplainedGroup } from './explain.js';
import { readGroups, readMember, readSuccessors } from './explain.sql.js';

export interface Found {
  readonly group: InventoryGroup | undefined;
  readonly listed: boolean | null;
  readonly silence: string | undefined;
  readonly facts: Partial<VerdictFacts>;
}

interface Listed {
  readonly listed: boolean | null;
  readonly status: string | null;
  /** The members that replace it, the nearest first. */
  readonly supersededBy: readonly string[];
}

async function isListed(
  tx: Transaction,
  map: ClassMap,
  collection: string,
  code: string,
  species: string | null,
): Promise<Listed> {
  const { registry } = map.classOf(collection, species);
  if (registry === null || !hasMembers(registry) || registry.codeColumn === null)
    return { listed: null, status: null, supersededBy: [] };
  const [row] = await tx.run(fillParts(readMember, { members: memberTable([registry]) }), { code });
  const supersedes = registry.lifecycle?.supersedes ?? null;
  const above =
    supersedes === null
      ? []
      : await tx.run(
          fillParts(readSuccessors, {
            registry: quoteIdentifier(registry.name),
            code: quoteIdentifier(registry.codeColumn),
            supersedes: quoteIdentifier(supersedes.column),
            refers_to: quoteIdentifier(supersedes.refersTo),
          }),
          { code },
        );
  return {
    listed: row !== undefined,
    status: row?.status ?? null,
    supersededBy: above.map((each) => each.code),
  };
}

/** The place of the object in the inventory, or the reason why it has none. */
export async function place(
  tx: Transaction,
  { map, shared }: Rules,
  key: { readonly collection: string; readonly code: string },
  { births, own }: Candidate,
): Promise<Found> {
  const { collection, code } = key;
  const [first] = births;
  const { listed, status, supersededBy } = await isListed(tx, map, collection, code, first?.species ?? null);
  if (first !== undefined) {
    const unlisted = listed === false && !first.group.inherits;
    const sharedItself = shared.isShared(collection, first.group.objectClass, code);
    return {
      group: first.group,
      listed,
      silence: undefined,
      facts: { unlisted, sharedItself, supersededBy },
    };
  }
  const gone = own.some((row) => 'source_row_gone' in row.evidence);
  const unborn = listed === true;
  const facts = { unborn, sourceGone: gone, supersededBy };
  const member = { collection_name: collection, species_code: null, status: null, member_status: status };
  if (unborn)
    return {
      group: groupOf(map, member),
      listed,
      silence: `registry ${collection} lists it, but it has no birth`,
      facts,
    };
  const known = map.classOf(collection, null).unresolved !== 'no_class';
  return {
    group: undefined,
    listed,
    silence: known ? 'there is no such birth' : 'there is no such birth, and no class has such a collection',
    facts,
  };
}

/** Scope → the group in its public form. */
export async function readPlaces(
  tx: Transaction,
  key: string,
): Promise<ReadonlyMap<string | null, ExplainedGroup>> {
  const rows = await tx.run(readGroups, { key });
  return new Map(
    rows.map((row) => [
      row.scope,
      {
        inventoryKey: row.inventory_key,
        groupKey: row.group_key,
        objectClass: row.object_class,
        sourceRegistry: row.source_registry,
        axisFamily: row.axis_family,
        lifecycleStatus: row.lifecycle_status,
        inherits: row.inherits,
        unresolved: row.unresolved_reason,
        members: row.member_count,
        owner: row.owner_scope,
        anchor: row.anchor,
      },
    ]),
  );
}
