// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readFormer: Statement<
  {
    readonly types: readonly string[];
    readonly enabled: readonly string[];
  },
  {
    readonly subject: string;
  }
>;
