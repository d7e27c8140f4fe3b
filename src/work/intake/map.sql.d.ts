// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readRows: Statement<
  Record<never, never>,
  {
    readonly source: string;
    readonly action: string;
    readonly kind: string | null;
    readonly dimensions: readonly string[];
    readonly dirty_reason: string | null;
  }
>;
