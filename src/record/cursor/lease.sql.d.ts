// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../db/index.js';

export declare const renewLease: Template<
  'trust',
  {
    readonly worker: string;
    readonly source: string;
    readonly fence: bigint;
    readonly ttlSeconds: number;
    readonly tag: string;
  },
  {
    readonly expires_at: string | null;
    readonly tag: string;
  }
>;

export declare const releaseLease: Statement<
  {
    readonly worker: string;
    readonly source: string;
    readonly fence: bigint;
  },
  {
    readonly released: boolean;
  }
>;

export declare const readLeaseRow: Statement<
  {
    readonly worker: string;
    readonly source: string;
  },
  {
    readonly holder: string;
    readonly fence: bigint;
    readonly released: boolean;
    readonly expires_at: string;
    readonly expired: boolean;
  }
>;
