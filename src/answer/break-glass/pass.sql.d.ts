// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const openRow: Statement<
  {
    readonly collection: string | null;
    readonly code: string | null;
    readonly group: string | null;
    readonly stage: string;
    readonly action: string;
    readonly minutes: number;
    readonly reason: string;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly pass_code: string | null;
    readonly login: string;
  }
>;

export declare const closeRow: Statement<
  {
    readonly code: string;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly login: string;
  }
>;

export declare const readSame: Statement<
  {
    readonly at: string;
    readonly collection: string | null;
    readonly code: string | null;
    readonly inventoryKey: string | null;
    readonly stage: string;
    readonly action: string;
  },
  {
    readonly pass_code: string;
  }
>;

export declare const lock: Statement<
  Record<never, never>,
  {
    readonly locked: boolean;
  }
>;

export declare const list: Statement<
  {
    readonly at: string;
    readonly after: string | null;
    readonly code: string | null;
    readonly limit: bigint;
  },
  {
    readonly pass_code: string;
    readonly collection_name: string | null;
    readonly entity_code: string | null;
    readonly inventory_key: string | null;
    readonly stage: string;
    readonly action: string;
    readonly minutes: number;
    readonly reason: string;
    readonly requested_by: string;
    readonly requested_at: string;
    readonly approve_by: string;
    readonly approval_ref: string;
    readonly began_at: string | null;
    readonly ends_at: string | null;
    readonly status: string;
    readonly verified_at: string | null;
  }
>;
