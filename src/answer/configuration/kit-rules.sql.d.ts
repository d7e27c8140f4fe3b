// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const writeSetting: Statement<
  {
    readonly value: string;
    readonly key: string;
  },
  {
    readonly setting_key: string;
  }
>;

export declare const readIntervals: Statement<
  {
    readonly texts: readonly string[];
  },
  {
    readonly span: string;
  }
>;
