// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readPage: Statement<
  {
    readonly kind: string | null;
    readonly after: bigint | null;
    readonly limit: bigint;
  },
  {
    readonly position: bigint;
    readonly kind: string;
    readonly recorded_at: string;
    readonly login: string;
    readonly subject: string;
    readonly payload: string;
    readonly payload_hash: string;
    readonly previous_hash: string;
    readonly row_hash: string;
  }
>;

export declare const readHead: Statement<
  Record<never, never>,
  {
    readonly position: bigint;
    readonly kind: string;
    readonly subject: string;
    readonly recorded_at: string;
    readonly row_hash: string;
  }
>;

export declare const sealNext: Statement<
  Record<never, never>,
  {
    readonly from_check: bigint;
    readonly to_check: bigint;
    readonly answers: bigint;
    readonly is_full: boolean;
  }
>;

export declare const readSealLag: Statement<
  Record<never, never>,
  {
    readonly seconds: number | null;
  }
>;
