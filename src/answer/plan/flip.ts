// Owns flips: differences between the current and the future state of a unit, and their effect on ledger and
// findings. A flip is bound if the change of rules reaches it: the approval then covers exactly this flip.

import { compareBytes } from '../../host/index.js';
import type { PreviewedTransition } from '../../record/finding/index.js';

import { type JudgedUnit, unitName } from '../../verdict/candidate/index.js';
import type { Term } from '../../verdict/ledger/index.js';
import type { GateAnswer } from '../gate/index.js';

/** A group, or an object (with a code), in one scope. */
export interface FlippedUnit {
  readonly objectClass: string;
  readonly sourceRegistry: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
  readonly inventoryKey: string;
  /** Null: the group itself. */
  readonly code: string | null;
  readonly scope: string;
}

/** An object, or a container (without a code), over all its scopes. */
export interface GateFlip extends Omit<FlippedUnit, 'scope'> {
  readonly from: GateAnswer;
  readonly to: GateAnswer;
  readonly bound: boolean;
}

/** Null: no own row, or no outcome because no coverage is required. */
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
  /** For a finding about an inventory group: the registry of its objects. */
  readonly sourceRegistry: string | null;
  readonly bound: boolean;
}

/** All flips; each list starts with the largest changes. */
export interface Flips {
  readonly verdicts: readonly UnitFlip[];
  readonly outcomes: readonly UnitFlip[];
  readonly ledger: readonly TermFlip[];
  readonly findings: readonly FindingFlip[];
  /** Changed answers of the gate in production. */
  readonly gates: readonly GateFlip[];
  /** New or changed detectors: their queries run only after an approval, so their results are unknown. */
  readonly notPreviewed: readonly string[];
  /** Canaries that an evaluation under these rules would miss: every scan would roll back. */
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

/** A unit with its coverage outcome. */
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

/** The key under which flips are counted together: same transition, registry and scope. */
const kindOfFlip = (flip: UnitFlip): string =>
  JSON.stringify([flip.sourceRegistry, flip.code === null, flip.scope, flip.from, flip.to]);

/** The most frequent kind first; within a kind, by name. */
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

/** The most frequent kind of flip first. */
export const unitsBiggestFirst = (flips: readonly UnitFlip[]): readonly UnitFlip[] =>
  biggestFirst(flips, kindOfFlip, nameOfFlip);

export const gatesBiggestFirst = (flips: readonly GateFlip[]): readonly GateFlip[] =>
  biggestFirst(
    flips,
    ({ sourceRegistry, code, from, to }) => JSON.stringify([sourceRegistry, code === null, from, to]),
    ({ code, inventoryKey }) => JSON.stringify([code, inventoryKey]),
  );

const outcomeOf = (unit: CoveredUnit | undefined): string | null =>
  unit === undefined || unit.over ? null : unit.outcome;

/** The differences between two states of the same units. Nothing is kept of a unit that does not flip. */
export function compareUnits(
  before: readonly CoveredUnit[],
  after: readonly CoveredUnit[],
  isReached: (unit: JudgedUnit) => boolean,
): Pick<Flips, 'verdicts' | 'outcomes'> {
  const [verdicts, outcomes]: [UnitFlip[], UnitFlip[]] = [[], []];
  const compare = (was: CoveredUnit | undefined, is: CoveredUnit | undefined) => {
    const unit = is ?? was;
    if (unit === undefined) return;
    const flip = (from: string | null, to: string | null, into: UnitFlip[]) => {
      if (from === to) return;
      const bound = [was, is].some((each) => each !== undefined && isReached(each));
      into.push({ ...refOf(unit), bound, from, to });
    };
    flip(was?.verdict ?? null, is?.verdict ?? null, verdicts);
    flip(outcomeOf(was), outcomeOf(is), outcomes);
  };
  const old = new Map(before.map((unit) => [unitName(unit), unit]));
  for (const is of after) {
    const name = unitName(is);
    compare(old.get(name), is);
    old.delete(name);
  }
  for (const was of old.values()) compare(was, undefined);
  return { verdicts, outcomes };
}
