// Owns `gcos doctor`: checks the server, tables, vocabulary, writes, privileges, trust and indexes, and
// reports whether GCOS can work with this host. It changes nothing: trial writes are rolled back (a host's
// sequence may skip a number).
import {
  type Database,
  type DeclaredFunction,
  type Grant,
  type Migration,
  readSchemaState,
  readSetting,
  type SchemaState,
  type Transaction,
} from '../../db/index.js';
import { type DiscoveredTable, discoverMemberRegistries, discoverTables } from '../discovery.js';
import { mappingSetting } from '../mapping.js';
import { type TrialWrite, trialWrites } from '../trial/trial.js';
import { checkBirths } from './births.js';
import { checkIndexes } from './indexes.js';
import { checkPrivileges, checkRoles } from './privileges.js';
import { checkReader } from './reader.js';
import { conclude, type DoctorReport } from './report.js';
import { checkSchema } from './schema.js';
import { checkServer, readServerFacts } from './server.js';
import { checkTables } from './tables.js';
import { checkTrust } from './trust.js';
import { checkWrites, readWords, type StoredWords } from './writes.js';

export type { DoctorLine, DoctorReport } from './report.js';

export interface DoctorInput {
  readonly migrations: readonly Migration[];
  readonly rolePrefix: string;
  /** The functions that the migrations create. */
  readonly functions: readonly DeclaredFunction[];
  /** Trials for a host with GCOS installed. They replace the plain trials of the same table. */
  readonly installedTrials: readonly TrialWrite[];
  /** The privileges that GCOS's roles lack on the host. Called only if GCOS is installed. */
  readonly missingGrants: (tx: Transaction) => Promise<readonly Grant[]>;
  /** The role that runs the queries of detectors. */
  readonly readerRole: string;
}

function chooseTrials(installed: SchemaState['status'], input: DoctorInput): readonly TrialWrite[] {
  if (installed !== 'current') return trialWrites;
  const covered = new Set(input.installedTrials.map((trial) => trial.table));
  return [...input.installedTrials, ...trialWrites.filter((trial) => !covered.has(trial.table))];
}

/** A database without a host is not a broken host: it can become a home, or is the wrong database. */
function nextStep(tables: readonly DiscoveredTable[]): string | null {
  const required = tables.filter((table) => table.contract.required);
  return required.every((table) => table.shape.state === 'absent')
    ? 'this database has no host. `gcos init --with host` makes it a home, which `gcos source add` fills with what you have: a list, a database (docs/sources.md). A platform that registers its objects itself is in another database: set DATABASE_URL or GCOS_SCHEMA'
    : null;
}

/** Examines the host with the privileges of the connected role. */
export async function examineHost(db: Database, input: DoctorInput): Promise<DoctorReport> {
  const seen = await db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
    const server = await readServerFacts(tx, db.schema);
    const tables = await discoverTables(tx, db.schema);
    const members = await discoverMemberRegistries(tx, db.schema, tables);
    const state = await readSchemaState(tx, db.schema, input.migrations);
    const overrides = state.status === 'current' ? await readSetting(tx, mappingSetting) : {};
    const stored: StoredWords = state.status === 'current' ? await readWords(tx) : new Map();
    const lacking = state.status === 'current' ? await input.missingGrants(tx) : [];
    return {
      server,
      tables,
      members,
      state,
      overrides,
      stored,
      lacking,
      reader: state.status === 'absent' ? [] : await checkReader(tx, input.readerRole),
      births: await checkBirths(tx, db.schema, tables),
      trust: await checkTrust(
        tx,
        { schema: db.schema, trustSchema: tx.trustSchema, rolePrefix: input.rolePrefix },
        tables,
        state.status === 'current' ? input.functions : undefined,
      ),
      indexes: await checkIndexes(tx, db.schema, tables),
    };
  });
  const writes = seen.server.standby
    ? []
    : await checkWrites(db, seen.tables, chooseTrials(seen.state.status, input), seen.overrides, seen.stored);
  const lines = [
    ...checkServer(seen.server, db.schema),
    ...checkTables(seen.tables, seen.members),
    ...seen.births,
    ...writes,
    ...checkPrivileges(seen.server, seen.tables, seen.state.status),
    ...checkRoles(seen.lacking),
    ...seen.reader,
    ...seen.trust,
    ...checkSchema(seen.state),
    ...seen.indexes,
  ];
  return conclude(lines, nextStep(seen.tables));
}
