// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const orderWork: Statement<
  {
    readonly kind: string;
    readonly subject: string;
  },
  {
    readonly outcome: string;
    readonly order_id: bigint | null;
    readonly login: string;
  }
>;

export declare const readOrders: Statement<
  {
    readonly orderId: bigint | null;
    readonly kind: string | null;
    readonly subject: string | null;
    readonly status: string | null;
    readonly before: bigint | null;
    readonly limit: bigint;
  },
  {
    readonly order_id: bigint;
    readonly kind: string;
    readonly subject: string;
    readonly ordered_by: string;
    readonly ordered_at: string;
    readonly status: string;
    readonly run_id: string | null;
    readonly ended_at: string | null;
    readonly error: string | null;
  }
>;

export declare const readOrderedScans: Statement<
  Record<never, never>,
  {
    readonly mode: string;
  }
>;

export declare const readOrderedSyncs: Statement<
  Record<never, never>,
  {
    readonly name: string;
    readonly kind: string;
    readonly config: string;
    readonly overdue_seconds: number;
  }
>;
