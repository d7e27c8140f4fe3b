// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const sync: Statement<
  Record<never, never>,
  {
    readonly pass_code: string;
    readonly collection_name: string | null;
    readonly entity_code: string | null;
    readonly inventory_key: string | null;
    readonly stage: string;
    readonly action: string;
    readonly approval_ref: string;
    readonly began_at: string;
    readonly ends_at: string;
    readonly row_ids: readonly bigint[];
  }
>;

export declare const readAny: Statement<
  {
    readonly type: string;
  },
  {
    readonly seen: boolean;
  }
>;
