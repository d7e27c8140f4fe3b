// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const readKeyHashes: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
    readonly low: bigint;
    readonly high: bigint;
  },
  {
    readonly hashes: string;
  }
>;

export declare const countKeys: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
    readonly hashes: readonly bigint[];
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
    readonly births: bigint;
  }
>;
