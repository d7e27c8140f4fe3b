// Judges everything in an estate, evaluates its coverage and closes ledgers, as the steps of runs do.

import { randomUUID } from 'node:crypto';
import { readServerTime } from '../../src/db/index.js';
import { readClassMap } from '../../src/inventory/group/index.js';
import { toWire } from '../../src/kernel/index.js';
import type { Transitions } from '../../src/record/finding/index.js';
import { readActive } from '../../src/rule/ruleset/index.js';
import {
  evaluateGroups,
  materializeObjects,
  materializeUnborn,
  readRules,
  reconcileDuplicates,
  reconcileIndependentRows,
  reconcileObjectRows,
} from '../../src/verdict/candidate/index.js';
import { evaluateCoverage, syncCoverageFindings } from '../../src/verdict/coverage/index.js';
import { readDuplicateBirths, readSources, reconcileSources } from '../../src/verdict/input/index.js';
import {
  type Closing,
  closeLedger,
  countInventory,
  readClosingSide,
  syncLedgerFindings,
} from '../../src/verdict/ledger/index.js';
import { announceFindings } from '../../src/work/announcement.js';
import { asHost } from './database.js';
import type { Estate } from './estate.js';

/** The part of an estate that these functions need. */
type Host = Pick<Estate, 'gcos' | 'db' | 'url'>;

const WRITE = { isolation: 'repeatable read', retries: 3 } as const;

/** Captures a snapshot and judges everything against it. */
export async function judge(estate: Host): Promise<bigint> {
  const { id: snapshotRef } = await estate.gcos.snapshots.capture({ kind: 'scan' });
  await estate.db.transaction(WRITE, async (tx) => {
    const at = await readServerTime(tx);
    const rulesetVersion = (await readActive(tx))?.version;
    if (rulesetVersion === undefined) throw new Error('no ruleset is active');
    const before = await readRules(tx, { map: await readClassMap(tx, 'public') });
    await reconcileSources(tx, await readSources(tx), { ...before, at });
    const rules = await readRules(tx, { map: before.map });
    const options = { rulesetVersion, runId: `judge-${randomUUID()}`, at, rules };
    await evaluateGroups(tx, options);
    await materializeObjects(tx, { ...options, of: { first: -(2n ** 31n), last: 2n ** 31n - 1n } });
    await reconcileDuplicates(tx, await readDuplicateBirths(tx), options);
    await materializeUnborn(tx, options);
    await reconcileIndependentRows(tx, options);
    await reconcileObjectRows(tx, options);
  });
  return snapshotRef;
}

/** Closes a ledger as run `runId`, and stores it with the run. */
export async function close(
  estate: Host,
  runId: string,
): Promise<Closing & { readonly findings: Transitions }> {
  const { closing, version } = await estate.db.transaction(WRITE, async (tx) => {
    const at = await readServerTime(tx);
    const map = await readClassMap(tx, 'public');
    const left = await countInventory(tx, map, { limitMs: 30_000 });
    const closed = await closeLedger(left, await readClosingSide(tx, { at, map, runId }));
    const findings = await syncLedgerFindings(tx, closed.ledger, {
      runId,
      at,
      announce: announceFindings,
    });
    return { version: (await readActive(tx))?.version ?? null, closing: { ...closed, findings } };
  });
  const ledger = JSON.stringify(toWire(closing.document)).replaceAll("'", "''");
  await asHost(
    estate.url,
    `insert into candidate_scan_run (run_id, kind, status, started_at, finished_at, ruleset_version, closing_snapshot_ref, ledger)
     select '${runId}', 'backfill', '${closing.ledger.closes ? 'completed' : 'failed'}', clock_timestamp(), clock_timestamp(),
       '${version}', max(id), '${ledger}' from evolution_snapshots`,
  );
  return closing;
}

/** Evaluates the coverage of everything, and writes outcomes and findings. */
export async function cover(estate: Host, runId: string): Promise<Transitions> {
  return estate.db.transaction(WRITE, async (tx) => {
    const at = await readServerTime(tx);
    const version = (await readActive(tx))?.version ?? null;
    const found = await evaluateCoverage(tx, { runId, at, rules: await readRules(tx) });
    return syncCoverageFindings(tx, found, { runId, at, ruleset: version, activeRuleset: version });
  });
}
