// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readLinks: Statement<
  {
    readonly after: bigint;
    readonly limit: bigint;
  },
  {
    readonly position: bigint;
    readonly kind: string;
    readonly login: string;
    readonly subject: string;
    readonly payload_text: string;
    readonly payload_hash: string;
    readonly previous_hash: string;
    readonly row_hash: string;
    readonly recorded_text: string;
  }
>;

export declare const readStoredHead: Statement<
  Record<never, never>,
  {
    readonly position: bigint;
    readonly row_hash: string;
  }
>;

export declare const compareRows: Statement<
  {
    readonly after: bigint;
    readonly upTo: bigint;
  },
  {
    readonly position: bigint;
    readonly kind: string;
    readonly subject: string;
    readonly columns: readonly string[];
  }
>;

export declare const readUnlinked: Statement<
  {
    readonly limit: bigint;
  },
  {
    readonly relation: string;
    readonly row_key: string;
    readonly subject: string;
  }
>;

export declare const readStateDifferences: Statement<
  Record<never, never>,
  {
    readonly position: bigint | null;
    readonly relation: string;
    readonly row_key: string;
  }
>;

export declare const countSealed: Statement<
  Record<never, never>,
  {
    readonly seals: bigint;
    readonly answers: bigint;
    readonly unsealed: bigint;
  }
>;

export declare const compareSeals: Statement<
  {
    readonly after: bigint;
  },
  {
    readonly from_check: bigint;
    readonly to_check: bigint;
    readonly answers: bigint;
    readonly digest: string;
    readonly answers_now: bigint;
    readonly digest_now: string;
    readonly position: bigint | null;
    readonly pruned: boolean;
  }
>;

export declare const comparePruned: Statement<
  Record<never, never>,
  {
    readonly position: bigint | null;
    readonly first_id: bigint;
    readonly last_id: bigint;
    readonly row_count: bigint;
    readonly sealed: bigint;
  }
>;

export declare const locateAnswer: Statement<
  {
    readonly toCheck: bigint;
  },
  {
    readonly check_id: bigint;
    readonly first_item: number;
    readonly place: bigint;
  }
>;
