// Owns the export of a closed ledger: everything an auditor needs to check it a year later, without GCOS and
// without trusting GCOS. This file only reads; the caller writes the files.

import { createHash } from 'node:crypto';
import type { Transaction } from '../../../db/index.js';
import { readClassMap } from '../../../inventory/group/index.js';
import { identityText, readSnapshot } from '../../../inventory/snapshot/index.js';
import { toWire } from '../../../kernel/index.js';
import { canonicalTextOf } from '../../../rule/ruleset/index.js';
import { readClosed } from '../closed/store.js';
import { ledgerErrors } from '../errors.js';
import { auditStatements } from './audit-sql.js';
import { howToCheck } from './how-to.js';

const FORMAT = 'gcos-ledger-export/1';

export interface ExportedFile {
  readonly name: string;
  readonly about: string;
  readonly text: string;
}

export interface LedgerExport {
  readonly runId: string;
  readonly closedAt: string;
  readonly snapshot: bigint;
  readonly snapshotIdentity: string;
  readonly rulesetVersion: string;
  readonly rulesetHash: string;
  /** The last file is the manifest, which lists all others. */
  readonly files: readonly ExportedFile[];
}

const ABOUT: Readonly<Record<string, string>> = {
  '01-fingerprints.sql': 'the fingerprint of every inventory group, recomputed from tables of the host only',
  '02-inventory.sql': 'the inventory at the grain, recounted from tables of the host only',
  '03-both-sides.sql': 'the inventory compared with the rows that account for it; also reads tables of GCOS',
  '04-terms.sql': 'the terms of the ledger, added up again; also reads tables of GCOS',
};

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The last closed ledger with its snapshot and ruleset, in the caller's repeatable-read transaction. */
export async function exportLedger(
  tx: Transaction,
  options: { readonly schema: string; readonly at: string },
): Promise<LedgerExport> {
  const closed = await readClosed(tx);
  if (closed === undefined) throw ledgerErrors.ledger_not_closed('no run has closed a ledger yet');
  const snapshotId = closed.closingSnapshotRef ?? closed.snapshotRef;
  if (snapshotId === null || closed.rulesetVersion === null)
    throw ledgerErrors.ledger_not_closed(`run \`${closed.runId}\` has no snapshot or no ruleset recorded`);
  const { document: snapshot } = await readSnapshot(tx, snapshotId);
  const rules = await canonicalTextOf(tx, closed.rulesetVersion);
  const map = await readClassMap(tx, options.schema);
  const { document: ledger, runId } = closed;
  const statements = auditStatements({
    schema: options.schema,
    trustSchema: tx.trustSchema,
    runId,
    snapshotId,
    snapshot,
    ledger,
    map,
  });
  const files: ExportedFile[] = [
    { name: 'ledger.json', about: 'the ledger as it was closed', text: pretty(toWire(ledger)) },
    {
      name: 'snapshot.json',
      about: 'the complete snapshot under which the ledger was closed',
      text: pretty(snapshot),
    },
    {
      name: 'snapshot.canonical.json',
      about: 'the text whose hash is the identity of the snapshot',
      text: identityText(snapshot),
    },
    {
      name: 'ruleset.canonical.json',
      about: 'the rules under which the ledger was closed, byte for byte as stored',
      text: rules.text,
    },
    ...[...statements].map(([name, text]) => ({ name, about: ABOUT[name] ?? '', text })),
    { name: 'README.txt', about: 'how to check the export', text: howToCheck },
  ];
  const facts = {
    runId,
    closedAt: ledger.at,
    snapshotIdentity: snapshot.identity,
    rulesetVersion: closed.rulesetVersion,
    rulesetHash: rules.contentHash,
  };
  const manifest = {
    format: FORMAT,
    ...facts,
    snapshot: String(snapshotId),
    schema: options.schema,
    exportedAt: options.at,
    caveats: ledger.caveats,
    hashes: {
      ruleset: 'sha256 over "gcos-ruleset", a zero byte, and ruleset.canonical.json is ruleset_hash',
      snapshot: 'sha256 over "gcos-snapshot", a zero byte, and snapshot.canonical.json is snapshot_identity',
    },
    files: files.map(({ name, about, text }) => ({
      name,
      about,
      bytes: Buffer.byteLength(text, 'utf8'),
      sha256: sha256(text),
    })),
  };
  return {
    ...facts,
    snapshot: snapshotId,
    files: [...files, { name: 'manifest.json', about: 'the list of files', text: pretty(toWire(manifest)) }],
  };
}
