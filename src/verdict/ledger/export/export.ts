// Owns the export of a closed ledger: everything that somebody needs who wants to check it a year later, without GCOS and without trusting
// it. Reads; the caller writes the files.
import { createHash } from 'node:crypto';
import type { Transaction } from '../../../db/index.js';
import { readClassMap } from '../../../inventory/group/index.js';
import { identityText, readSnapshot } from '../../../inventory/snapshot/index.js';
import { canonicalTextOf } from '../../../rule/ruleset/index.js';
import { readClosed } from '../closed/store.js';
import { ledgerErrors } from '../errors.js';
import { auditStatements } from './audit-sql.js';
import { howToCheck } from './how-to.js';

const FORMAT = 'gcos-ledger-export/1';

interface ExportedFile {
  readonly name: string;
  readonly about: string;
  readonly text: string;
}

export interface LedgerExport {
  readonly run_id: string;
  readonly closed_at: string;
  readonly snapshot: bigint;
  readonly snapshot_identity: string;
  readonly ruleset_version: string;
  readonly ruleset_hash: string;
  /** The manifest is the last of them, and lists all others. */
  readonly files: readonly ExportedFile[];
}

const ABOUT: Readonly<Record<string, string>> = {
  '01-fingerprints.sql':
    'the fingerprint of every inventory group, computed again from tables of the host alone',
  '02-inventory.sql': 'what there is at the grain, counted again from tables of the host alone',
  '03-both-sides.sql': 'what there is against what is accounted for; reads tables of GCOS, too',
  '04-terms.sql': 'the terms of the ledger, added up again; reads tables of GCOS, too',
};

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The last ledger closed, with what it rests on, in the caller's repeatable-read transaction. */
export async function exportLedger(
  tx: Transaction,
  options: { readonly schema: string; readonly at: string },
): Promise<LedgerExport> {
  const closed = await readClosed(tx);
  if (closed === undefined) throw ledgerErrors.ledger_not_closed('no run has closed a ledger yet');
  const snapshotId = closed.closingSnapshotRef ?? closed.snapshotRef;
  if (snapshotId === null || closed.rulesetVersion === null)
    throw ledgerErrors.ledger_not_closed(
      `run \`${closed.runId}\` does not say which snapshot and ruleset it closed under`,
    );
  const { document: snapshot } = await readSnapshot(tx, snapshotId);
  const rules = await canonicalTextOf(tx, closed.rulesetVersion);
  const map = await readClassMap(tx, options.schema);
  const { document: ledger, runId } = closed;
  const statements = auditStatements({
    schema: options.schema,
    runId,
    snapshotId,
    snapshot,
    ledger,
    map,
  });
  const files: ExportedFile[] = [
    { name: 'ledger.json', about: 'the ledger as it was closed', text: pretty(ledger) },
    { name: 'snapshot.json', about: 'the snapshot it was closed under, whole', text: pretty(snapshot) },
    {
      name: 'snapshot.canonical.json',
      about: 'what the identity of the snapshot is the hash of',
      text: identityText(snapshot),
    },
    {
      name: 'ruleset.canonical.json',
      about: 'the rules it was closed under, byte for byte as stored',
      text: rules.text,
    },
    ...[...statements].map(([name, text]) => ({ name, about: ABOUT[name] ?? '', text })),
    { name: 'README.txt', about: 'how to check all of it', text: howToCheck },
  ];
  const facts = {
    run_id: runId,
    closed_at: ledger.at,
    snapshot_identity: snapshot.identity,
    ruleset_version: closed.rulesetVersion,
    ruleset_hash: rules.contentHash,
  };
  const manifest = {
    format: FORMAT,
    ...facts,
    snapshot: String(snapshotId),
    schema: options.schema,
    exported_at: options.at,
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
    files: [...files, { name: 'manifest.json', about: 'what is here', text: pretty(manifest) }],
  };
}
