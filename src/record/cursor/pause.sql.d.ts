// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const openWorkRow: Statement<
  {
    readonly tag: string;
  },
  {
    readonly tag: string;
    readonly paused: string | null;
    readonly at: string;
  }
>;

export declare const setPausedRow: Statement<
  {
    readonly paused: boolean;
    readonly reason: string | null;
  },
  {
    readonly setting_value: string;
  }
>;
