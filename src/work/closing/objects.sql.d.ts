// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readLapsed: Statement<
  {
    readonly after: string | null;
    readonly at: string;
    readonly rulesetVersion: string;
    readonly limit: bigint;
  },
  {
    readonly object_key: string;
    readonly birth_id: bigint;
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;
