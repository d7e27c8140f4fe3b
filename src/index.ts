// The public API: `openGcos(config)` gives the verbs. It wires the rooms together: what each contributes to the
// schema, to the doctor and to the reference is listed here and nowhere else.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  BreakGlass,
  breakGlassErrors,
  breakGlassMigration,
  breakGlassStatements,
  Explanations,
  explainErrors,
  explainStatements,
  Fixes,
  fixErrors,
  fixStatements,
  Gates,
  gateErrors,
  gateMigration,
  gateStatements,
  Plans,
  planErrors,
  planStatements,
  readStatus,
  type Status,
  settleBreakGlass,
  statusStatements,
  viewMigration,
} from './answer/index.js';
import {
  cancelledBy,
  Database,
  type DatabaseOptions,
  dbErrors,
  dumpParts,
  dumpSchema,
  EmbeddedServer,
  embeddedErrors,
  floorMigration,
  type InstallOptions,
  type InstallResult,
  installFiles,
  installSchema,
  type Migration,
  migrationStatements,
  missingGrants,
  openReader,
  Prober,
  readSchemaState,
  readServerTime,
  readSetting,
  readSettingRow,
  readTime,
  requireCurrent,
  roleOf,
  rowVersionStatements,
  type SchemaDefinition,
  type SchemaFiles,
  type Statement,
  schemaErrors,
  settingErrors,
  type UninstallOptions,
  uninstallFile,
  uninstallSchema,
  upgradeFile,
  upgradeSchema,
} from './db/index.js';
import {
  changelogMigration,
  changelogPurge,
  type DoctorReport,
  examineHost,
  type HostMapping,
  hostExtensions,
  hostMigration,
  hostStatements,
  mapHost,
  mappingSetting,
  planGrants,
  trialErrors,
} from './host/index.js';
import {
  groupMigration,
  groupStatements,
  Snapshots,
  snapshotErrors,
  snapshotMigration,
  snapshotPurge,
  snapshotStatements,
  tailErrors,
  tailMigration,
  tailStatements,
} from './inventory/index.js';
import { type Config, canonicalErrors, configErrors, type ErrorKinds } from './kernel/index.js';
import {
  approvalErrors,
  approvalMigration,
  approvalPurge,
  approvalStatements,
  cursorErrors,
  cursorMigration,
  cursorPurges,
  cursorStatements,
  DeadLetters,
  Events,
  eventErrors,
  eventMigration,
  eventPurges,
  eventSeeds,
  eventStatements,
  Findings,
  findingErrors,
  findingMigration,
  findingPurge,
  findingStatements,
  Inbox,
  Requests,
  reviveHeld,
  Workers,
} from './record/index.js';
import {
  activeVersion,
  Exceptions,
  exceptionErrors,
  exceptionMigration,
  exceptionStatements,
  Rulesets,
  reachSeed,
  rulesetErrors,
  rulesetMigration,
  rulesetStatements,
} from './rule/index.js';
import {
  candidateErrors,
  candidateMigration,
  candidateStatements,
  coverageStatements,
  detectorStatements,
  Inputs,
  inputErrors,
  inputMigration,
  inputSeed,
  inputStatements,
  Ledgers,
  ledgerErrors,
  ledgerStatements,
} from './verdict/index.js';
import {
  type AnnouncementContext,
  announceFindings,
  Backfills,
  backfillErrors,
  backfillMigration,
  backfillStatements,
  closingErrors,
  closingStatements,
  followErrors,
  followStatements,
  handoffErrors,
  handoffMigration,
  handoffStatements,
  Intakes,
  installedTrials,
  promotionStatements,
  runPromotion,
  Scans,
  type Supervision,
  scanErrors,
  scanMigration,
  scanStatements,
  supervise,
  WorkerProcess,
  workerErrors,
  workerStatements,
} from './work/index.js';

export type {
  Action,
  Answer,
  AskedPass,
  CheckLine,
  ExplainedException,
  ExplainedGroup,
  ExplainedLink,
  Explanation,
  FindingFlip,
  Fix,
  FixFilter,
  FixPage,
  Flips,
  FullQuestion,
  GateAnswer,
  GateCheck,
  GateDecision,
  GateEvidence,
  GateFix,
  GateFlip,
  GateMode,
  GateOptions,
  GateQuestion,
  GateReason,
  GateSubject,
  Pass,
  PassOptions,
  PassStanding,
  PassSubject,
  PassWish,
  PastCheck,
  PastDecision,
  Plan,
  Proposal,
  ProposedRemediation,
  ScopeExplanation,
  Stage,
  Status,
  TermFlip,
  UnitFlip,
} from './answer/index.js';
export {
  ACTIONS,
  completeQuestions,
  DEADLINE_MS,
  DEFAULT_ACTION,
  DEFAULT_STAGE,
  parseManifest,
  STAGES,
  undecided,
  withinDeadline,
} from './answer/index.js';
export type { InstallOptions, InstallResult, SchemaFiles, UninstallOptions } from './db/index.js';
export type { DoctorLine, DoctorReport } from './host/index.js';
export type {
  Captured as CapturedSnapshot,
  Drift,
  GroupDrift,
  Pruned as PrunedSnapshots,
  Snapshot,
  SnapshotKind,
  SnapshotLine,
  SnapshotPage,
  SnapshotVerification,
} from './inventory/index.js';
export { type Config, GcosError, loadConfig } from './kernel/index.js';
export type {
  ApprovalRequest,
  DeadLetter,
  DeadLetterDetail,
  DeadLetterPage,
  Decision,
  Delivery,
  Emission,
  Finding,
  FindingFilter,
  FindingLine,
  FindingPage,
  HeldSignal,
  PauseState,
  Promotion,
  RegisteredType,
  RequestDetail,
  RequestOptions,
  Signal,
  Subscription,
  SubscriptionChoice,
  SubscriptionRequest,
} from './record/index.js';

export type {
  AskedException,
  Draft as RulesetDraft,
  Drift as RulesetDrift,
  Exception,
  ExceptionDetail,
  ExceptionFilter,
  ExceptionOptions,
  ExceptionStanding,
  ExceptionSubject,
  ExceptionTerms,
  ExceptionWish,
  RuleChange,
  Ruleset,
  RulesetDetail,
  RulesetDiff,
  RulesetPage,
  Verification as RulesetVerification,
} from './rule/index.js';
export type {
  Difference as LedgerDifference,
  InputAct,
  InputFilter,
  InputLine,
  InputPage,
  InputState,
  Ledger,
  LedgerExport,
  OwnerLedger,
  ScopeChanges,
  ScopeLedger,
  ScopeTerms,
  ShownLedger,
  TrustDecision,
  TrustLine,
} from './verdict/index.js';

export type {
  BackfillOptions,
  BackfillProgress,
  BackfillReport,
  BackfillStatus,
  DutyName,
  DutyState,
  Gauges,
  IntakeRound,
  IntakeRun,
  IntakeStatus,
  Log,
  Proof,
  Replay,
  ScanOptions,
  ScanProgress,
  ScanReport,
  ScanStatus,
  WorkerRunOptions,
} from './work/index.js';
export { DEFAULT_PORT, DUTIES, makeLog } from './work/index.js';

/** Version of the package, as in package.json. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** GCOS's schema, in the order it was built. */
export const migrations: readonly Migration[] = [
  floorMigration,
  hostMigration,
  changelogMigration,
  findingMigration,
  approvalMigration,
  cursorMigration,
  eventMigration,
  groupMigration,
  snapshotMigration,
  rulesetMigration,
  tailMigration,
  candidateMigration,
  backfillMigration,
  inputMigration,
  handoffMigration,
  exceptionMigration,
  scanMigration,
  viewMigration,
  gateMigration,
  breakGlassMigration,
];

/** Every statement the product runs, for the contract test. */
export const statements: readonly Statement[] = [
  ...migrationStatements,
  ...dumpParts,
  readSettingRow,
  readTime,
  ...rowVersionStatements,
  ...hostStatements,
  ...findingStatements,
  ...approvalStatements,
  ...cursorStatements,
  ...eventStatements,
  ...groupStatements,
  ...snapshotStatements,
  ...tailStatements,
  ...rulesetStatements,
  ...exceptionStatements,
  ...inputStatements,
  ...candidateStatements,
  ...detectorStatements,
  ...coverageStatements,
  ...ledgerStatements,
  ...promotionStatements,
  ...followStatements,
  ...closingStatements,
  ...backfillStatements,
  ...handoffStatements,
  ...scanStatements,
  ...workerStatements,
  ...explainStatements,
  ...fixStatements,
  ...gateStatements,
  ...statusStatements,
  ...breakGlassStatements,
  ...planStatements,
] as readonly Statement[];

/** Every error the library can raise, for the reference. */
export const errorKinds: ErrorKinds = {
  ...canonicalErrors.kinds,
  ...configErrors.kinds,
  ...dbErrors.kinds,
  ...embeddedErrors.kinds,
  ...schemaErrors.kinds,
  ...settingErrors.kinds,
  ...trialErrors.kinds,
  ...findingErrors.kinds,
  ...approvalErrors.kinds,
  ...cursorErrors.kinds,
  ...eventErrors.kinds,
  ...snapshotErrors.kinds,
  ...tailErrors.kinds,
  ...rulesetErrors.kinds,
  ...exceptionErrors.kinds,
  ...planErrors.kinds,
  ...inputErrors.kinds,
  ...candidateErrors.kinds,
  ...ledgerErrors.kinds,
  ...backfillErrors.kinds,
  ...closingErrors.kinds,
  ...followErrors.kinds,
  ...handoffErrors.kinds,
  ...scanErrors.kinds,
  ...workerErrors.kinds,
  ...explainErrors.kinds,
  ...fixErrors.kinds,
  ...breakGlassErrors.kinds,
  ...gateErrors.kinds,
};

/** A rule whose connection takes longer than this is not evaluated. */
const PROBE_CONNECT_MS = 5_000;

export interface OpenOptions {
  /** Aborting it cancels what runs and rolls it back. */
  readonly signal?: AbortSignal;
}

/** The verbs of GCOS over one database. */
export class Gcos {
  /** The database, for rooms above: the demo estate and tests. */
  readonly db: Database;
  /** Open problems, one per cause. */
  readonly findings: Findings;
  /** Requests and the decisions on them. */
  readonly requests: Requests;
  /** What could not be done, and another chance for it. */
  readonly deadLetters: DeadLetters;
  /** The switch that stops all workers. */
  readonly workers: Workers;
  /** Signals: their types, those that are held, and their promotion. */
  readonly events: Events;
  /** Notifications of signals, per recipient. */
  readonly inbox: Inbox;
  /** Fingerprints of the inventory, and what changed between them. */
  readonly snapshots: Snapshots;
  /** The rules in force, versioned by their content. */
  readonly rulesets: Rulesets;
  /** Gaps that were accepted for a while. */
  readonly exceptions: Exceptions;
  /** Ways past the gate, for minutes and two people each. */
  readonly breakGlass: BreakGlass;
  /** The way of a ruleset into force. */
  readonly plans: Plans;
  /** Taking in everything that was born before GCOS arrived, and proving it. */
  readonly backfills: Backfills;
  /** What changes in the host, handed on to the groups it concerns. */
  readonly intakes: Intakes;
  /** Looking again at what was marked, or at everything. */
  readonly scans: Scans;
  /** The sum that accounts for every object, per scope. */
  readonly ledgers: Ledgers;
  /** What the input gate has not accepted, and what people decided about it. */
  readonly inputs: Inputs;
  /** What is believed about an object or a group, and why. */
  readonly explanations: Explanations;
  /** What would cure the most, and asking for it. */
  readonly fixes: Fixes;
  /** May this go to production? */
  readonly gates: Gates;
  /** The process that keeps up with the host: intake, promoter, supervisor. */
  readonly worker: WorkerProcess;
  readonly #definition: SchemaDefinition;
  readonly #leave: () => Promise<void>;
  readonly #reader: () => Promise<string | undefined>;
  #words: Promise<HostMapping> | undefined;

  constructor(
    db: Database,
    definition: SchemaDefinition,
    leave: () => Promise<void>,
    reader: () => Promise<string | undefined> = async () => undefined,
  ) {
    this.db = db;
    this.findings = new Findings(db, () => this.words());
    this.requests = new Requests(db, () => this.words());
    this.deadLetters = new DeadLetters(db, () => this.words(), reviveHeld);
    this.workers = new Workers(db, () => this.words());
    this.events = new Events(db, () => this.words());
    this.inbox = new Inbox(db, () => this.words());
    this.snapshots = new Snapshots(db, () => this.words(), announceFindings, activeVersion);
    this.rulesets = new Rulesets(db, () => this.words(), announceFindings);
    this.exceptions = new Exceptions(db, () => this.words());
    this.breakGlass = new BreakGlass(db, () => this.words());
    this.plans = new Plans(
      db,
      () => this.words(),
      () => this.rulesets.settleOwnership(),
    );
    this.ledgers = new Ledgers(db, () => this.words());
    this.inputs = new Inputs(db, () => this.words());
    this.explanations = new Explanations(db, () => this.words());
    this.fixes = new Fixes(db, () => this.words());
    this.gates = new Gates(db, () => this.words());
    this.backfills = new Backfills(db, () => this.words(), announceFindings);
    this.scans = new Scans(
      db,
      () => this.words(),
      announceFindings,
      () => this.prober(),
      [settleBreakGlass],
    );
    this.intakes = new Intakes(db, () => this.words(), announceFindings);
    this.worker = new WorkerProcess(db, () => this.words(), this.events, this.scans, [settleBreakGlass]);
    this.#definition = definition;
    this.#leave = leave;
    this.#reader = reader;
  }

  /** The host's words for GCOS's, worked out once per connection: constraints rarely change while a command runs. */
  words(): Promise<HostMapping> {
    this.#words ??= this.db
      .transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => {
        const state = await readSchemaState(tx, this.db.schema, this.#definition.migrations);
        requireCurrent(state, this.db.schema);
        return mapHost(tx, this.db.schema, await readSetting(tx, 'host.mapping', mappingSetting, {}));
      })
      .catch((error: unknown) => {
        // Not installed yet, perhaps: that may change before the next question.
        this.#words = undefined;
        throw error;
      });
    return this.#words;
  }

  /** What runs the queries of detectors, as a login that only reads; undefined where nobody may. */
  async prober(): Promise<Prober | undefined> {
    const url = await this.#reader();
    if (url === undefined) return undefined;
    return new Prober({ url, schema: this.db.schema, connectTimeoutMs: PROBE_CONNECT_MS });
  }

  /** Lets held signals leave, and keeps the findings about types that hold signals back up to date. */
  async promoteSignals(): ReturnType<typeof runPromotion> {
    return runPromotion({ db: this.db, events: this.events, ...(await this.#run('promotion')) });
  }

  /** Looks at all workers and inboxes from outside: silence, lag, dead letters, signals nobody read. */
  async supervise(): Promise<Supervision> {
    const context = await this.#run('supervision');
    return this.db.transaction({ isolation: 'read committed', retries: 5 }, (tx) =>
      supervise(tx, context, [settleBreakGlass]),
    );
  }

  /** What every run of something has: a name, the server's time, and the host's words. */
  async #run(kind: string): Promise<AnnouncementContext> {
    const mapping = await this.words();
    const at = await this.db.transaction({ isolation: 'read committed', readOnly: true }, readServerTime);
    return { mapping, at, runId: `${kind}-${randomUUID()}` };
  }

  init(options: InstallOptions = {}): Promise<InstallResult> {
    return installSchema(this.db, this.#definition, options);
  }

  /** What `init` would run, as a file for psql with its reverse; undefined if there is nothing to do. Writes nothing. */
  initFiles(options: InstallOptions, names: SchemaFiles): Promise<SchemaFiles | undefined> {
    return installFiles(this.db, this.#definition, options, names);
  }

  /** Applies pending migrations; returns them. */
  upgrade(): Promise<readonly Migration[]> {
    return upgradeSchema(this.db, this.#definition);
  }

  upgradeFile(): Promise<string> {
    return upgradeFile(this.db, this.#definition);
  }

  uninstall(options: UninstallOptions = {}): Promise<void> {
    return uninstallSchema(this.db, this.#definition, options);
  }

  uninstallFile(options: UninstallOptions = {}): Promise<string> {
    return uninstallFile(this.db, this.#definition, options);
  }

  dumpSchema(): Promise<string> {
    return dumpSchema(this.db);
  }

  doctor(): Promise<DoctorReport> {
    return examineHost(this.db, {
      migrations: this.#definition.migrations,
      installedTrials,
      missingGrants: async (tx) => missingGrants(tx, this.#definition, await this.#definition.hostGrants(tx)),
    });
  }

  status(): Promise<Status> {
    return readStatus(this.db, this.#definition.migrations);
  }

  /** Closes the connections; the embedded server stops if nobody else uses it. */
  async close(): Promise<void> {
    try {
      await this.db.close();
    } finally {
      await this.#leave();
    }
  }
}

/** The database that `target` names, and what to do when done with it. */
async function reach(
  target: Config['target'],
  signal: AbortSignal | undefined,
): Promise<{ target: DatabaseOptions['target']; leave: () => Promise<void> }> {
  if (target.kind !== 'embedded') return { target, leave: async () => undefined };
  const server = new EmbeddedServer(target.home);
  try {
    return { target: { kind: 'url', url: await server.enter(signal) }, leave: () => server.leave() };
  } catch (error) {
    throw signal?.aborted ? cancelledBy(signal, error) : error;
  }
}

/** Connects as `config` says, starting the embedded server if that is what it says. */
export async function openGcos(config: Config, options: OpenOptions = {}): Promise<Gcos> {
  const { target, leave } = await reach(config.target, options.signal);
  const { schema, rolePrefix, poolSize, connectTimeoutMs, statementTimeoutMs, lockTimeoutMs } = config;
  const limits = { poolSize, connectTimeoutMs, statementTimeoutMs, lockTimeoutMs };
  const db = new Database({ target, schema, ...limits, ...options });
  const definition: SchemaDefinition = {
    version,
    schema,
    rolePrefix,
    migrations,
    extensions: hostExtensions,
    hostGrants: (tx) => planGrants(tx, schema),
    seeds: async (tx) => [...(await eventSeeds(tx, schema)), reachSeed, inputSeed],
    purges: async (tx) => [
      changelogPurge,
      snapshotPurge,
      findingPurge,
      approvalPurge,
      ...cursorPurges,
      ...(await eventPurges(tx, schema)),
    ],
  };
  const reader = async () =>
    config.target.kind === 'embedded' && target.kind === 'url' && config.readerUrl === undefined
      ? openReader(db, target.url, roleOf(rolePrefix, 'reader'))
      : config.readerUrl;
  return new Gcos(db, definition, leave, reader);
}
