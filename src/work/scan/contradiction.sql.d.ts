// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readLastChange: Statement<
  Record<never, never>,
  {
    readonly history_id: bigint;
  }
>;

export declare const hasUnmarkedRow: Statement<
  {
    readonly after: bigint;
    readonly runId: string;
  },
  {
    readonly unmarked: boolean;
  }
>;

export declare const readChanged: Statement<
  {
    readonly after: bigint;
    readonly runId: string;
  },
  {
    readonly inventory_key: string;
    readonly source_registry: string;
    readonly object_class: string;
    readonly risk_class: string;
    readonly changed: bigint;
    readonly unmarked: bigint;
  }
>;

export declare const readMarkedSince: Statement<
  {
    readonly since: string;
  },
  {
    readonly inventory_key: string;
  }
>;
