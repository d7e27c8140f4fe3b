// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const findSuspectIds: Statement<
  {
    readonly first: bigint | null;
    readonly last: bigint | null;
    readonly gapFirst: readonly bigint[];
    readonly gapLast: readonly bigint[];
    readonly individual: readonly string[];
    readonly strict: readonly string[];
    readonly codeLength: number;
    readonly printable: boolean;
    readonly bornAfter: string;
    readonly at: string;
    readonly futureSeconds: number;
    readonly origins: readonly string[];
    readonly sources: readonly string[];
  },
  {
    readonly id: bigint;
  }
>;

export declare const findIds: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
    readonly individual: readonly string[];
    readonly strict: readonly string[];
    readonly codeLength: number;
    readonly printable: boolean;
    readonly bornAfter: string;
    readonly at: string;
    readonly futureSeconds: number;
    readonly limit: bigint | null;
  },
  {
    readonly id: bigint;
  }
>;

export declare const findIdsOf: Statement<
  {
    readonly collections: readonly string[];
  },
  {
    readonly id: bigint;
  }
>;
