// Owns what a flip is: something that is believed of a unit now and would be believed otherwise, and what the ledger and the findings make of
// it. A flip is bound where the change of rules reaches it: then the approval holds for exactly this flip.

import type { PreviewedTransition } from '../../record/finding/index.js';
import { compareBytes } from '../../rule/ruleset/index.js';
import { type JudgedUnit, unitName } from '../../verdict/candidate/index.js';
import type { Term } from '../../verdict/ledger/index.js';
import type { GateAnswer } from '../gate/index.js';

/** A group, or an object (with a code), in one scope. */
interface FlippedUnit {
  readonly objectClass: string;
  readonly sourceRegistry: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
  readonly inventoryKey: string;
  /** Null: the group itself. */
  readonly code: string | null;
  readonly scope: string;
}

/** An object, or a container (without code), in all its scopes. */
export interface GateFlip extends Omit<FlippedUnit, 'scope'> {
  readonly from: GateAnswer;
  readonly to: GateAnswer;
  readonly bound: boolean;
}

/** Null: it has no row of its own, or no outcome where nothing is required of it. */
export interface UnitFlip extends FlippedUnit {
  readonly from: string | null;
  readonly to: string | null;
  readonly bound: boolean;
}

export interface TermFlip {
  readonly scope: string;
  readonly term: Term;
  readonly before: number;
  readonly after: number;
  readonly delta: number;
}

export interface FindingFlip extends PreviewedTransition {
  /** Of a finding about an inventory group: where its objects are registered. */
  readonly sourceRegistry: string | null;
  readonly bound: boolean;
}

/** Everything that would flip, each list with the biggest changes first. */
export interface Flips {
  readonly verdicts: readonly UnitFlip[];
  readonly outcomes: readonly UnitFlip[];
  readonly ledger: readonly TermFlip[];
  readonly findings: readonly FindingFlip[];
  /** What the gate would answer otherwise, in production. */
  readonly gates: readonly GateFlip[];
  /** Detectors that are new or changed: what their queries come to is not known before somebody approves that they run. */
  readonly notPreviewed: readonly string[];
  /** Canaries that an evaluation by these rules would miss: no scan would keep anything of it. */
  readonly missedCanaries: readonly string[];
}

export const NOTHING_FLIPS: Flips = {
  verdicts: [],
  outcomes: [],
  ledger: [],
  findings: [],
  gates: [],
  notPreviewed: [],
  missedCanaries: [],
};

/** A unit and what coverage says of it. */
export interface CoveredUnit extends JudgedUnit {
  readonly outcome: string | null;
}

const refOf = (unit: JudgedUnit): FlippedUnit => ({
  objectClass: unit.objectClass,
  sourceRegistry: unit.sourceRegistry,
  axisFamily: unit.axisFamily,
  lifecycleStatus: unit.lifecycleStatus,
  inventoryKey: unit.inventoryKey,
  code: unit.code,
  scope: unit.scope,
});

/** What flips are counted together by: the same step, in the same registry and scope. */
const kindOfFlip = (flip: UnitFlip): string =>
  JSON.stringify([flip.sourceRegistry, flip.code === null, flip.scope, flip.from, flip.to]);

/** The most frequent kind first; within one, by name. */
export function biggestFirst<T>(
  list: readonly T[],
  kindOf: (each: T) => string,
  nameOf: (each: T) => string,
): readonly T[] {
  const named = list.map((each) => ({ each, kind: kindOf(each), name: nameOf(each) }));
  const sizes = new Map<string, number>();
  for (const { kind } of named) sizes.set(kind, (sizes.get(kind) ?? 0) + 1);
  const size = (kind: string) => sizes.get(kind) ?? 0;
  return named
    .sort(
      (left, right) =>
        size(right.kind) - size(left.kind) ||
        compareBytes(left.kind, right.kind) ||
        compareBytes(left.name, right.name),
    )
    .map(({ each }) => each);
}

const nameOfFlip = ({ code, inventoryKey }: UnitFlip): string => JSON.stringify([code, inventoryKey]);

/** Where two states of belief differ. */
export function compareUnits(
  before: readonly CoveredUnit[],
  after: readonly CoveredUnit[],
  isReached: (unit: JudgedUnit) => boolean,
): Pick<Flips, 'verdicts' | 'outcomes'> {
  const old = new Map(before.map((unit) => [unitName(unit), unit]));
  const now = new Map(after.map((unit) => [unitName(unit), unit]));
  const pairs = [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    const unit = is ?? was;
    if (unit === undefined) return [];
    const bound = [was, is].some((each) => each !== undefined && isReached(each));
    return [{ was, is, ref: { ...refOf(unit), bound } }];
  });
  const differing = (pick: (unit: CoveredUnit) => string | null): readonly UnitFlip[] =>
    biggestFirst(
      pairs.flatMap(({ was, is, ref }) => {
        const [from, to] = [was === undefined ? null : pick(was), is === undefined ? null : pick(is)];
        return from === to ? [] : [{ ...ref, from, to }];
      }),
      kindOfFlip,
      nameOfFlip,
    );
  return {
    verdicts: differing((unit) => unit.verdict),
    outcomes: differing((unit) => (unit.over ? null : unit.outcome)),
  };
}
