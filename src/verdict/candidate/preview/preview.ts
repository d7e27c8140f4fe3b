// Owns the preview of verdicts: the verdict of every group and object under given rules, active or not. It
// uses the same functions as the evaluation, covers everything, and writes nothing.
import type { Transaction } from '../../../db/index.js';
import type { RulesetContent } from '../../../host/index.js';
import type { SnapshotDocument } from '../../../inventory/snapshot/index.js';
import { type PreviewedGroup, previewInventory } from '../../../inventory/tail/index.js';
import { type PreviewScope, previewSources, readSources, withWhole } from '../../input/index.js';
import { decideKind, kindsOf } from '../objects/write.js';
import { decideBy, factsOf, type GroupInput, type Rules, readRules } from '../rules.js';
import { objectName, previewObjects } from './objects.js';
import { type BelievedUnit, type JudgedUnit, unitName } from './unit.js';

export interface Preview {
  readonly rules: Rules;
  readonly units: readonly JudgedUnit[];
  /** The inventory groups that would have members or object rows. */
  readonly groups: readonly PreviewedGroup[];
  /** The input judgement behind the preview. */
  readonly scope: PreviewScope;
}

const placeOf = (group: GroupInput, rules: Rules) => ({
  inventoryKey: group.inventoryKey,
  scope: group.scope,
  objectClass: group.objectClass,
  sourceRegistry: group.sourceRegistry,
  axisFamily: group.axisFamily,
  lifecycleStatus: group.lifecycleStatus,
  ended: group.lifecycleStatus !== null && rules.terminal.has(group.lifecycleStatus),
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

/** Judges everything, in the caller's repeatable-read transaction; `believed` are its live rows. */
export async function previewVerdicts(
  tx: Transaction,
  believed: readonly BelievedUnit[],
  options: {
    readonly at: string;
    readonly limitMs: number;
    /** The rules to judge by. */
    readonly content: RulesetContent;
    /** The groups of the last closing snapshot. */
    readonly then?: SnapshotDocument['groups'];
  },
): Promise<Preview> {
  const read = await readRules(tx, { content: options.content });
  const { whole, single } = await previewSources(tx, await readSources(tx, read.input), read);
  const rules = { ...read, input: withWhole(read.input, whole) };
  const { scopes } = rules;
  const inventory = await previewInventory(tx, rules.map, options);
  const objects = await previewObjects(tx, believed, {
    ...{ rules, at: options.at, single },
    setAside: inventory.setAside,
    isAsThen: inventory.isAsThen,
  });
  const groups = new Map(inventory.groups.map((group) => [group.key, group]));
  const kinds = kindsOf(objects.drafts, rules);
  for (const { kind } of kinds)
    if (!groups.has(kind.group.key)) groups.set(kind.group.key, { ...kind.group, empty: false });
  const represented = new Set(kinds.map(({ kind }) => kind.group.key));
  const isGone = (group: PreviewedGroup) => group.empty && !represented.has(group.key);
  const ofGroups = [...groups.values()].flatMap((group) =>
    scopes.map((scope): JudgedUnit => {
      const input = inputOf(group, scope, isGone(group));
      const { verdict, line, riskClass } = decideBy(rules, factsOf(rules, input));
      const about = { code: null, birthId: null, weight: group.inherits ? 1 : 0 };
      return {
        ...placeOf(input, rules),
        ...about,
        verdict,
        line,
        riskClass,
        over: input.gone,
        tombstone: input.gone && line === 3,
      };
    }),
  );
  const decided = new Map(
    [...new Map(kinds.map(({ kind }) => [kind.no, kind])).values()].map((kind) => {
      const group = groups.get(kind.group.key);
      const inputs = group === undefined ? [] : scopes.map((scope) => inputOf(group, scope, false));
      return [kind.no, decideKind(kind, inputs, rules)] as const;
    }),
  );
  const ofObjects = kinds.flatMap(({ draft, kind }) =>
    (decided.get(kind.no) ?? []).map(({ group, verdict, line, riskClass }): JudgedUnit => {
      const about = { code: draft.code, birthId: draft.birthId, weight: group.inherits ? 0 : 1 };
      return { ...placeOf(group, rules), ...about, verdict, line, riskClass, over: false, tombstone: false };
    }),
  );
  const gone = new Set(objects.gone.map(objectName));
  const buried = believed
    .filter(
      ({ code, sourceRegistry, scope }) =>
        code !== null && scopes.includes(scope) && gone.has(objectName({ collection: sourceRegistry, code })),
    )
    .map((unit): JudgedUnit => ({ ...unit, verdict: 'retired', line: 3, over: true, tombstone: true }));
  const units = new Map([...buried, ...ofObjects, ...ofGroups].map((unit) => [unitName(unit), unit]));
  return {
    rules,
    units: [...units.values()],
    groups: [...groups.values()].filter((group) => !isGone(group)),
    scope: { births: objects.births, gone: objects.gone, whole, input: rules.input },
  };
}
