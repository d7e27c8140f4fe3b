// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../db/index.js';

export declare const readPulse: Template<
  'trust',
  {
    readonly known: string;
  },
  {
    readonly snapshot: string;
    readonly leases: readonly string[];
    readonly changes: string | null;
    readonly births: boolean | null;
    readonly dirty: boolean | null;
    readonly signals: string | null;
    readonly undelivered: boolean | null;
    readonly request: bigint;
    readonly feed: string | null;
  }
>;

export declare const requestRound: Statement<
  Record<never, never>,
  {
    readonly request: bigint;
  }
>;
