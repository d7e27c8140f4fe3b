// Owns the findings about parts of the inventory that the catalogue cannot resolve: a collection without a
// class, a class whose registry is missing, a collection with ambiguous classes; a collection whose
// decision is open; and a class that has other members than the catalogue counts. One finding per cause.
import { z } from 'zod';
import { defineSetting, fillParts, readSetting, type Transaction } from '../../db/index.js';
import { readDecisions } from '../../host/index.js';
import type { Observation, RiskClass } from '../../record/finding/index.js';
import { type ClassMap, memberTable } from '../group/index.js';
import { type Inventory, statusRegistries } from './fingerprint/fingerprint.js';
import { countMembers, readRecordCounts } from './gap.sql.js';

export const GAP_TYPE = 'backfill_inventory_gap';

/** The source that is not in order: a collection, or the class whose registry it is. */
interface Source {
  readonly collection: string;
  readonly objectClass?: string;
  readonly riskClass: string | undefined;
}

function gap(
  entityType: 'collection' | 'object_class',
  name: string,
  rootCause: string,
  { riskClass, ...source }: Source,
  evidence: Readonly<Record<string, unknown>>,
): Observation {
  // What has no profile may do anything.
  const risk = (riskClass ?? 'write_high') as RiskClass;
  const about = { type: GAP_TYPE, subject: name, rootCause, entityType, entityCode: name };
  return { ...about, source, riskClass: risk, evidence };
}

const sourceOf = (map: ClassMap, collection: string): Source => {
  const { name, profile, unresolved } = map.classOf(collection, null);
  return {
    collection,
    ...(unresolved === 'no_class' ? {} : { objectClass: name }),
    riskClass: profile?.riskClass,
  };
};

/** The findings about the unresolved parts of `inventory`. */
export function unresolvedGaps(map: ClassMap, inventory: Inventory): readonly Observation[] {
  const births = (matches: (group: Inventory['groups'][number]) => boolean): bigint =>
    inventory.groups.filter(matches).reduce((total, group) => total + group.count, 0n);
  const classless = new Set(
    inventory.groups.filter((group) => group.unresolved === 'no_class').map((group) => group.sourceRegistry),
  );
  const lacking = new Map(
    map.classes.filter((each) => each.unresolved !== null).map((each) => [each.name, each]),
  );
  return [
    ...[...classless].map((collection) =>
      gap('collection', collection, 'no_class', sourceOf(map, collection), {
        births: births((group) => group.sourceRegistry === collection),
      }),
    ),
    ...[...lacking.values()].map((each) =>
      gap(
        'object_class',
        each.name,
        each.unresolved ?? '',
        {
          collection: each.registry?.name ?? each.name,
          objectClass: each.name,
          riskClass: each.profile?.riskClass,
        },
        { registry: each.registry?.name, births: births((group) => group.objectClass === each.name) },
      ),
    ),
    ...inventory.ambiguous.map((collection) =>
      gap('collection', collection, 'ambiguous_class', sourceOf(map, collection), {}),
    ),
  ];
}

/** Collection → its births, of the collections whose class is known. */
function birthsByCollection(inventory: Inventory): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const { sourceRegistry, count, unresolved } of inventory.groups)
    if (unresolved !== 'no_class') found.set(sourceRegistry, (found.get(sourceRegistry) ?? 0n) + count);
  return found;
}

/** Collections with births whose decision is open: their objects are unknown. */
async function undecidedGaps(
  tx: Transaction,
  map: ClassMap,
  births: ReadonlyMap<string, bigint>,
): Promise<readonly Observation[]> {
  const decisions = await readDecisions(tx, map.content);
  return [...births].flatMap(([collection, count]): Observation[] => {
    const decision = decisions.get(collection);
    if (count === 0n || (decision !== undefined && decision.means !== 'unknown')) return [];
    const { coverageStatus = null, coverageScopeStatus = null, reviewOwner, reason } = decision ?? {};
    const found = gap('collection', collection, 'decision_open', sourceOf(map, collection), {
      births: count,
      coverage_status: coverageStatus,
      coverage_scope_status: coverageScopeStatus,
      ...(reason ? { reason } : {}),
      ...(reviewOwner ? { review_owner: reviewOwner } : {}),
    });
    // Its owner does not decide whether it is governed: the body that reviews it does, else the council.
    const { source, ...about } = found;
    return [{ ...about, ...(reviewOwner ? { ask: reviewOwner } : {}) }];
  });
}

const toleranceSetting = z.strictObject({ share: z.number().min(0), rows: z.int().min(0) });
export const countTolerance = defineSetting({
  key: 'inventory.count_tolerance',
  form: toleranceSetting,
  default: { share: 0.1, rows: 100 },
  about:
    'by how much the number of members of a class that the host counts in its catalogue (record_count) may differ from those that its registry lists and from those that were born, before it is a finding: more than this share and more than this number of rows',
});

/**
 * Classes of which the catalogue counts another number of members than their registry lists and than were
 * born. The host maintains the count, so it may be behind by what the setting tolerates. A collection with
 * several classes is left out: its counts may overlap.
 */
async function countGaps(
  tx: Transaction,
  map: ClassMap,
  births: ReadonlyMap<string, bigint>,
): Promise<readonly Observation[]> {
  const tolerance = await readSetting(tx, countTolerance);
  const registries = memberTable(statusRegistries(map));
  const members = new Map(
    (await tx.run(fillParts(countMembers, { members: registries }), {})).map((row) => [
      row.collection_name,
      row.members,
    ]),
  );
  return (await tx.run(readRecordCounts, {})).flatMap(
    ({ collection_name: collection, record_count: counted }) => {
      const [born, listed] = [births.get(collection) ?? 0n, members.get(collection)];
      const differs = (found: bigint): boolean => {
        const off = Math.abs(Number(found - counted));
        return off > tolerance.rows && off > tolerance.share * Number(counted);
      };
      if (!differs(born) || (listed !== undefined && !differs(listed))) return [];
      return [
        gap('collection', collection, 'record_count', sourceOf(map, collection), {
          record_count: counted,
          births: born,
          ...(listed === undefined ? {} : { members: listed }),
          tolerance,
        }),
      ];
    },
  );
}

/** The findings about the parts of `inventory` that are not in order. */
export async function readInventoryGaps(
  tx: Transaction,
  map: ClassMap,
  inventory: Inventory,
): Promise<readonly Observation[]> {
  const births = birthsByCollection(inventory);
  return [
    ...unresolvedGaps(map, inventory),
    ...(await undecidedGaps(tx, map, births)),
    ...(await countGaps(tx, map, births)),
  ];
}
