// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const resolveRows: Statement<
  {
    readonly classes: readonly string[];
    readonly profiles: string;
  },
  {
    readonly object_class: string;
    readonly profile_code: string;
    readonly class_pattern: string;
    readonly risk_class: string;
    readonly ttl: string | null;
    readonly ttl_seconds: bigint | null;
    readonly class_0: boolean;
    readonly inherits: boolean;
    readonly primary_axis_family: string | null;
    readonly required_links: string;
  }
>;
