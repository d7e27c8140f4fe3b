// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readContracts: Statement<
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly strict: boolean;
  }
>;

export declare const readHome: Statement<
  Record<never, never>,
  {
    readonly home: boolean;
  }
>;

export declare const readTrust: Statement<
  Record<never, never>,
  {
    readonly source_kind: string;
    readonly source: string;
    readonly scope: string;
    readonly level: string;
  }
>;

export declare const readWhole: Statement<
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly input_state: string;
    readonly scopes: readonly string[] | null;
  }
>;
