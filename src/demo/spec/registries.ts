// Owns the list of member registries of the estate: how many members each lists, which of them were never
// born, and whether its births are certified. The rows themselves are in insert/*.sql.

export interface MemberRegistry {
  readonly collection: string;
  readonly species: string;
  readonly members: number;
  readonly neverBorn: readonly string[];
  readonly certified: boolean;
}

function registry(
  collection: string,
  species: string,
  members: number,
  extras: { neverBorn?: readonly string[]; certified?: boolean } = {},
): MemberRegistry {
  return {
    collection,
    species,
    members,
    neverBorn: extras.neverBorn ?? [],
    certified: extras.certified ?? false,
  };
}

/** In the order in which their members were born. */
export const memberRegistries: readonly MemberRegistry[] = [
  registry('governance_registry', 'agency', 9, { certified: true }),
  registry('normative_registry', 'law', 47, { certified: true }),
  registry('law_catalog', 'law', 5, { certified: true }),
  registry('governance_docs', 'law', 12, { certified: true }),
  registry('law_jurisdiction', 'law', 43),
  registry('dot_tools', 'tool', 309, { neverBorn: ['DOT-308', 'DOT-309'], certified: true }),
  registry('event_type_registry', 'signal', 40),
  registry('axis_registry', 'axis', 24),
  registry('pivot_definitions', 'axis', 37),
  registry('measurement_registry', 'measure', 142),
  registry('universal_rule_registry', 'rule', 24),
  registry('policy_registry', 'policy', 18),
  registry('exception_registry', 'policy', 6),
  registry('route_registry', 'route', 32, { neverBorn: ['RT-030', 'RT-031', 'RT-032'] }),
  registry('derived_objects_registry', 'derived', 7),
  registry('table_registry', 'structure', 60),
  registry('binding_registry', 'structure', 48),
  registry('information_unit', 'unit', 219),
];
