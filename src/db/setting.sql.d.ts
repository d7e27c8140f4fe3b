// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from './statement.js';

export declare const readSettingRow: Statement<
  {
    readonly key: string;
  },
  {
    readonly setting_value: string;
  }
>;
