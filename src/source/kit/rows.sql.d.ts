// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readOtherProfiles: Statement<
  {
    readonly patterns: readonly string[];
    readonly prefix: string;
  },
  {
    readonly profile_code: string;
    readonly class_pattern: string;
  }
>;

export declare const writeScopes: Statement<
  {
    readonly scopes: string;
  },
  {
    readonly scope_code: string;
  }
>;

export declare const writeProfiles: Statement<
  {
    readonly profiles: string;
    readonly prefix: string;
  },
  {
    readonly profile_code: string;
  }
>;

export declare const writeDetectors: Statement<
  {
    readonly detectors: string;
    readonly prefix: string;
  },
  {
    readonly measurement_id: string;
  }
>;
