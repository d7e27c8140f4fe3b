// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const registerTypes: Statement<
  {
    readonly types: readonly string[];
    readonly streams: readonly string[];
    readonly severities: readonly string[];
    readonly descriptions: readonly string[];
    readonly heartbeats: readonly boolean[];
  },
  {
    readonly registered: string;
  }
>;

export declare const setActive: Statement<
  {
    readonly types: readonly string[];
    readonly active: boolean;
  },
  {
    readonly changed: string;
  }
>;

export declare const listTypes: Statement<
  {
    readonly stream: string | null;
    readonly after: string | null;
    readonly limit: number;
  },
  {
    readonly event_type: string;
    readonly stream: string;
    readonly host_stream: string;
    readonly lane: string;
    readonly severity: string | null;
    readonly active: boolean;
    readonly heartbeat: boolean;
    readonly own: boolean;
    readonly description: string;
  }
>;
