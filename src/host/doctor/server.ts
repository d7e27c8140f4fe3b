// Owns the server checks of the doctor: version, encoding, standby or primary, and unsuitable settings.
import type { Transaction } from '../../db/index.js';
import { readServer } from '../discovery.sql.js';
import type { DoctorLine } from './report.js';

const OLDEST = 150_000;
const NEWEST = 190_000;

export type ServerFacts = Awaited<ReturnType<typeof readServerFacts>>;

export async function readServerFacts(tx: Transaction, schema: string) {
  return tx.one(readServer, { schema });
}

export function checkServer(facts: ServerFacts, schema: string): DoctorLine[] {
  const line = (subject: string, state: DoctorLine['state'], detail: string): DoctorLine => ({
    section: 'server',
    subject,
    state,
    detail,
  });
  const lines = [
    facts.version_num < OLDEST
      ? line('version', 'problem', `PostgreSQL ${facts.version}: GCOS needs 15 to 18`)
      : facts.version_num >= NEWEST
        ? line('version', 'note', `PostgreSQL ${facts.version}: GCOS is tested up to 18`)
        : line('version', 'ok', `PostgreSQL ${facts.version}, database \`${facts.database}\``),
    facts.encoding === 'UTF8'
      ? line('encoding', 'ok', 'UTF8')
      : line('encoding', 'problem', `${facts.encoding}: GCOS cannot compare texts reliably; it needs UTF8`),
  ];
  if (!facts.schema_present)
    lines.push(line('schema', 'problem', `there is no schema \`${schema}\`; set GCOS_SCHEMA`));
  if (facts.standby) lines.push(line('role', 'problem', 'this is a standby: connect to the primary'));
  if (!facts.autovacuum) lines.push(line('autovacuum', 'note', 'off: dead rows accumulate in every table'));
  if (facts.old_snapshot_threshold !== '-1') {
    lines.push(
      line(
        'old_snapshot_threshold',
        'note',
        `${facts.old_snapshot_threshold}: long comparisons may fail with "snapshot too old"`,
      ),
    );
  }
  return lines;
}
