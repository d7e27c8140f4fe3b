// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const record: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly states: readonly (string | null)[];
    readonly causes: readonly (string | null)[];
    readonly scopes: readonly (string | null)[];
    readonly birthIds: readonly (bigint | null)[];
    readonly at: string;
    readonly quarantineAfter: number;
    readonly sawAllBirths: boolean;
  },
  {
    readonly written: bigint;
    readonly cured: bigint;
  }
>;

export declare const replaceWholeRows: Statement<
  {
    readonly collections: readonly string[];
    readonly states: readonly string[];
    readonly causes: readonly string[];
    readonly scopes: readonly (string | null)[];
    readonly at: string;
  },
  {
    readonly collection_name: string;
  }
>;

export declare const takeObjects: Statement<
  {
    readonly evaluated: boolean;
  },
  {
    readonly collection_name: string;
    readonly entity_code: string | null;
  }
>;

export declare const takeSources: Statement<
  {
    readonly evaluated: boolean;
  },
  {
    readonly source_kind: string;
    readonly source: string;
  }
>;
