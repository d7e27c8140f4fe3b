// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const asLastClosed: Statement<
  {
    readonly format: string;
  },
  {
    readonly same: boolean;
  }
>;
