// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readDetectors: Statement<
  Record<never, never>,
  {
    readonly measurement_id: string | null;
    readonly law_code: string | null;
    readonly method: string | null;
    readonly source_query: string | null;
    readonly target_query: string | null;
    readonly comparison: string | null;
    readonly severity: string | null;
  }
>;

export declare const readProfiles: Statement<
  Record<never, never>,
  {
    readonly profile_code: string | null;
    readonly class_pattern: string | null;
    readonly risk_class: string | null;
    readonly ttl: string | null;
    readonly class_0: boolean | null;
    readonly inherits: boolean | null;
    readonly primary_axis_family: string | null;
    readonly required_links: string | null;
  }
>;

export declare const readAxes: Statement<
  Record<never, never>,
  {
    readonly axis_code: string | null;
    readonly axis_family: string | null;
    readonly object_class: string | null;
  }
>;

export declare const readPivots: Statement<
  Record<never, never>,
  {
    readonly code: string | null;
    readonly object_class: string | null;
    readonly source_collection: string | null;
    readonly dims: string;
  }
>;

export declare const readJurisdictions: Statement<
  Record<never, never>,
  {
    readonly law_code: string | null;
    readonly domain: string | null;
    readonly coverage_type: string | null;
  }
>;

export declare const readScopes: Statement<
  Record<never, never>,
  {
    readonly scope_code: string | null;
  }
>;

export declare const readReach: Statement<
  Record<never, never>,
  {
    readonly rule_kind: string;
    readonly rule_code: string;
    readonly scope: string | null;
    readonly axis_family: string | null;
    readonly source_registry: string | null;
  }
>;

export declare const readSettings: Statement<
  {
    readonly keys: readonly string[];
    readonly prefixes: readonly string[];
  },
  {
    readonly setting_key: string;
    readonly setting_value: string;
  }
>;
