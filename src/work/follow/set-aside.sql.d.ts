// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readKeys: Statement<
  {
    readonly ids: readonly bigint[];
  },
  {
    readonly id: bigint;
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;
