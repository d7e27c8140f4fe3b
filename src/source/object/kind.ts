// Owns what a kind of source is: how its configuration comes about, and how it is opened.
import type { SourceReader } from './source-object.js';

/** What a user says about a source, beside its name and its kind. */
export interface SourceOptions {
  /** Where the estate is: a file, or the address of a database. */
  readonly location: string;
  /** The class of all objects, where the estate names none. */
  readonly class?: string;
  /** The columns of the code and of the identity. */
  readonly code?: string;
  readonly identity?: string;
  /** Link → column. */
  readonly links?: Readonly<Record<string, string>>;
}

/** INVARIANT: a configuration is stored and shown. It has no secret, only the place of one. */
export type SourceConfig = Readonly<Record<string, unknown>>;

/** What only this run knows. */
export interface SourceRun {
  /** The address of the same estate with its password, which is stored nowhere. */
  readonly address?: string;
}

export interface SourceKind {
  readonly name: string;
  /** Throws `source_invalid`. */
  configure(options: SourceOptions): SourceConfig;
  /** Throws `source_invalid` for a configuration of another form. */
  open(config: SourceConfig, run?: SourceRun): SourceReader;
  /** Whether the estate is of this kind rather than of a more general one. */
  recognizes?(config: SourceConfig, run?: SourceRun): Promise<boolean>;
}
