// Owns the public API object: `openGcos(config)` connects and returns it. It wires the modules together.
import { randomUUID } from 'node:crypto';
import { BreakGlass, syncBreakGlass } from './answer/break-glass/index.js';
import { Configurations } from './answer/configuration/index.js';
import { Estates } from './answer/estate/index.js';
import { Explanations } from './answer/explain/index.js';
import { Fixes } from './answer/fix/index.js';
import { Gates } from './answer/gate/index.js';
import { Objects } from './answer/object/index.js';
import { Plans } from './answer/plan/index.js';
import { readStatus, type Status } from './answer/status.js';
import {
  cancelledBy,
  checkInstall,
  Database,
  type DatabaseOptions,
  declaredFunctions,
  dumpSchema,
  EmbeddedServer,
  type InstallOptions,
  type InstallResult,
  installFiles,
  installSchema,
  missingGrants,
  openRole,
  Prober,
  readServerTime,
  roleOf,
  type SchemaDefinition,
  type SchemaFiles,
  scriptsOf,
  type UninstallOptions,
  type UpgradeResult,
  uninstallFile,
  uninstallSchema,
  upgradeFile,
  upgradeSchema,
} from './db/index.js';
import {
  type DoctorReport,
  examineHost,
  hostExtensions,
  Installation,
  planGrants,
  requireUsable,
} from './host/index.js';
import { Snapshots } from './inventory/snapshot/index.js';
import type { Config, TlsSettings } from './kernel/index.js';
import { migrations, modules, settings, version } from './modules.js';
import { Requests, Settings } from './record/approval/index.js';
import { DeadLetters, Workers } from './record/cursor/index.js';
import { Events, Inbox, reviveHeld } from './record/event/index.js';
import { Feed } from './record/feed/index.js';
import { Findings } from './record/finding/index.js';
import { Credentials, People, type Presented, Sessions, Tokens } from './record/identity/index.js';
import { EvidenceLog } from './record/log/index.js';
import { type ActKey, actOnce, type KeptAnswer } from './record/once/index.js';
import { Exceptions } from './rule/exception/index.js';
import { activeVersion, Rulesets } from './rule/ruleset/index.js';
import { directusKind } from './source/directus/index.js';
import { fileKind } from './source/file/index.js';
import { readPlaces, withPlaces } from './source/link/index.js';
import { homeExtension, type SourceKind, Sources } from './source/object/index.js';
import { postgresKind } from './source/postgres/index.js';
import { Inputs } from './verdict/input/index.js';
import { Ledgers } from './verdict/ledger/index.js';
import { type AnnouncementContext, announceFindings } from './work/announcement.js';
import { Backfills } from './work/backfill/index.js';
import { freshen } from './work/freshen.js';
import { Intakes } from './work/intake/index.js';
import { WorkOrders } from './work/order/index.js';
import { runPromotion } from './work/promotion.js';
import { Webhooks } from './work/relay/index.js';
import { Scans } from './work/scan/index.js';
import { type Supervision, supervise } from './work/supervision.js';
import { installedTrials } from './work/trial.js';
import { WorkerProcess } from './work/worker/index.js';

/** A detector whose connection takes longer than this is not evaluated. */
const PROBE_CONNECT_MS = 5_000;

export interface OpenOptions {
  /** Aborting it cancels and rolls back the running work. */
  readonly signal?: AbortSignal;
  /**
   * On the embedded server: the role that logs in. `server` is that of `gcos serve`, which has no person. On
   * other servers, the address names the login.
   */
  readonly role?: 'server';
}

export interface InitOptions extends InstallOptions {
  /** Install also beside a host that the doctor finds unusable. */
  readonly force?: boolean;
}

/** The read-only login that runs the queries of detectors. */
interface Reader {
  readonly url: string;
  readonly tls: TlsSettings;
}

/** GCOS's own server speaks plain text on loopback, whatever the variables say about other servers. */
const EMBEDDED_TLS: TlsSettings = { mode: 'disable' };

/** The operations of GCOS on one database. */
export class Gcos {
  /** @internal The database, for the demo estate and tests. */
  readonly db: Database;
  /** @internal Whether GCOS is installed here, and the host's vocabulary. */
  readonly installation: Installation;
  /** Open findings, one per cause. */
  readonly findings: Findings;
  /** Approval requests and the decisions on them. */
  readonly requests: Requests;
  /** Settings with their form, default and meaning, and changing them. */
  readonly settings: Settings;
  /** Items that failed after all attempts, and retrying them. */
  readonly deadLetters: DeadLetters;
  /** The switch that pauses all workers. */
  readonly workers: Workers;
  /** Signal types, held signals, and their promotion. */
  readonly events: Events;
  /** Notifications of signals, per recipient. */
  readonly inbox: Inbox;
  /** The tamper-evident log of acts, ledgers and sealed gate answers. */
  readonly log: EvidenceLog;
  /** What changed, numbered in the order in which it became visible. */
  readonly feed: Feed;
  /** API tokens of people and pipelines. */
  readonly tokens: Tokens;
  /** Browser sessions, and whom a credential acts for. */
  readonly sessions: Sessions;
  /** The people who act, with their logins and kinds of approver. */
  readonly people: People;
  /** Fingerprints of the inventory, and their differences. */
  readonly snapshots: Snapshots;
  /** Versions of the rules, identified by their content. */
  readonly rulesets: Rulesets;
  /** Gaps accepted for a limited time. */
  readonly exceptions: Exceptions;
  /** Governance as code: gcos.yaml. */
  readonly configurations: Configurations;
  /** Break-glass passes: each needs two people and lasts minutes. */
  readonly breakGlass: BreakGlass;
  /** The path of a ruleset to activation. */
  readonly plans: Plans;
  /** What fills a home: the estates that are read. */
  readonly sources: Sources;
  /** Rules for the estates of this home, and reports on them. */
  readonly estates: Estates;
  /** Takes in all births that are older than the installation, and proves it. */
  readonly backfills: Backfills;
  /** Takes in host changes and marks the affected groups. */
  readonly intakes: Intakes;
  /** Re-evaluates dirty and expired verdicts, or everything. */
  readonly scans: Scans;
  /** Scans and syncs that people order from the workers. */
  readonly workOrders: WorkOrders;
  /** Accounts for every object, per scope. */
  readonly ledgers: Ledgers;
  /** Objects the input gate has not accepted, and decisions about them. */
  readonly inputs: Inputs;
  /** Verdicts of objects and groups, with their reasons. */
  readonly explanations: Explanations;
  /** Births and inventory groups, as lists. */
  readonly objects: Objects;
  /** Fixes ranked by effect, and proposing one. */
  readonly fixes: Fixes;
  /** The gate: checks whether a release may go to production. */
  readonly gates: Gates;
  /** Where changes are sent. */
  readonly webhooks: Webhooks;
  /** The process that follows the host: intake, scanner, audit, promoter, seal, feed, relay, supervisor. */
  readonly worker: WorkerProcess;
  readonly #credentials: Credentials;
  readonly #sourceKinds: readonly SourceKind[];
  readonly #definition: SchemaDefinition;
  readonly #leave: () => Promise<void>;
  readonly #reader: () => Promise<Reader | undefined>;

  /** @internal */
  constructor(
    db: Database,
    definition: SchemaDefinition,
    leave: () => Promise<void>,
    reader: () => Promise<Reader | undefined> = async () => undefined,
    sourceKinds: readonly SourceKind[] = [],
    shared?: Pick<Gcos, 'installation'> & { readonly credentials: Credentials },
  ) {
    this.db = db;
    this.installation = shared?.installation ?? new Installation(db, definition.migrations);
    this.#credentials = shared?.credentials ?? new Credentials();
    this.#sourceKinds = sourceKinds;
    this.findings = new Findings(db, this.installation);
    this.requests = new Requests(db, this.installation);
    this.settings = new Settings(db, this.installation, settings);
    this.deadLetters = new DeadLetters(db, this.installation, reviveHeld);
    this.workers = new Workers(db, this.installation);
    this.events = new Events(db, this.installation);
    this.inbox = new Inbox(db, this.installation);
    this.log = new EvidenceLog(db, this.installation);
    this.feed = new Feed(db, this.installation);
    this.tokens = new Tokens(db, this.installation);
    this.sessions = new Sessions(db, this.installation);
    this.people = new People(db, this.installation);
    this.snapshots = new Snapshots(db, this.installation, announceFindings, activeVersion);
    this.rulesets = new Rulesets(db, this.installation, announceFindings);
    this.exceptions = new Exceptions(db, this.installation);
    this.breakGlass = new BreakGlass(db, this.installation);
    this.plans = new Plans(db, this.installation, () => this.rulesets.syncOwnershipFinding());
    this.ledgers = new Ledgers(db, this.installation);
    this.inputs = new Inputs(db, this.installation);
    this.explanations = new Explanations(db, this.installation);
    this.objects = new Objects(db, this.installation);
    this.fixes = new Fixes(db, this.installation);
    this.sources = new Sources(db, this.installation, sourceKinds, async (tx, name, reader) =>
      withPlaces(reader, await readPlaces(tx, name)),
    );
    this.configurations = new Configurations(db, this.installation, this);
    this.estates = new Estates(db, this.installation, () => this.prober());
    this.backfills = new Backfills(db, this.installation, announceFindings);
    this.scans = new Scans(db, this.installation, announceFindings, () => this.prober(), [syncBreakGlass]);
    this.intakes = new Intakes(db, this.installation, announceFindings);
    const { intakes, scans } = this;
    this.gates = new Gates(db, this.installation, (signal) => freshen({ db, intakes, scans }, signal));
    this.worker = new WorkerProcess(db, this.installation, this.events, this.scans, this.sources, [
      syncBreakGlass,
    ]);
    this.webhooks = new Webhooks(db, this.installation);
    this.workOrders = new WorkOrders(db, this.installation, this.sources);
    this.#definition = definition;
    this.#leave = leave;
    this.#reader = reader;
  }

  /**
   * The same operations on the same connections, by a credential: each transaction presents it to the
   * database, which derives the person, the permission and the limits. Closing it closes nothing.
   */
  as(presented: Presented): Gcos {
    return this.#on(this.#credentials.presentIn(this.db, presented));
  }

  /**
   * Acts by a credential, once per key: the key is committed with the act, and a repeat returns the answer of
   * the first attempt.
   */
  once(
    presented: Presented,
    key: ActKey,
    work: (gcos: Gcos) => Promise<KeptAnswer>,
  ): Promise<KeptAnswer & { readonly repeated: boolean }> {
    return actOnce(this.#credentials.presentIn(this.db, presented), key, (db) => work(this.#on(db)));
  }

  /** The same operations on another view of the same connections. */
  #on(db: Database): Gcos {
    const shared = { installation: this.installation, credentials: this.#credentials };
    const nothing = async () => undefined;
    return new Gcos(db, this.#definition, nothing, nothing, this.#sourceKinds, shared);
  }

  /**
   * @internal Runs the queries of detectors as a read-only login; undefined if no such login is configured.
   */
  async prober(): Promise<Prober | undefined> {
    const reader = await this.#reader();
    if (reader === undefined) return undefined;
    return new Prober({ ...reader, schema: this.db.schema, connectTimeoutMs: PROBE_CONNECT_MS });
  }

  /** Sends held signals, and synchronises the findings about types that hold signals. */
  async promoteSignals(): ReturnType<typeof runPromotion> {
    return runPromotion({ db: this.db, events: this.events, ...(await this.#run('promotion')) });
  }

  /** Supervises all workers and inboxes: silence, lag, dead letters, unread signals. */
  async supervise(): Promise<Supervision> {
    const context = await this.#run('supervision');
    return this.db.transaction({ isolation: 'read committed', retries: 5 }, (tx) =>
      supervise(tx, context, [syncBreakGlass]),
    );
  }

  /** The context of a run: a run id, the server time, and the host's vocabulary. */
  async #run(kind: string): Promise<AnnouncementContext> {
    await this.installation.requireInstalled();
    const at = await this.db.transaction({ isolation: 'read committed', readOnly: true }, readServerTime);
    return { at, runId: `${kind}-${randomUUID()}` };
  }

  /** Installs the schema. Refuses a host that the doctor finds unusable, unless `force` is set. */
  async init(options: InitOptions = {}): Promise<InstallResult> {
    const { force = false, ...install } = options;
    // What this login lacks is reported first: without it, the doctor sees only that it may not read.
    const before = await checkInstall(this.db, this.#definition, install);
    const creates = install.with?.includes(homeExtension.name) === true;
    if (!force && before === 'absent') requireUsable(await this.doctor(), { withoutHost: creates });
    return installSchema(this.db, this.#definition, install);
  }

  /**
   * The SQL that `init` would run, as a file for psql with its reverse; undefined if there is nothing to do.
   * Writes nothing.
   */
  initFiles(options: InstallOptions, names: SchemaFiles): Promise<SchemaFiles | undefined> {
    return installFiles(this.db, this.#definition, options, names);
  }

  /** Applies pending migrations, grants missing host privileges and renews rows; returns what changed. */
  upgrade(): Promise<UpgradeResult> {
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
      rolePrefix: this.#definition.rolePrefix,
      functions: declaredFunctions(this.#definition.migrations, this.#definition),
      installedTrials,
      readerRole: roleOf(this.#definition.rolePrefix, 'reader'),
      missingGrants: async (tx) => missingGrants(tx, this.#definition, await this.#definition.hostGrants(tx)),
    });
  }

  /**
   * A moment of the database, as an opaque text: what `at` takes. It is a second old at most and can be read
   * for at least a minute, in this process and in others, until this one closes.
   */
  moment(): Promise<string> {
    return this.db.takeMoment();
  }

  /**
   * GCOS at a moment: all that its verbs read is of one state of the database, and none of them can write.
   * Throws `as_of_expired` once the moment is over.
   */
  at(moment: string): Gcos {
    return this.#on(this.db.at(moment));
  }

  /**
   * Yields what `work` yields, all read from this moment, also when that takes longer than a moment can be
   * read: for lists of any length.
   */
  keep<T>(work: (gcos: Gcos) => AsyncIterable<T>, limitMs: number): AsyncGenerator<T> {
    return this.db.keep((db) => work(this.#on(db)), limitMs);
  }

  /** What was written before this call is part of the next moment. */
  renewMoment(): void {
    this.db.renewMoment();
  }

  status(): Promise<Status> {
    return readStatus(this.db, this.#definition.migrations);
  }

  /** Closes the connections; the embedded server stops if no other process uses it. */
  async close(): Promise<void> {
    try {
      await this.db.close();
    } finally {
      await this.#leave();
    }
  }
}

/** The database of `target`, and the function to call at the end. */
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

/** Connects according to `config`; starts the embedded server if it is the target. */
export async function openGcos(config: Config, options: OpenOptions = {}): Promise<Gcos> {
  const { target: reached, leave } = await reach(config.target, options.signal);
  const { schema, trustSchema, rolePrefix, poolSize, connectTimeoutMs, statementTimeoutMs, lockTimeoutMs } =
    config;
  const limits = { poolSize, connectTimeoutMs, statementTimeoutMs, lockTimeoutMs };
  const isEmbedded = config.target.kind === 'embedded';
  const tls = isEmbedded ? EMBEDDED_TLS : config.tls;
  const { role, ...open } = options;
  const databaseAt = (at: DatabaseOptions['target']) =>
    new Database({ target: at, tls, schema, trustSchema, ...limits, ...open });
  /** The URL of one of GCOS's own logins on the embedded server. */
  const urlOf = async (name: 'reader' | 'server', url: string): Promise<string> => {
    const own = databaseAt({ kind: 'url', url });
    return openRole(own, url, roleOf(rolePrefix, name)).finally(() => own.close());
  };
  const target: typeof reached =
    role === undefined || !isEmbedded || reached.kind !== 'url'
      ? reached
      : await urlOf(role, reached.url).then(
          (url) => ({ kind: 'url', url }),
          (error: unknown) => leave().then(() => Promise.reject(error)),
        );
  const db = databaseAt(target);
  const definition: SchemaDefinition = {
    version,
    schema,
    trustSchema,
    rolePrefix,
    migrations,
    extensions: [...hostExtensions, homeExtension],
    hostGrants: (tx) => planGrants(tx, schema),
    seeds: (tx) => scriptsOf(modules, 'seeds', tx, schema),
    seeded: modules.flatMap((module) => module.seeded ?? []),
    purges: (tx) => scriptsOf(modules, 'purges', tx, schema),
  };
  const reader = async () => {
    if (config.readerUrl !== undefined) return { url: config.readerUrl, tls: config.tls };
    if (!isEmbedded || reached.kind !== 'url') return undefined;
    return { url: await urlOf('reader', reached.url), tls };
  };
  const connecting = { tls: config.tls, connectTimeoutMs, ...options };
  const kinds = [fileKind, postgresKind(connecting), directusKind(connecting)];
  return new Gcos(db, definition, leave, reader, kinds);
}
