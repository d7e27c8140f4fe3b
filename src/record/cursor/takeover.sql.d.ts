// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const takeLease: Statement<
  {
    readonly worker: string;
    readonly source: string;
    readonly holder: string;
    readonly ttlSeconds: number;
    readonly rounds: readonly string[];
    readonly idTypes: readonly string[];
  },
  {
    readonly fence: bigint;
    readonly expires_at: string;
    readonly taken_from: string | null;
  }
>;

export declare const ownBackend: Statement<
  Record<never, never>,
  {
    readonly pid: number;
  }
>;

export declare const endBlockers: Statement<
  {
    readonly pid: number;
    readonly worker: string;
    readonly source: string;
  },
  {
    readonly pid: number;
    readonly ended: boolean;
  }
>;

export declare const endRemains: Statement<
  {
    readonly tagPrefix: string;
    readonly fence: bigint;
  },
  {
    readonly pid: number;
    readonly ended: boolean;
  }
>;
