// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const countKeyless: Statement<
  Record<never, never>,
  {
    readonly births: bigint;
  }
>;

export declare const sampleKeyless: Statement<
  {
    readonly limit: bigint;
  },
  {
    readonly id: string | null;
    readonly lacks: readonly string[];
  }
>;
