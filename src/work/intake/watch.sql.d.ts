// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../db/index.js';

export declare const findTables: Statement<
  {
    readonly names: readonly string[];
  },
  {
    readonly name: string;
  }
>;

export declare const memberColumns: Statement<
  {
    readonly registries: readonly string[];
    readonly migrations: readonly (string | null)[];
    readonly replacements: readonly (string | null)[];
  },
  {
    readonly registry: string;
    readonly columns: readonly string[];
  }
>;

export declare const keepRows: Statement<
  {
    readonly sources: readonly string[];
    readonly keys: readonly string[];
    readonly hashes: readonly string[];
    readonly facts: readonly string[];
  },
  Record<never, never>
>;

export declare const forgetRows: Statement<
  {
    readonly sources: readonly string[];
    readonly keys: readonly string[];
  },
  Record<never, never>
>;

export declare const diffWatched: Template<
  'table' | 'where',
  {
    readonly key: readonly string[];
    readonly content: readonly string[];
    readonly facts: readonly string[];
    readonly source: string;
  },
  {
    readonly row_key: string;
    readonly content_hash: string | null;
    readonly facts_before: string | null;
    readonly facts_after: string | null;
  }
>;
