// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readCauses: Statement<
  {
    readonly collections: readonly string[] | null;
  },
  {
    readonly collection_name: string;
    readonly finding: string;
    readonly cause: string;
    readonly whole: boolean;
    readonly subjects: bigint;
    readonly sample: readonly string[] | null;
    readonly scopes: readonly string[];
  }
>;

export declare const readTouched: Statement<
  {
    readonly at: string;
  },
  {
    readonly collection_name: string;
  }
>;
