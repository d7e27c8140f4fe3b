// Owns the verbs: `openGcos(config)` connects and gives them. It wires the modules together; what each adds is said in the module.
import { randomUUID } from 'node:crypto';
import { BreakGlass, syncBreakGlass } from './answer/break-glass/index.js';
import { Explanations } from './answer/explain/index.js';
import { Fixes } from './answer/fix/index.js';
import { Gates } from './answer/gate/index.js';
import { Plans } from './answer/plan/index.js';
import { readStatus, type Status } from './answer/status.js';
import {
  cancelledBy,
  Database,
  type DatabaseOptions,
  dumpSchema,
  EmbeddedServer,
  type InstallOptions,
  type InstallResult,
  installFiles,
  installSchema,
  type Migration,
  missingGrants,
  openReader,
  Prober,
  readServerTime,
  roleOf,
  type SchemaDefinition,
  type SchemaFiles,
  scriptsOf,
  type UninstallOptions,
  uninstallFile,
  uninstallSchema,
  upgradeFile,
  upgradeSchema,
} from './db/index.js';
import { type DoctorReport, examineHost, hostExtensions, Installation, planGrants } from './host/index.js';
import { Snapshots } from './inventory/snapshot/index.js';
import type { Config } from './kernel/index.js';
import { migrations, modules, version } from './modules.js';
import { Requests } from './record/approval/index.js';
import { DeadLetters, Workers } from './record/cursor/index.js';
import { Events, Inbox, reviveHeld } from './record/event/index.js';
import { Findings } from './record/finding/index.js';
import { Exceptions } from './rule/exception/index.js';
import { activeVersion, Rulesets } from './rule/ruleset/index.js';
import { Inputs } from './verdict/input/index.js';
import { Ledgers } from './verdict/ledger/index.js';
import { type AnnouncementContext, announceFindings } from './work/announcement.js';
import { Backfills } from './work/backfill/index.js';
import { Intakes } from './work/intake/index.js';
import { runPromotion } from './work/promotion.js';
import { Scans } from './work/scan/index.js';
import { type Supervision, supervise } from './work/supervision.js';
import { installedTrials } from './work/trial.js';
import { WorkerProcess } from './work/worker/index.js';

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
  /** Whether GCOS is installed here, and the host's vocabulary. */
  readonly installation: Installation;
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

  constructor(
    db: Database,
    definition: SchemaDefinition,
    leave: () => Promise<void>,
    reader: () => Promise<string | undefined> = async () => undefined,
  ) {
    this.db = db;
    this.installation = new Installation(db, definition.migrations);
    this.findings = new Findings(db, this.installation);
    this.requests = new Requests(db, this.installation);
    this.deadLetters = new DeadLetters(db, this.installation, reviveHeld);
    this.workers = new Workers(db, this.installation);
    this.events = new Events(db, this.installation);
    this.inbox = new Inbox(db, this.installation);
    this.snapshots = new Snapshots(db, this.installation, announceFindings, activeVersion);
    this.rulesets = new Rulesets(db, this.installation, announceFindings);
    this.exceptions = new Exceptions(db, this.installation);
    this.breakGlass = new BreakGlass(db, this.installation);
    this.plans = new Plans(db, this.installation, () => this.rulesets.syncOwnershipFinding());
    this.ledgers = new Ledgers(db, this.installation);
    this.inputs = new Inputs(db, this.installation);
    this.explanations = new Explanations(db, this.installation);
    this.fixes = new Fixes(db, this.installation);
    this.gates = new Gates(db, this.installation);
    this.backfills = new Backfills(db, this.installation, announceFindings);
    this.scans = new Scans(db, this.installation, announceFindings, () => this.prober(), [syncBreakGlass]);
    this.intakes = new Intakes(db, this.installation, announceFindings);
    this.worker = new WorkerProcess(db, this.installation, this.events, this.scans, [syncBreakGlass]);
    this.#definition = definition;
    this.#leave = leave;
    this.#reader = reader;
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
      supervise(tx, context, [syncBreakGlass]),
    );
  }

  /** What every run of something has: a name, the server's time, and the host's words. */
  async #run(kind: string): Promise<AnnouncementContext> {
    const mapping = await this.installation.hostVocabulary();
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
    seeds: (tx) => scriptsOf(modules, 'seeds', tx, schema),
    purges: (tx) => scriptsOf(modules, 'purges', tx, schema),
  };
  const reader = async () =>
    config.target.kind === 'embedded' && target.kind === 'url' && config.readerUrl === undefined
      ? openReader(db, target.url, roleOf(rolePrefix, 'reader'))
      : config.readerUrl;
  return new Gcos(db, definition, leave, reader);
}
