// Owns the interface of a source: what one estate yields, whatever kind it is.

/** What a source can read. */
export interface SourceDescription {
  readonly classes: readonly string[];
  readonly links: readonly string[];
}

/** One object of an estate, as its source reads it. */
export interface SourceObject {
  /** For example `table`; sources share the names of classes. */
  readonly class: string;
  /** The identity that people see, for example `public.orders` as PostgreSQL prints it. */
  readonly code: string;
  /** A key that survives a rename, for example the oid; null where the estate has none. */
  readonly identity: string | null;
  readonly parent: { readonly class: string; readonly code: string } | null;
  /** Facts, as JSON. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Owner, classification, retention, approval: as the nearest place says. */
  readonly links: Readonly<Record<string, string>>;
}

/**
 * A named reader of one estate. INVARIANT: it never writes to what it reads. `read` throws if the estate
 * cannot be read to its end: what it yielded before is then not the estate, and a sync changes nothing.
 */
export interface SourceReader {
  describe(): SourceDescription;
  read(): AsyncIterable<SourceObject>;
  close?(): Promise<void>;
}
