// Owns the gaps that a preview finds, each with its size and what closes it: parts of the inventory that the
// catalogue or the rules cannot resolve, missing owners, input that would not be accepted, members without a
// birth.
import { type Inventory, unresolvedGaps } from '../../../inventory/snapshot/index.js';
import type { JudgedUnit, Preview } from '../../../verdict/candidate/index.js';
import type { FindingPage } from '../../../verdict/coverage/index.js';
import { BIRTH_MISSING, type InputCause } from '../../../verdict/input/index.js';

export interface PreviewedGap {
  readonly kind:
    | 'no_class'
    | 'registry_missing'
    | 'registry_unreadable'
    | 'ambiguous_class'
    | 'no_profile'
    | 'no_decision'
    | 'unlisted'
    | 'no_owner'
    | 'input'
    | 'unborn';
  /** A collection, or a class of objects. */
  readonly subject: string;
  /** How many births or units it concerns. */
  readonly count: bigint;
  readonly of: 'births' | 'units';
  /** What closes it. */
  readonly what: string;
}

const INVENTORY_ACTS: Readonly<Record<string, (subject: string, registry: string) => string>> = {
  no_class: (subject) => `give collection \`${subject}\` a class in meta_catalog`,
  registry_missing: (subject, registry) =>
    `create the registry \`${registry}\` of class \`${subject}\`, or remove its name from meta_catalog`,
  registry_unreadable: (_, registry) => `let the roles of GCOS read \`${registry}\`: \`gcos upgrade\``,
  ambiguous_class: (subject) => `let the species of its births distinguish the classes of \`${subject}\``,
};

function ofInventory({ rules }: Preview, inventory: Inventory): readonly PreviewedGap[] {
  const birthsOf = (collection: string) =>
    inventory.groups
      .filter((group) => group.sourceRegistry === collection)
      .reduce((sum, group) => sum + group.count, 0n);
  return unresolvedGaps(rules.map, inventory).map(({ subject, rootCause = '', evidence = {} }) => ({
    kind: rootCause as PreviewedGap['kind'],
    subject,
    count: (evidence['births'] as bigint | undefined) ?? birthsOf(subject),
    of: 'births',
    what: INVENTORY_ACTS[rootCause]?.(subject, String(evidence['registry'])) ?? rootCause,
  }));
}

/** Why the units of a collection are unknown, apart from the inventory. */
function whyUnknown({ rules }: Preview, unit: JudgedUnit): Pick<PreviewedGap, 'kind' | 'subject' | 'what'> {
  const { sourceRegistry: subject, objectClass } = unit;
  const decision = rules.decisions.get(subject);
  if (decision === undefined)
    return {
      kind: 'no_decision',
      subject,
      what: `register collection \`${subject}\` with a coverage decision`,
    };
  if (decision.means === 'unknown')
    return { kind: 'no_decision', subject, what: `decide about the coverage of collection \`${subject}\`` };
  if ((rules.profiles.get(objectClass) ?? null) === null)
    return {
      kind: 'no_profile',
      subject: objectClass,
      what: `write a coverage profile for class \`${objectClass}\`, and activate it`,
    };
  return { kind: 'unlisted', subject, what: `enter these births of \`${subject}\` in its member registry` };
}

/** How many units of one scope have the class, collection and verdict of `unit`. */
export interface UnitTally {
  readonly unit: JudgedUnit;
  readonly units: bigint;
}

function ofUnits(
  preview: Preview,
  tallies: readonly UnitTally[],
  known: ReadonlySet<string>,
): readonly PreviewedGap[] {
  const found = new Map<string, PreviewedGap>();
  for (const { unit, units } of tallies) {
    const { sourceRegistry, objectClass } = unit;
    const isUnborn = unit.verdict === 'deferred_birth' && unit.line === 1;
    if (!isUnborn && (unit.verdict !== 'unknown' || known.has(sourceRegistry) || known.has(objectClass)))
      continue;
    const gap = isUnborn
      ? {
          kind: 'unborn' as const,
          subject: sourceRegistry,
          what: `register the births of these members of \`${sourceRegistry}\``,
        }
      : whyUnknown(preview, unit);
    const name = JSON.stringify([gap.kind, gap.subject]);
    found.set(name, { ...gap, of: 'units', count: (found.get(name)?.count ?? 0n) + units });
  }
  return [...found.values()];
}

/** Collections with units that lack an owner, counted once per scope. */
function ofOwners(pages: readonly FindingPage[]): readonly PreviewedGap[] {
  const found = new Map<string, { scopes: Set<string>; count: bigint }>();
  for (const each of pages.flatMap((page) => page.observations)) {
    if (each.type !== 'owner_gap') continue;
    const collection = String(each.evidence?.['source_registry'] ?? each.entityCode);
    const before = found.get(collection) ?? { scopes: new Set(), count: 0n };
    if (each.scope !== undefined) before.scopes.add(each.scope);
    found.set(collection, { ...before, count: before.count + 1n });
  }
  return [...found].map(([subject, { scopes, count }]) => ({
    kind: 'no_owner',
    subject,
    count,
    of: 'units',
    what: `name an accountable owner for \`${subject}\` in ${[...scopes].sort().join(', ')}`,
  }));
}

const INPUT_ACTS: Readonly<Record<string, (cause: InputCause) => string>> = {
  untrusted_source: ({ cause }) => `decide whether the source \`${cause}\` is trusted: \`gcos input trust\``,
  duplicate: () => 'leave one birth of each key',
  conflict: () => 'leave one birth of each key',
  quarantined: () => 'release them: `gcos input release`',
  stale: () => 'register them again, or change the age their contract allows',
};

function ofInput(causes: readonly InputCause[], inventory: Inventory): readonly PreviewedGap[] {
  const found = new Map<string, PreviewedGap>();
  for (const each of causes) {
    // Counted as unborn.
    if (each.state === BIRTH_MISSING) continue;
    const act = INPUT_ACTS[each.state]?.(each) ?? 'correct the fields of the births, or their contract';
    const what = `${each.collection}, ${each.state.replaceAll('_', ' ')}: ${act}`;
    const births = inventory.groups
      .filter((group) => group.sourceRegistry === each.collection)
      .reduce((sum, group) => sum + group.count, 0n);
    const count = (found.get(what)?.count ?? 0n) + (each.whole ? births : each.objects);
    found.set(what, { kind: 'input', subject: each.collection, count, of: 'births', what });
  }
  return [...found.values()];
}

/** All gaps, the largest first. */
export function gapsOf(
  preview: Preview,
  options: {
    readonly inventory: Inventory;
    readonly pages: readonly FindingPage[];
    readonly causes: readonly InputCause[];
    readonly tallies: readonly UnitTally[];
  },
): readonly PreviewedGap[] {
  const { inventory, pages, causes, tallies } = options;
  const unresolved = ofInventory(preview, inventory);
  const known = new Set(unresolved.filter((gap) => gap.kind !== 'ambiguous_class').map((gap) => gap.subject));
  return [
    ...unresolved,
    ...ofUnits(preview, tallies, known),
    ...ofOwners(pages),
    ...ofInput(causes, inventory),
  ].sort((left, right) => Number(right.count - left.count) || (left.what < right.what ? -1 : 1));
}
