// Owns the preview of verdicts: the verdict of every group and object under given rules, active or not. It
// uses the same functions as the evaluation, covers everything, and writes nothing. Groups and objects are
// known as a whole; their units, one per scope, are read and judged part by part.
import type { Transaction } from '../../../db/index.js';
import type { RulesetContent } from '../../../host/index.js';
import type { SnapshotDocument } from '../../../inventory/snapshot/index.js';
import { type PreviewedGroup, previewInventory } from '../../../inventory/tail/index.js';
import {
  type ObjectKey,
  type PreviewScope,
  previewSources,
  readSources,
  withWhole,
} from '../../input/index.js';
import type { ObjectDraft } from '../objects/write.js';
import { decideKind, type Kind, kindsOf } from '../objects/write.js';
import { decideBy, factsOf, type GroupInput, type Rules, readRules } from '../rules.js';
import { objectMapOf } from './object-map.js';
import { previewObjects } from './objects.js';
import { type BelievedUnit, type JudgedUnit, readBelieved, type StoredUnits } from './unit.js';

/** How many units a part has, in all scopes, unless a single group has more. */
const UNITS_AT_ONCE = 5_000;

/** Stored and judged units: whole inventory groups, and each object with all its scopes. */
interface PreviewedPart {
  readonly stored: readonly BelievedUnit[];
  readonly units: readonly JudgedUnit[];
}

export interface Preview {
  readonly rules: Rules;
  /** The inventory groups that would have members or object rows. */
  readonly groups: readonly PreviewedGroup[];
  /** The objects that would have rows. */
  readonly objects: readonly ObjectKey[];
  /** The input judgement behind the preview. */
  readonly scope: PreviewScope;
  /** Reads and judges everything, part by part. Each unit is in exactly one part. */
  readonly parts: () => AsyncGenerator<PreviewedPart>;
}

/** The unit of a live group, or of an object without its key. */
const unitOf = (
  group: GroupInput,
  { verdict, line, riskClass }: Pick<JudgedUnit, 'verdict' | 'line' | 'riskClass'>,
  weight: number,
  rules: Rules,
): JudgedUnit => ({
  inventoryKey: group.inventoryKey,
  scope: group.scope,
  objectClass: group.objectClass,
  sourceRegistry: group.sourceRegistry,
  axisFamily: group.axisFamily,
  lifecycleStatus: group.lifecycleStatus,
  code: null,
  birthId: null,
  verdict,
  line,
  riskClass,
  ended: group.lifecycleStatus !== null && rules.terminal.has(group.lifecycleStatus),
  weight,
  over: false,
  tombstone: false,
});

/** The inputs of a group in one scope. The owner does not influence the verdict. */
const inputOf = (group: PreviewedGroup, scope: string, isGone: boolean): GroupInput => ({
  groupKey: '',
  inventoryKey: group.key,
  scope,
  owner: null,
  objectClass: group.objectClass,
  sourceRegistry: group.sourceRegistry,
  axisFamily: group.axisFamily,
  lifecycleStatus: group.lifecycleStatus,
  unresolved: group.unresolved,
  inherits: group.inherits,
  fingerprint: null,
  gone: isGone,
});

interface Drafted {
  readonly draft: ObjectDraft;
  readonly kind: Kind;
}

/** Inventory groups with the objects that would have rows there, and further stored objects. */
interface PartKeys {
  readonly groups: readonly PreviewedGroup[];
  readonly drafted: readonly Drafted[];
  /** Stored objects that would have no row. */
  readonly left: readonly ObjectKey[];
}

/** Divides everything into parts of about `unitsAtOnce` units: whole groups, then the rest of the objects. */
function* partsOf(
  groups: readonly PreviewedGroup[],
  drafted: ReadonlyMap<string, readonly Drafted[]>,
  left: readonly ObjectKey[],
  objectsAtOnce: number,
): Generator<PartKeys> {
  let some: PreviewedGroup[] = [];
  let objects: Drafted[] = [];
  for (const group of groups) {
    const own = drafted.get(group.key) ?? [];
    if (some.length > 0 && some.length + objects.length + own.length >= objectsAtOnce) {
      yield { groups: some, drafted: objects, left: [] };
      [some, objects] = [[], []];
    }
    some.push(group);
    for (const each of own) objects.push(each);
  }
  yield { groups: some, drafted: objects, left: [] };
  for (let from = 0; from < left.length; from += objectsAtOnce)
    yield { groups: [], drafted: [], left: left.slice(from, from + objectsAtOnce) };
}

/** Previews everything, in the caller's repeatable-read transaction; `stored` is what has a live row. */
export async function previewVerdicts(
  tx: Transaction,
  stored: StoredUnits,
  options: {
    readonly at: string;
    readonly limitMs: number;
    /** The rules to judge by. */
    readonly content: RulesetContent;
    /** The groups of the last closing snapshot. */
    readonly then?: SnapshotDocument['groups'];
    readonly unitsAtOnce?: number;
  },
): Promise<Preview> {
  const read = await readRules(tx, { content: options.content });
  const { whole, single } = await previewSources(tx, await readSources(tx, read.input), read);
  const rules = { ...read, input: withWhole(read.input, whole) };
  const { scopes } = rules;
  const inventory = await previewInventory(tx, rules.map, options);
  const objects = await previewObjects(tx, stored.objects, {
    ...{ rules, at: options.at, single },
    setAside: inventory.setAside,
    isAsThen: inventory.isAsThen,
  });
  const groups = new Map(inventory.groups.map((group) => [group.key, group]));
  const drafted = new Map<string, Drafted[]>();
  for (const each of kindsOf(objects.drafts, rules)) {
    const { group } = each.kind;
    if (!groups.has(group.key)) groups.set(group.key, { ...group, empty: false });
    const own = drafted.get(group.key) ?? [];
    drafted.set(group.key, own);
    own.push(each);
  }
  const isGone = (group: PreviewedGroup) => group.empty && !drafted.has(group.key);
  const judgeGroup = (group: PreviewedGroup): readonly JudgedUnit[] =>
    scopes.map((scope): JudgedUnit => {
      const input = inputOf(group, scope, isGone(group));
      const decided = decideBy(rules, factsOf(rules, input));
      const isTombstone = input.gone && decided.line === 3;
      const unit = unitOf(input, decided, group.inherits ? 1 : 0, rules);
      return { ...unit, over: input.gone, tombstone: isTombstone };
    });
  const judged = new Map<number, readonly JudgedUnit[]>();
  /** The units of any object of a kind: they lack only its key. */
  const unitsOfKind = (kind: Kind): readonly JudgedUnit[] => {
    const known = judged.get(kind.no);
    if (known !== undefined) return known;
    const group = groups.get(kind.group.key);
    const inputs = group === undefined ? [] : scopes.map((each) => inputOf(group, each, false));
    const units = decideKind(kind, inputs, rules).map((each) =>
      unitOf(each.group, each, each.group.inherits ? 0 : 1, rules),
    );
    judged.set(kind.no, units);
    return units;
  };
  const judgeObject = ({ draft: { code, birthId }, kind }: Drafted): readonly JudgedUnit[] =>
    // One shape with every property already there: each copy is a plain block of memory.
    unitsOfKind(kind).map((unit) => ({ ...unit, code, birthId }));
  const gone = objectMapOf(objects.gone);
  const buriedIn = (believed: readonly BelievedUnit[]): readonly JudgedUnit[] =>
    objects.gone.length === 0
      ? []
      : believed
          .filter(
            ({ code, sourceRegistry: collection, scope }) =>
              code !== null && scopes.includes(scope) && gone.has({ collection, code }),
          )
          .map((unit): JudgedUnit => ({ ...unit, verdict: 'retired', line: 3, over: true, tombstone: true }));
  const willHaveRows = objectMapOf(objects.drafts);
  const left = stored.objects.filter((object) => !willHaveRows.has(object));
  const objectsAtOnce = Math.ceil((options.unitsAtOnce ?? UNITS_AT_ONCE) / Math.max(scopes.length, 1));
  async function* parts(): AsyncGenerator<PreviewedPart> {
    for (const part of partsOf([...groups.values()], drafted, left, objectsAtOnce)) {
      const believed = await readBelieved(
        tx,
        part.groups.map((group) => group.key),
        [...part.drafted.map(({ draft }) => draft), ...part.left],
      );
      yield {
        stored: believed,
        units: [
          ...buriedIn(believed),
          ...part.drafted.flatMap(judgeObject),
          ...part.groups.flatMap(judgeGroup),
        ],
      };
    }
  }
  return {
    rules,
    groups: [...groups.values()].filter((group) => !isGone(group)),
    objects: objects.drafts,
    scope: { births: objects.births, gone: objects.gone, whole, input: rules.input },
    parts,
  };
}
