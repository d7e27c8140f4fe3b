// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readTypes: Statement<
  {
    readonly types: readonly string[];
  },
  {
    readonly finding_type: string;
    readonly family: string;
    readonly base_severity: string;
    readonly max_severity: string;
    readonly route: string;
    readonly ceiling: number | null;
    readonly cool_down_seconds: bigint | null;
  }
>;

export declare const readSettings: Statement<
  {
    readonly keys: readonly string[];
  },
  {
    readonly setting_key: string;
    readonly setting_value: string;
  }
>;
