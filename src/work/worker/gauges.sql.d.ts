// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readDirty: Statement<
  {
    readonly at: string;
  },
  {
    readonly kind: string;
    readonly risk_class: string;
    readonly rows: bigint;
    readonly seconds: number;
  }
>;

export declare const readBacklog: Statement<
  {
    readonly at: string;
  },
  {
    readonly held: bigint;
    readonly recompute: bigint;
    readonly proof_seconds: number | null;
  }
>;
