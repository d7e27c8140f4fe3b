// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../db/index.js';

export declare const findTables: Statement<
  Record<never, never>,
  {
    readonly part: string;
    readonly usable: boolean | null;
  }
>;

export declare const readOwners: Template<
  'chain',
  {
    readonly at: string;
    readonly objectTypes: readonly string[];
    readonly objectRefs: readonly string[];
    readonly collections: readonly string[];
    readonly objectClasses: readonly string[];
    readonly scopes: readonly string[];
  },
  {
    readonly owner: string | null;
    readonly conflict: boolean;
    readonly level: string;
  }
>;

export declare const readScopeDefaults: Statement<
  {
    readonly scopes: readonly string[];
  },
  {
    readonly scope: string;
    readonly owner: string;
  }
>;

export declare const readSourceRows: Statement<
  {
    readonly collections: readonly string[];
    readonly objectClasses: readonly string[];
    readonly at: string;
  },
  {
    readonly ordinal: bigint;
    readonly owner: string;
  }
>;

export declare const readBodies: Statement<
  {
    readonly codes: readonly string[];
  },
  {
    readonly code: string;
  }
>;

export declare const readReferenceRows: Statement<
  {
    readonly collections: readonly string[];
    readonly classes: readonly string[];
  },
  {
    readonly object_type: string;
    readonly object_ref: string;
  }
>;
