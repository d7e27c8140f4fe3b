// Owns the findings about gaps: one finding per cause, and one parent finding per inventory group and scope
// that summarises them. The subject of each is the inventory group, so that a new evaluation of the group
// resolves the findings whose cause is gone.
import type { Transaction } from '../../db/index.js';
import {
  coalesceKey,
  type FindingContext,
  type Link,
  type Observation,
  type RiskClass,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { linkFindings } from '../candidate/index.js';
import type { FindingPage, Gap } from './gap.js';
import type { LegacyDeadline } from './legacy.js';
import type { UngroupedChecks } from './ungrouped/context.js';

const FAMILY = 'coverage';
const ORPHAN = 'governance_orphan';
const ANARCHIC = 'anarchic_object';
const CONFLICT = 'owner_conflict';
const EVENT_GAP = 'issue_event_gap';
/** A missing heartbeat has no finding of its own: the orphan finding reports it. */
const LINK_FINDINGS: Readonly<Record<string, string>> = {
  owner: 'owner_gap',
  approval: 'approval_path_gap',
  audit: 'audit_gap',
  rollback: 'rollback_gap',
  issue_event: EVENT_GAP,
  law_ref: 'law_reference_gap',
  design_ref: 'law_reference_gap',
  dot_authority: 'dot_authority_gap',
};
const GROUP_TYPES: readonly string[] = [
  ...new Set([ORPHAN, ANARCHIC, CONFLICT, ...Object.values(LINK_FINDINGS)]),
];
/** Without these links no one is accountable for a change. */
const AUTHORITY = ['owner', 'approval', 'rollback', 'dot_authority'];
/** How many objects a finding names; the total it reports is exact. */
const NAMED = 20;

const unitOf = (gap: Gap): string => gap.code ?? '';

function groupBy<T>(values: readonly T[], nameOf: (value: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const name = nameOf(value);
    const list = groups.get(name);
    if (list === undefined) groups.set(name, [value]);
    else list.push(value);
  }
  return [...groups.values()];
}

const placeOf = ({ inventoryKey, objectClass, sourceRegistry }: Gap) => ({
  inventory_key: inventoryKey,
  object_class: objectClass,
  source_registry: sourceRegistry,
});

const namesOf = (gaps: readonly Gap[]) => {
  const codes = [...new Set(gaps.flatMap((gap) => gap.code ?? []))].sort();
  return codes.length === 0 ? {} : { objects: codes.length, sample: codes.slice(0, NAMED) };
};

/** The type of the parent finding: an orphan that can write high-risk data is reported as anarchic. */
const parentType = (gaps: readonly Gap[]): string =>
  gaps.some((gap) => gap.riskClass === 'write_high') ? ANARCHIC : ORPHAN;

/** Before its deadline legacy is only named as such; after it, the council has to deal with it. */
function legacyOf(legacy: LegacyDeadline | undefined): Pick<Observation, 'severity' | 'escalated'> {
  return legacy?.overdue === true ? { severity: 'critical', escalated: true } : {};
}

/** The parent finding of all gaps of one inventory group in one scope. */
function parentOf(gaps: readonly Gap[], first: Gap, legacy: LegacyDeadline | undefined): Observation {
  const links = [...new Set(gaps.map((gap) => gap.link))].sort();
  const gravest = AUTHORITY.find((link) => links.includes(link)) ?? first.link;
  return {
    type: parentType(gaps),
    subject: first.inventoryKey,
    scope: first.scope,
    entityType: 'collection',
    entityCode: first.sourceRegistry,
    owner: {
      objectType: 'inventory_group',
      objectRef: first.inventoryKey,
      collection: first.sourceRegistry,
      objectClass: first.objectClass,
    },
    link: gravest as Link,
    riskClass: first.riskClass as RiskClass,
    ...legacyOf(legacy),
    count: new Set(gaps.map(unitOf)).size,
    evidence: {
      ...placeOf(first),
      ...(legacy === undefined ? {} : { legacy_to_be_covered_until: legacy.until }),
      missing: Object.fromEntries(
        links.map((link) => [link, gaps.filter((gap) => gap.link === link).length]),
      ),
      ...namesOf(gaps),
    },
  };
}

/** The cause of a gap: gaps with the same cause share one finding. */
function causeOf(gap: Gap): string {
  if (gap.link === 'dot_authority' && gap.tool !== null) return gap.tool;
  const which = gap.link === 'law_ref' || gap.link === 'design_ref' ? [gap.link] : [];
  return [...which, ...(gap.code === null ? [] : [gap.code])].join('/');
}

function findingOf(gap: Gap): string | undefined {
  return gap.conflict ? CONFLICT : LINK_FINDINGS[gap.link];
}

function childOf(gaps: readonly Gap[], first: Gap, type: string, parentKey: string): Observation {
  const { code, objectClass, sourceRegistry } = first;
  return {
    type,
    subject: first.inventoryKey,
    scope: first.scope,
    rootCause: causeOf(first),
    entityType: code === null ? 'collection' : objectClass,
    entityCode: code ?? sourceRegistry,
    owner:
      code === null
        ? {
            objectType: 'inventory_group',
            objectRef: first.inventoryKey,
            collection: sourceRegistry,
            objectClass,
          }
        : { objectType: objectClass, objectRef: code, collection: sourceRegistry, objectClass },
    link: first.link as Link,
    riskClass: first.riskClass as RiskClass,
    parentKey,
    count: gaps.length,
    evidence: {
      ...placeOf(first),
      link: first.link,
      ...(first.tool === null ? {} : { tool: first.tool }),
      ...namesOf(gaps),
    },
  };
}

const parentKeyOf = (type: string, inventoryKey: string, scope: string): string =>
  coalesceKey({ type, subject: inventoryKey, scope }, FAMILY);

/** The findings of all gaps of one inventory group in one scope. */
function observe(
  gaps: readonly Gap[],
  hasFindingElsewhere: (gap: Gap) => boolean,
  legacy: ReadonlyMap<string, LegacyDeadline>,
): Observation[] {
  const [first] = gaps;
  if (first === undefined) return [];
  const parentKey = parentKeyOf(parentType(gaps), first.inventoryKey, first.scope);
  const reported = gaps.filter((gap) => findingOf(gap) !== undefined && !hasFindingElsewhere(gap));
  const children = groupBy(reported, (gap) => JSON.stringify([findingOf(gap), causeOf(gap)])).flatMap(
    (same) => {
      const [one] = same;
      const type = one && findingOf(one);
      return one === undefined || type === undefined ? [] : [childOf(same, one, type, parentKey)];
    },
  );
  return [parentOf(gaps, first, legacy.get(first.inventoryKey)), ...children];
}

/**
 * Merges pages into one for all types that were evaluated completely and one for those evaluated by subject.
 * INVARIANT: subjects of different kinds never have the same name, so evaluating a subject for one type does
 * not affect another type.
 */
function merge(pages: readonly FindingPage[]): readonly FindingPage[] {
  const [first] = pages;
  const whole = pages.filter((page) => page.evaluated.subjects === 'all');
  const named = pages.filter((page) => page.evaluated.subjects !== 'all');
  const join = (some: readonly FindingPage[], subjects: readonly string[] | 'all'): FindingPage[] => {
    const types = some.flatMap((page) => page.evaluated.types);
    if (
      types.length === 0 ||
      (subjects !== 'all' && subjects.length === 0 && some.every((page) => page.observations.length === 0))
    )
      return [];
    return [{ observations: some.flatMap((page) => page.observations), evaluated: { types, subjects } }];
  };
  const subjects = named.flatMap((page) =>
    page.evaluated.subjects === 'all' ? [] : page.evaluated.subjects,
  );
  const [all, some] = [join(whole, 'all'), join(named, subjects)];
  // The first page contains the parents, which must be written before their children.
  return first?.evaluated.subjects === 'all' ? [...all, ...some] : [...some, ...all];
}

/** All findings to write, parents before their children. */
export function pagesOf(
  gaps: readonly Gap[],
  ungrouped: UngroupedChecks,
  scanned: { readonly keys: readonly string[]; readonly everything: boolean },
  legacy: ReadonlyMap<string, LegacyDeadline>,
): readonly FindingPage[] {
  const places = groupBy(gaps, (gap) => JSON.stringify([gap.inventoryKey, gap.scope]));
  const observations = places.flatMap((each) => observe(each, ungrouped.hasFindingElsewhere, legacy));
  const parents = new Map(
    places.flatMap((each) =>
      each.map((gap) => [
        JSON.stringify([gap.sourceRegistry, gap.code, gap.scope]),
        parentKeyOf(parentType(each), gap.inventoryKey, gap.scope),
      ]),
    ),
  );
  const others = ungrouped.pages.map(({ observations: seen, evaluated }) => ({
    evaluated,
    observations: seen.map((each) => {
      const parentKey = parents.get(
        JSON.stringify([each.owner?.collection ?? null, each.owner?.objectRef ?? null, each.scope ?? null]),
      );
      return parentKey === undefined ? each : { ...each, parentKey };
    }),
  }));
  if (!scanned.everything)
    return merge([{ observations, evaluated: { types: GROUP_TYPES, subjects: scanned.keys } }, ...others]);
  // The promoter also writes findings of this type, so only those about evaluated groups may be resolved
  // here.
  const isEvent = (each: Observation) => each.type === EVENT_GAP;
  return merge([
    {
      observations: observations.filter((each) => !isEvent(each)),
      evaluated: { types: GROUP_TYPES.filter((type) => type !== EVENT_GAP), subjects: 'all' },
    },
    { observations: observations.filter(isEvent), evaluated: { types: [EVENT_GAP], subjects: scanned.keys } },
    ...others,
  ]);
}

/**
 * Writes the pages of an evaluation, resolves the findings it covers but did not observe, and links the
 * evaluated rows to their findings. The caller announces the transitions.
 */
export async function syncCoverageFindings(
  tx: Transaction,
  evaluation: {
    readonly pages: readonly FindingPage[];
    readonly parts: readonly (readonly string[])[];
  },
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  const written: Transitions[] = [];
  for (const { observations, evaluated } of evaluation.pages)
    written.push(await writeFindings(tx, observations, { ...context, evaluated }));
  for (const inventoryKeys of evaluation.parts) await linkFindings(tx, context, { inventoryKeys });
  return {
    raised: written.flatMap((each) => each.raised),
    reopened: written.flatMap((each) => each.reopened),
    resolved: written.flatMap((each) => each.resolved),
    repeated: written.reduce((sum, each) => sum + each.repeated, 0),
  };
}
