// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const tickRow: Statement<
  {
    readonly tag: string | null;
    readonly worker: string;
    readonly source: string | null;
    readonly status: string;
    readonly state: string;
    readonly leaseOwner: string | null;
    readonly progressValue: string | null;
    readonly lagSeconds: number | null;
    readonly error: string | null;
    readonly succeeded: boolean;
  },
  {
    readonly tag: string | null;
    readonly ticked: boolean;
  }
>;

export declare const endHeartbeatRow: Statement<
  {
    readonly worker: string;
    readonly source: string;
    readonly error: string;
  },
  {
    readonly ended: boolean;
  }
>;

export declare const heartbeatRows: Statement<
  {
    readonly at: string;
  },
  {
    readonly executor_name: string;
    readonly worker: string;
    readonly source: string | null;
    readonly state: string | null;
    readonly lease_owner: string | null;
    readonly last_tick_at: string | null;
    readonly last_tick_status: string | null;
    readonly progress_value: string | null;
    readonly progress_at: string | null;
    readonly lag_seconds: number | null;
    readonly last_success_at: string | null;
    readonly failing_since: string | null;
    readonly error: string | null;
    readonly success_seconds: number | null;
    readonly failing_seconds: number | null;
    readonly silent_seconds: number | null;
    readonly stalled_seconds: number | null;
  }
>;
