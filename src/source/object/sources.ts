// Owns the verbs about sources: add, list, sync, remove.
import type { Database, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { GcosError, hasCode, requireKnown, storableText } from '../../kernel/index.js';
import { sourceError, sourceErrors } from './errors.js';
import type { SourceConfig, SourceKind, SourceOptions, SourceRun } from './kind.js';
import {
  addSource,
  changeSource,
  failSource,
  readDueSources,
  readHome,
  readSources,
  removeSource,
} from './source.sql.js';
import type { SourceReader } from './source-object.js';
import { reportOf, type SyncOptions, type SyncReport, syncSource } from './sync.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const WRITE = { isolation: 'read committed', retries: 3 } as const;
/** Removing a large source writes a row for each of its objects. */
const REMOVE = { isolation: 'read committed', statementTimeoutMs: 3_600_000 } as const;

export interface Source {
  readonly name: string;
  readonly kind: string;
  readonly config: SourceConfig;
  readonly status: 'active' | 'removed';
  readonly addedAt: string;
  readonly addedBy: string;
  /** When the last complete sync began to read; null: none was complete. */
  readonly readAt: string | null;
  readonly syncedAt: string | null;
  /** The last failure since then. */
  readonly failure: {
    readonly at: string;
    readonly since: string | null;
    readonly times: number;
    readonly code: string | null;
    readonly message: string | null;
  } | null;
  readonly objects: bigint;
  readonly gone: bigint;
}

/** A source whose last attempt is long enough ago. */
export interface DueSource {
  readonly name: string;
  readonly kind: string;
  readonly config: SourceConfig;
  readonly overdueSeconds: number;
}

const NAME = /^[a-z][a-z0-9_]{0,23}$/;
export function requireSourceName(name: string): void {
  if (!NAME.test(name))
    throw sourceErrors.source_invalid(
      `\`${name}\` is no name for a source: up to 24 lower-case letters, digits and underscores, a letter first`,
    );
}

/** A reader whose objects have the links of all places, as the database has them now. */
export type WithPlaces = (tx: Transaction, name: string, reader: SourceReader) => Promise<SourceReader>;

/** These say nothing about the estate. */
const NO_FAILURE = ['source_busy', 'source_unknown', 'source_not_home', 'operation_cancelled'];

async function allSources(tx: Transaction): Promise<readonly Source[]> {
  const rows = await tx.run(readSources, {});
  return rows.map((row) => ({
    name: row.name,
    kind: row.kind,
    config: JSON.parse(row.config) as SourceConfig,
    status: row.status as Source['status'],
    addedAt: row.added_at,
    addedBy: row.added_by,
    readAt: row.read_at,
    syncedAt: row.synced_at,
    failure:
      row.failed_at === null
        ? null
        : {
            at: row.failed_at,
            since: row.failing_since,
            times: row.failures,
            code: row.failure_code,
            message: row.failure,
          },
    objects: row.objects,
    gone: row.gone,
  }));
}

/** The sources whose last attempt failed. */
export async function failingSources(tx: Transaction): Promise<readonly Source[]> {
  return (await allSources(tx)).filter((each) => each.status === 'active' && each.failure !== null);
}

export class Sources {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #kinds: readonly SourceKind[];
  readonly #withPlaces: WithPlaces;

  /** @internal `withPlaces`: what gives links beside the estate. */
  constructor(
    db: Database,
    installation: Installation,
    kinds: readonly SourceKind[],
    withPlaces: WithPlaces = async (_tx, _name, reader) => reader,
  ) {
    this.#db = db;
    this.#installation = installation;
    this.#kinds = kinds;
    this.#withPlaces = withPlaces;
  }

  #kindOf(name: string): SourceKind {
    requireKnown(name, {
      what: 'kind of source',
      known: this.#kinds.map((each) => each.name),
      error: sourceErrors.source_unknown,
    });
    const kind = this.#kinds.find((each) => each.name === name);
    if (kind === undefined) throw sourceErrors.source_unknown(`there is no kind of source \`${name}\``);
    return kind;
  }

  /** The kind that recognizes an estate as its own; undefined: only a general one reads it. */
  async recognize(options: SourceOptions, run: SourceRun = {}): Promise<string | undefined> {
    for (const kind of this.#kinds)
      if (await kind.recognizes?.(kind.configure(options), run)) return kind.name;
    return undefined;
  }

  /** Adds a source; false: it is there already, with the same configuration. Reads nothing yet. */
  async add(name: string, kind: string, options: SourceOptions): Promise<{ readonly added: boolean }> {
    await this.#installation.requireInstalled();
    const config = JSON.stringify(this.#kindOf(kind).configure(options));
    requireSourceName(name);
    try {
      return await this.#db.transaction(WRITE, (tx) => tx.one(addSource, { name, kind, config }));
    } catch (error) {
      throw sourceError(error);
    }
  }

  /** @internal The configuration that these options make; throws `source_invalid`. */
  configOf(name: string, kind: string, options: SourceOptions): SourceConfig {
    requireSourceName(name);
    return this.#kindOf(kind).configure(options);
  }

  /** Adds a source, or gives one of the same kind another configuration; false: it is as it should be. */
  async configure(
    name: string,
    kind: string,
    options: SourceOptions,
  ): Promise<{ readonly changed: boolean }> {
    const found = (await this.list()).find((each) => each.name === name && each.status === 'active');
    if (found === undefined) return { changed: (await this.add(name, kind, options)).added };
    const config = JSON.stringify(this.configOf(name, kind, options));
    try {
      return await this.#db.transaction(WRITE, (tx) => tx.one(changeSource, { name, kind, config }));
    } catch (error) {
      throw sourceError(error);
    }
  }

  /** All sources, the removed ones included. */
  async list(): Promise<readonly Source[]> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, allSources);
  }

  async #active(name: string): Promise<Source> {
    const active = (await this.list()).filter((each) => each.status === 'active');
    requireKnown(name, {
      what: 'source',
      known: active.map((each) => each.name),
      error: sourceErrors.source_unknown,
    });
    const found = active.find((each) => each.name === name);
    if (found === undefined) throw sourceErrors.source_unknown(`there is no source \`${name}\``);
    return found;
  }

  /** Reads the estate of a source and writes what differs from the last sync. */
  async sync(name: string, options: SyncOptions = {}): Promise<SyncReport> {
    const { kind, config } = await this.#active(name);
    return this.syncOne({ name, kind, config }, options);
  }

  /** @internal Does the same for a source that the caller has read, and records a failure. */
  async syncOne(
    { name, kind, config }: Pick<DueSource, 'name' | 'kind' | 'config'>,
    options: SyncOptions = {},
  ): Promise<SyncReport> {
    try {
      const { address } = options;
      const reader = this.#kindOf(kind).open(config, address === undefined ? {} : { address });
      try {
        const placed = await this.#db.transaction(READ_ONLY, (tx) => this.#withPlaces(tx, name, reader));
        return await syncSource(this.#db, name, placed, options);
      } finally {
        await reader.close?.();
      }
    } catch (error) {
      await this.#recordFailure(name, error);
      throw error;
    }
  }

  async #recordFailure(name: string, error: unknown): Promise<void> {
    if (NO_FAILURE.some((code) => hasCode(error, code))) return;
    const code = error instanceof GcosError ? error.code : 'source_unreadable';
    const failure = storableText(error instanceof Error ? error.message : String(error));
    // What made the sync fail is the error to report, whatever becomes of its record.
    await this.#db
      .transaction(WRITE, (tx) => tx.one(failSource, { name, code, failure }))
      .catch(() => undefined);
  }

  /**
   * @internal The sources that were last read, or tried, longer ago than this and than their share allows.
   */
  async due(seconds: number, share = 1): Promise<readonly DueSource[]> {
    const rows = await this.#db.transaction(READ_ONLY, (tx) => tx.run(readDueSources, { seconds, share }));
    return rows.map((row) => ({
      name: row.name,
      kind: row.kind,
      config: JSON.parse(row.config) as SourceConfig,
      overdueSeconds: row.overdue_seconds,
    }));
  }

  /** @internal Whether this database is a home, which sources can be added to. */
  async inHome(): Promise<boolean> {
    return (await this.#db.transaction(READ_ONLY, (tx) => tx.one(readHome, {}))).home;
  }

  /** @internal Whether there is a source to read. */
  async any(): Promise<boolean> {
    return (await this.due(0)).length > 0;
  }

  /** Removes a source: what it listed is gone, and its births stay. */
  async remove(name: string): Promise<SyncReport> {
    const { readAt } = await this.#active(name);
    try {
      const { written } = await this.#db.transaction(REMOVE, (tx) => tx.one(removeSource, { name }));
      return reportOf(name, written, readAt ?? '');
    } catch (error) {
      throw sourceError(error);
    }
  }
}
