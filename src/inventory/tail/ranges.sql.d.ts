// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readRanges: Statement<
  Record<never, never>,
  {
    readonly last_id: bigint;
  }
>;

export declare const findRange: Statement<
  {
    readonly after: bigint | null;
    readonly rows: bigint;
  },
  {
    readonly last_id: bigint;
  }
>;

export declare const keepRange: Statement<
  {
    readonly lastId: bigint;
    readonly keys: readonly string[];
    readonly members: readonly bigint[];
    readonly maxBornAts: readonly string[];
    readonly maxIds: readonly bigint[];
    readonly h1s: readonly string[];
    readonly h2s: readonly string[];
  },
  Record<never, never>
>;

export declare const forgetRanges: Statement<
  {
    readonly first: bigint | null;
  },
  Record<never, never>
>;
