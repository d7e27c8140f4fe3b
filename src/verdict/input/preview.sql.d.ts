// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readKept: Statement<
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly entity_code: string;
    readonly input_state: string;
    readonly cause: string;
    readonly cured: boolean;
    readonly relapses: number;
    readonly quarantined: boolean;
    readonly quarantined_by: string | null;
  }
>;
