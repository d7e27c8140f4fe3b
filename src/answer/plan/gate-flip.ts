// Owns the changed answers of the gate for objects and containers that exist in both states: in production,
// for the strictest action. Findings, the ledger and workers are left out: they depend on the time of the
// check and are the same in both states.
import type { Transaction } from '../../db/index.js';
import type { BelievedUnit } from '../../verdict/candidate/index.js';
import { gateAnswers, type PreviewedUnit } from '../gate/index.js';
import type { CoveredUnit, GateFlip } from './flip.js';
import { readLapsed } from './gate-flip.sql.js';

/** The subject of a gate question: an object, or a group that represents its members. Null: neither. */
const itemOf = ({ code, sourceRegistry, inventoryKey, weight, over }: CoveredUnit): string | null => {
  // A unit without a name cannot be checked.
  if (over || code === '' || (code === null && weight === 0)) return null;
  return JSON.stringify(code === null ? [inventoryKey] : [sourceRegistry, code]);
};

function byItem<T extends CoveredUnit>(units: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const unit of units) {
    const item = itemOf(unit);
    if (item === null) continue;
    const list = found.get(item) ?? [];
    found.set(item, list);
    list.push(unit);
  }
  return found;
}

/** All properties of units that the gate reads. `isLapsed`: whether an exception it rests on has lapsed. */
const lookOf = <T extends CoveredUnit>(units: readonly T[], isLapsed: (unit: T) => boolean): string =>
  units
    .map((unit) => {
      const { scope, verdict, outcome, riskClass, ended } = unit;
      return JSON.stringify([scope, verdict, outcome, riskClass, isLapsed(unit), ended]);
    })
    .sort()
    .join();

function asPreviewed(item: string, unit: CoveredUnit, lapsed: boolean): PreviewedUnit {
  const { verdict, outcome, riskClass, ended } = unit;
  const coverageRequired = verdict === 'relevant';
  return {
    ...{ item, verdict, outcome, riskClass, coverageRequired, lapsed, ended },
    // Both states are evaluated as if they had just been scanned.
    invalid: null,
    scanned: outcome !== null,
    // In production neither decides: a unit without one is an orphan or unknown.
    owner: null,
    profile: null,
  };
}

/** The rows whose outcome rests on an exception that is not in force at `at`. */
export async function readLapsedRows(tx: Transaction, at: string): Promise<ReadonlySet<bigint>> {
  return new Set((await tx.run(readLapsed, { at })).map((row) => row.row_id));
}

/** The changed answers for the units of one part. */
export async function previewGate(
  tx: Transaction,
  before: readonly BelievedUnit[],
  after: readonly CoveredUnit[],
  options: {
    readonly lapsed: ReadonlySet<bigint>;
    readonly isReached: (unit: CoveredUnit) => boolean;
  },
): Promise<readonly GateFlip[]> {
  const old = byItem(before);
  const now = byItem(after);
  const wasLapsed = (unit: BelievedUnit) => options.lapsed.has(unit.rowId);
  const isLapsed = () => false;
  const items = [...old].flatMap(([item, units]) => {
    const others = now.get(item);
    return others === undefined || lookOf(units, wasLapsed) === lookOf(others, isLapsed) ? [] : [item];
  });
  const answers = <T extends CoveredUnit>(
    side: ReadonlyMap<string, readonly T[]>,
    lapsed: (unit: T) => boolean,
  ) =>
    gateAnswers(
      tx,
      items.flatMap((item) => (side.get(item) ?? []).map((unit) => asPreviewed(item, unit, lapsed(unit)))),
    );
  const [was, is] = [await answers(old, wasLapsed), await answers(now, isLapsed)];
  return items.flatMap((item): GateFlip[] => {
    const [from, to] = [was.get(item)?.answer, is.get(item)?.answer];
    const units = [...(old.get(item) ?? []), ...(now.get(item) ?? [])];
    const unit = units.at(-1);
    if (from === undefined || to === undefined || from === to || unit === undefined) return [];
    const { objectClass, sourceRegistry, axisFamily, lifecycleStatus, inventoryKey, code } = unit;
    const place = { objectClass, sourceRegistry, axisFamily, lifecycleStatus, inventoryKey, code };
    return [{ ...place, from, to, bound: units.some(options.isReached) }];
  });
}
