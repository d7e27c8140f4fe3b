// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readEdges: Statement<
  Record<never, never>,
  {
    readonly last_number: bigint;
    readonly first_number: bigint;
  }
>;

export declare const readEntries: Statement<
  {
    readonly after: bigint;
    readonly limit: number;
  },
  {
    readonly number: bigint;
    readonly id: string;
    readonly type: string;
    readonly subject: string;
    readonly payload: string;
    readonly occurred_at: string;
    readonly numbered_at: string;
  }
>;

export declare const numberEntries: Statement<
  {
    readonly limit: number;
  },
  {
    readonly numbered: bigint;
    readonly last_number: bigint;
    readonly more: boolean;
  }
>;

export declare const listSignalTypes: Statement<
  Record<never, never>,
  {
    readonly event_type: string;
  }
>;
