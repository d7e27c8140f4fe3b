// A judged estate and helpers for the tests of candidates. Tests roll back their changes, so all tests of a
// file share one estate.

import { afterAll, beforeAll } from 'vitest';
import type { Transaction } from '../../src/db/index.js';
import { readContent } from '../../src/host/index.js';
import { readActive } from '../../src/rule/ruleset/index.js';
import {
  evaluateGroups,
  type GroupRow,
  materializeObjects,
  materializeUnborn,
  type ObjectRow,
  type Rules,
  readGroupRows,
  readObjectRows,
  readRules,
  reconcileDuplicates,
  reconcileIndependentRows,
  reconcileObjectRows,
  type VerdictStamp,
} from '../../src/verdict/candidate/index.js';
import { readDuplicateBirths } from '../../src/verdict/input/index.js';
import { asHost } from './database.js';
import { createEstate, type Estate } from './estate.js';

const EVERYTHING = { first: -(2n ** 62n), last: 2n ** 62n };
export const SCOPES = 6;

export let estate: Estate;
export let stamp: VerdictStamp;

/** Provides a judged estate for all tests of the file. */
export function useJudged(): void {
  beforeAll(async () => {
    estate = await createEstate('judged');
    const [row] = await asHost(
      estate.url,
      "select (max(scan_time) + interval '1 second')::text as at from governance_candidate_state",
    );
    const active = await estate.db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
      readActive(tx),
    );
    stamp = {
      rulesetVersion: active?.version ?? '',
      runId: 'test-run',
      at: row?.['at'] as string,
    };
  });
  afterAll(() => estate?.close());
}

export const inside = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  estate.db.rehearse({ isolation: 'repeatable read' }, work);

/** The time of the verdicts plus `seconds`. */
export const later = (seconds: number): string =>
  new Date(Date.parse(stamp.at) + seconds * 1_000).toISOString();

/** The verdict stamp, and the rules as `tx` sees them. */
export const decidedBy = async (tx: Transaction): Promise<VerdictStamp & { readonly rules: Rules }> => ({
  ...stamp,
  rules: await readRules(tx, { content: await readContent(tx) }),
});

export async function passOver(tx: Transaction, at = stamp.at): Promise<Record<string, number>> {
  const options = { ...(await decidedBy(tx)), at };
  const groups = await evaluateGroups(tx, options);
  const objects = await materializeObjects(tx, { ...options, of: EVERYTHING });
  const duplicates = await reconcileDuplicates(tx, await readDuplicateBirths(tx), options);
  const unborn = await materializeUnborn(tx, options);
  const independent = await reconcileIndependentRows(tx, options);
  const reconciled = await reconcileObjectRows(tx, options);
  const parts = [groups, objects, duplicates, unborn, independent, reconciled];
  const sum = (name: 'inserted' | 'changed' | 'renewed' | 'superseded') =>
    parts.reduce((total, part) => total + part[name], 0);
  return {
    inserted: sum('inserted'),
    changed: sum('changed'),
    renewed: sum('renewed'),
    superseded: sum('superseded'),
    tombstones: reconciled.tombstones + unborn.gone,
  };
}

export const NOTHING = { inserted: 0, changed: 0, renewed: 0, superseded: 0, tombstones: 0 };

export async function groupsOf(
  tx: Transaction,
  collection: string,
  at = stamp.at,
): Promise<readonly GroupRow[]> {
  return (await readGroupRows(tx, { at })).filter((row) => row.sourceRegistry === collection);
}
export const objectOf = (
  tx: Transaction,
  collection: string,
  code: string,
  at = stamp.at,
): Promise<readonly ObjectRow[]> => readObjectRows(tx, { keys: [{ collection, code }], at });

/** Changes the host's tables inside the test's transaction. */
export const host = (tx: Transaction, sql: string): Promise<void> => tx.script(sql);
