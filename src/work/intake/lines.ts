// Owns the mapping from a log line to the affected group: that of the named object, else the whole
// collection.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import type { ObjectKey } from '../../verdict/input/index.js';
import type { Change } from './change.js';
import type { Facts } from './facts.js';
import type { LogLine, LogReading } from './log.js';
import { collectionsByClass, placeObjects } from './place.js';

/** A change log names classes and an event names tables; both can be a collection. */
function collectionsOf(line: LogLine, byClass: ReadonlyMap<string, readonly string[]>): readonly string[] {
  if (line.kindOf === null) return [];
  return byClass.get(line.kindOf) ?? [line.kindOf];
}

/** One change per line; a log that was reset is one change that affects everything. */
export async function changesOfLogs(
  tx: Transaction,
  map: ClassMap,
  readings: readonly LogReading[],
): Promise<readonly Change[]> {
  const lost = readings.filter((reading) => reading.lost !== null);
  const everything: Change[] = lost.map(({ log: { source } }) => ({
    source,
    action: 'began_again',
    table: source,
    ref: 'all',
    facts: [{ everything: true }],
  }));
  const lines = readings.flatMap(({ log, lines: some }) => some.map((line) => ({ log, line })));
  if (lines.length === 0) return everything;
  const byClass = await collectionsByClass(tx);
  const about = lines.map(({ log, line }) => ({
    log,
    line,
    keys: collectionsOf(line, byClass).map((collection) => ({ collection, code: line.code })),
  }));
  const isObject = (key: { collection: string; code: string | null }): key is ObjectKey => key.code !== null;
  const places = await placeObjects(
    tx,
    map,
    about.flatMap(({ keys }) => keys.filter(isObject)),
  );
  return [
    ...everything,
    ...about.map(({ log: { source }, line, keys }): Change => {
      const facts = keys.flatMap((key): readonly Facts[] => {
        if (!isObject(key)) return [{ collection: key.collection }];
        const inventoryKey = places(key);
        return inventoryKey === undefined ? [] : [{ inventoryKey }];
      });
      const named = keys.filter(isObject);
      const about = { source, action: line.action, table: source, ref: line.ref, facts };
      // A line without a code is about a whole collection.
      const only = named.length === keys.length ? { only: named } : {};
      return { ...about, objects: named.slice(0, 1), ...only };
    }),
  ];
}
