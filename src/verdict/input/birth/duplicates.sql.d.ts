// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const findShared: Statement<
  Record<never, never>,
  {
    readonly key_hash: bigint;
  }
>;

export declare const readKeys: Statement<
  {
    readonly hashes: readonly bigint[];
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;
